package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// unlink breaks what trackers turn into mentions and links. An empty comment is invisible.
var unlink = strings.NewReplacer("@", "@<!-- -->", "://", ":<!-- -->//", "www.", "www<!-- -->.")

var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "~", `\~`, "#", `\#`, "$", `\$`,
)

// opens matches what would start a list, a rule or a heading at the beginning of a line.
var opens = lazyregexp.New(`^(\s*)([-+=]|\d{1,9}[.)])`)

// mdText escapes an external text in Markdown, so that it contains no markup, HTML, mention or link.
func mdText(s string) string {
	s = unlink.Replace(special.Replace(s))
	return opens.ReplaceAllStringFunc(s, func(m string) string { return m[:len(m)-1] + `\` + m[len(m)-1:] })
}

// mdProse escapes a text of the catalog, except its code spans.
func mdProse(s string) string {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 {
		return mdText(s)
	}
	for i := range parts {
		if i%2 == 0 {
			parts[i] = mdText(parts[i])
		} else {
			parts[i] = mdCode(parts[i])
		}
	}
	return strings.Join(parts, "")
}

// mdCode returns a code span of a text with any backticks.
func mdCode(s string) string {
	s = strings.TrimSpace(s)
	fence := strings.Repeat("`", backticks(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" {
		s = " " + s + " "
	}
	return fence + s + fence
}

// mdBlock returns a code block of lines, indented for a list item.
func mdBlock(language, indent string, lines ...string) string {
	longestRun := 2
	for _, l := range lines {
		longestRun = max(longestRun, backticks(l))
	}
	fence := strings.Repeat("`", longestRun+1)
	var b strings.Builder
	b.WriteString(indent + fence + language + "\n")
	for _, l := range lines {
		b.WriteString(indent + l + "\n")
	}
	b.WriteString(indent + fence + "\n")
	return b.String()
}

// backticks returns the length of the longest run of backticks.
func backticks(s string) int {
	longestRun, run := 0, 0
	for i := range len(s) {
		if s[i] == '`' {
			run++
			longestRun = max(longestRun, run)
		} else {
			run = 0
		}
	}
	return longestRun
}
