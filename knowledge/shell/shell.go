// Package shell is the only place where commands for people are made. Names come from clusters, files and logs: they are
// hostile until they look like names.
//
// A Text is a command, or advice with commands in it. Constants are Texts; everything else gets into one through Format, Fill
// and Words, which decide by the place where the value goes:
//
//   - A plain value (letters, digits and . _ / : = , @ + -, not first - or @) stands as it is.
//   - A value that is a word by itself may also have spaces, brackets, double quotes and the signs of selectors and JSON. It gets
//     single quotes, which POSIX shells, fish and PowerShell read alike.
//   - A value between quotes or next to other text must be plain: commands for another machine have two shells that read them.
//     After a slash and in the name of a file it must not contain a slash; after = it must not contain = or a comma.
//   - Every other value is left out: no object of Kubernetes or a cloud is called `$(reboot)`, and a person who has to write the
//     name looks at it. The text shows <node>, <pod>, ... in its place.
//
// So a Text never contains, from a value, any of $ ` \ ' & | ; < > ^, a control character, or anything beyond ASCII, quoted or not,
// and % only as the end of a percentage.
package shell

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// plain is what every shell takes as one word as it stands. A word that begins with - would be a flag, one with @ a file that
// az and curl read.
var plain = lazyregexp.New(`^[A-Za-z0-9_./][A-Za-z0-9._:/=,@+-]*$`)

// quotable is what may stand between single quotes. It leaves out what a shell acts on if the quotes are lost (cmd.exe has none),
// and what POSIX shells, fish and PowerShell read differently between quotes.
var quotable = lazyregexp.New(`^([]A-Za-z0-9 !"#()*+,./:=?@[_{}~-]+|[0-9]{1,3}%)$`)

// longest is a bound for one word, in bytes: the longest name that the API server takes has 253.
const longest = 1024

// Plain reports whether s can stand in a command as it is, quotes around it or not.
func Plain(s string) bool { return len(s) <= longest && plain.MatchString(s) }

// Word returns s as one word, quoted where that is needed, and whether it can be one.
func Word(s string) (Text, bool) {
	switch {
	case Plain(s):
		return Text(s), true
	case len(s) > longest || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "@") || !quotable.MatchString(s):
		return "", false
	}
	return Text("'" + s + "'"), true
}
