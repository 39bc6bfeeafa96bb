package signatures

import "strings"

// unescape unescapes the quotes of nested messages: \" and \\\" become ".
func unescape(line string) string {
	at := strings.IndexByte(line, '\\')
	if at < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	for ; at >= 0; at = strings.IndexByte(line, '\\') {
		b.WriteString(line[:at])
		rest := strings.TrimLeft(line[at:], `\`)
		if !strings.HasPrefix(rest, `"`) {
			b.WriteString(line[at : len(line)-len(rest)])
		}
		line = rest
	}
	b.WriteString(line)
	return b.String()
}
