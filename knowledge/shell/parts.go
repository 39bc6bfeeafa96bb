package shell

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var (
	bracketed = lazyregexp.New(` \([^()]*\)`)
	ends      = lazyregexp.New(`\. (?:[A-Z]|containerd |kube-proxy |kubeadm )`) // between two sentences
)

// Only returns a text without the brackets and the sentences that are not kept. ok reports whether the first sentence is kept.
func (t Text) Only(keep func(part string) bool) (out Text, ok bool) {
	text, ok := Keep(string(t), keep)
	return Text(text), ok
}

// Keep returns an advice without the brackets and the sentences that are not kept. ok reports whether the first sentence is kept.
func Keep(text string, keep func(part string) bool) (out string, ok bool) {
	text = bracketed.ReplaceAllStringFunc(text, func(part string) string {
		if keep(part) {
			return part
		}
		return ""
	})
	var kept []string
	for i, s := range Sentences(text) {
		switch {
		case keep(s):
			kept = append(kept, s)
		case i == 0:
			return "", false
		}
	}
	return strings.Join(kept, " "), true
}

// WithoutBrackets returns an advice without its brackets.
func WithoutBrackets(text string) string { return bracketed.ReplaceAllString(text, "") }

// Sentences returns the sentences of an advice.
func Sentences(text string) (out []string) {
	for {
		at := ends.FindStringIndex(text)
		if at == nil {
			return append(out, text)
		}
		out = append(out, text[:at[0]+1])
		text = text[at[0]+2:]
	}
}
