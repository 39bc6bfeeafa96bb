package shell

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// typedWord matches a word of a command that every shell parses alike: an option, a plain word, both joined, or a word between
// quotes of one kind.
var typedWord = lazyregexp.New(`^(--?[a-z][a-z-]*=?)?([A-Za-z0-9_./][A-Za-z0-9._:/=,@+-]*|'[]A-Za-z0-9 !"#()*+,./:=?@[_{}~-]*'|"[]A-Za-z0-9 #'()*+,./:=?@[_{}~-]*")?$`)

var typedWords = lazyregexp.New(`(?:[^\s"']|"[^"]*"|'[^']*')+`)

// Typed returns a command, or options of one, that a person typed. It accepts only what every shell treats as a simple start of
// that command.
func Typed(command string) (Text, bool) {
	var words []string
	for _, m := range typedWords.FindAllStringSubmatch(command, -1) {
		words = append(words, m[0])
	}
	if len(words) == 0 || len(command) > longest || strings.Join(words, " ") != strings.Join(strings.Fields(command), " ") {
		return "", false
	}
	for _, w := range words {
		if !typedWord.MatchString(w) {
			return "", false
		}
	}
	return Text(strings.Join(words, " ")), true
}
