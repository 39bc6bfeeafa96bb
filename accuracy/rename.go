package accuracy

import (
	"regexp"
	"slices"
	"strings"
)

// renamable reports whether the name of a node is not a common word, so that other words of a text are not changed.
func renamable(name string) bool {
	return name != "k8s" && !dotted.MatchString(name) && strings.ContainsAny(name, "0123456789-.")
}

// renamed replaces names that are whole words.
func (f Files) renamed(to map[string]string) Files {
	if len(to) == 0 {
		return f
	}
	var old []string
	for name := range to {
		old = append(old, regexp.QuoteMeta(name))
	}
	slices.SortFunc(old, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	re := regexp.MustCompile(`(^|[^A-Za-z0-9_-])(` + strings.Join(old, "|") + `)($|[^A-Za-z0-9_-])`)
	change := func(text string) string {
		for range 2 { // two names separated by one character
			text = re.ReplaceAllStringFunc(text, func(hit string) string {
				m := re.FindStringSubmatch(hit)
				return m[1] + to[m[2]] + m[3]
			})
		}
		return text
	}
	out := slices.Clone(f)
	for i := range out {
		all := strings.SplitAfter(out[i].Text, "\n")
		for j := range all {
			all[j] = change(all[j])
		}
		out[i].Text = strings.Join(all, "")
		out[i].Name = change(out[i].Name)
	}
	return out
}
