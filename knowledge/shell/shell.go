// Package shell is the only place that builds commands for people. Names come from clusters, files and logs. They are treated
// as hostile unless they have the form of names.
//
// A Text is a command, or advice with commands in it. Constants are Texts. All other values are added with Format, Fill and
// Words, which decide by the position of the value:
//
//   - A plain value (letters, digits and . _ / : = , @ + -, not first - or @) is not changed.
//   - A value that is a separate word may also contain spaces, brackets, double quotes and the characters of selectors and JSON.
//     It gets single quotes, which POSIX shells, fish and PowerShell parse alike.
//   - A value between quotes or next to other text must be plain, because two shells parse commands for another machine.
//     After a slash and in the name of a file it must not contain a slash; after = it must not contain = or a comma.
//   - Any other value is dropped. No object of Kubernetes or a cloud has a name like `$(reboot)`, and a person who has to type the
//     name looks at it. The text shows <node>, <pod>, ... instead.
//
// So a Text never contains, from a value, any of $ ` \ ' & | ; < > ^, a control character, or anything beyond ASCII, quoted or
// not, and % only as the end of a percentage.
package shell

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// plain matches what every shell parses as one unquoted word. A word that begins with - would be a flag, one with @ a file that
// az and curl read.
var plain = lazyregexp.New(`^[A-Za-z0-9_./][A-Za-z0-9._:/=,@+-]*$`)

// quotable matches what may be between single quotes. It excludes what a shell executes if the quotes are lost (cmd.exe has
// none), and what POSIX shells, fish and PowerShell parse differently between quotes.
var quotable = lazyregexp.New(`^([]A-Za-z0-9 !"#()*+,./:=?@[_{}~-]+|[0-9]{1,3}%)$`)

// longest limits one word, in bytes. The longest name that the API server accepts has 253.
const longest = 1024

// Plain reports whether a command can contain s unchanged, quoted or not.
func Plain(s string) bool { return len(s) <= longest && plain.MatchString(s) }

// Word returns s as one word, quoted if necessary, and whether it can be one.
func Word(s string) (Text, bool) {
	switch {
	case Plain(s):
		return Text(s), true
	case len(s) > longest || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "@") || !quotable.MatchString(s):
		return "", false
	}
	return Text("'" + s + "'"), true
}
