package ask

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/anonymize"
)

// hide replaces names in the evidence and in the texts that are kept.
func (l *look) hide() error {
	l.names = l.Knowledge.NewNames()
	l.names.Declare(l.snapshot.Data())
	if l.Texts != nil {
		if err := l.Texts.Lines(l.names.Learn); err != nil {
			return fmt.Errorf("read the kept texts: %w", err)
		}
	}
	l.snapshot = l.names.Hide(l.snapshot.Data())
	return l.HideNames(l.names)
}

// NewNames returns aliases without entries, for evidence that the caller reads and hides.
func (k *Knowledge) NewNames() *anonymize.Names {
	words := k.words()
	return anonymize.New(func(word string) bool { return words[word] })
}

// alias returns the alias of a name that the user gave.
func (l *look) alias(name string) string {
	if l.names == nil {
		return name
	}
	return l.names.Of(name)
}

// aliases returns the aliases of names that the user gave.
func (l *look) aliases(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = l.alias(name)
	}
	return out
}

// words returns words that components write and signatures match. They are never replaced.
func (k *Knowledge) words() map[string]bool {
	k.gathered.Do(func() {
		// Escapes of regular expressions are not part of the words next to them.
		escapes := strings.NewReplacer(`\b`, " ", `\d`, " ", `\s`, " ", `\S`, " ", `\w`, " ", `\n`, " ", `(?i)`, " ")
		out := map[string]bool{}
		add := func(text string) {
			for _, w := range strings.FieldsFunc(strings.ToLower(text), betweenWords) {
				out[w] = true
				for part := range strings.SplitSeq(w, "-") {
					out[part] = true
				}
			}
		}
		for _, s := range k.Signatures.All() {
			add(escapes.Replace(s.Pattern))
		}
		for _, c := range k.Catalog.Causes() {
			add(c.ID + " " + c.Title)
		}
		for _, w := range []string{"control-plane node nodes pod pods master worker default system kube kubernetes host app apps dev prod test run var lib etc log logs opt home root tmp usr bin data config image images registry server client agent proxy api cloud network storage volume volumes memory cpu disk main web web-0 name namespace status state type kind spec metadata labels items true false null none"} {
			add(w)
		}
		delete(out, "")
		k.known = out
	})
	return k.known
}

// betweenWords reports whether a character separates words.
func betweenWords(r rune) bool {
	letter, digit := r >= 'a' && r <= 'z', r >= '0' && r <= '9'
	return !letter && !digit && r != '-'
}
