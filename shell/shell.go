// Package shell makes the commands that people paste into a shell. Names come from clusters, files and logs: they are
// hostile until they look like names, so each becomes one word that no shell reads as anything else, or a gap to fill.
package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// plain is what every shell takes as one word as it stands. A word that begins with - would be a flag.
var plain = lazyregexp.New(`^[A-Za-z0-9_./][A-Za-z0-9._:/=,@+-]*$`)

// quotable is what is one word between single quotes, in POSIX shells, fish and PowerShell alike: they differ about a
// quote and a backslash in there.
var quotable = lazyregexp.New(`^[ -&(-\[\]-~]+$`)

// longest is a bound for one word, in bytes: the longest name that the API server takes has 253.
const longest = 1024

// Plain reports whether s can stand in a command as it is, quotes around it or not.
func Plain(s string) bool { return len(s) <= longest && plain.MatchString(s) }

// Word returns s as one word of a command, quoted where that is needed; <gap> where s cannot be one in every shell.
func Word(s, gap string) string {
	switch {
	case Plain(s):
		return s
	case len(s) > longest || strings.HasPrefix(s, "-") || !quotable.MatchString(s):
		return "<" + gap + ">"
	}
	return "'" + s + "'"
}

// Command puts words that are not ours, each as one word, into the places of those that are: a % each. A word that
// cannot stand in a command is left for the reader to fill in, as <name>.
func Command(words string, others ...string) string {
	var out strings.Builder
	for _, o := range others {
		before, after, found := strings.Cut(words, "%")
		if !found {
			break
		}
		out.WriteString(before + Word(o, "name"))
		words = after
	}
	return out.String() + words
}

// WithoutFinalizers are the commands that take these finalizers from a pod that has all of the list, and no other: each tests that its
// place in the list still holds it. The last comes first, so that the places of the others stay.
func WithoutFinalizers(namespace, pod string, all, these []string) []string {
	var out []string
	for i := len(all) - 1; i >= 0; i-- {
		if !slices.Contains(these, all[i]) {
			continue
		}
		path := fmt.Sprintf("/metadata/finalizers/%d", i)
		patch := fmt.Sprintf(`[{"op":"test","path":%q,"value":%q},{"op":"remove","path":%q}]`, path, all[i], path)
		out = append(out, Command("kubectl -n % patch pod % --type=json -p %", namespace, pod, patch))
	}
	return out
}
