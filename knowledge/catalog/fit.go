package catalog

import (
	"errors"
	"fmt"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Fit describes the evidence for which a check, a remedy or a note of a page is meant. Empty: any.
type Fit struct {
	// Errors lists the kinds of errors that it is for. If the evidence shows one of them, it comes first. If the evidence shows
	// only others, it is not shown.
	Errors []logline.Kind `json:"errors,omitempty"`
	// Unless lists words in lower case. If the evidence of the cause or of its effects contains one of them, it is not shown.
	Unless []string `json:"unless,omitempty"`
	// When lists such words too. It is shown only if the evidence contains one of them.
	When []string `json:"when,omitempty"`
	// Variants lists variants of the cause. If the evidence shows only others, it is not shown.
	Variants []string `json:"variants,omitempty"`
	// Platforms lists names in platforms.yaml. It is shown only if the evidence shows one of these platforms.
	Platforms []string `json:"platforms,omitempty"`
}

// validate checks that the kinds of errors exist.
func (f Fit) validate() error {
	for _, kind := range f.Errors {
		if !kind.Known() {
			return fmt.Errorf("errors: %q is not a kind of error", kind)
		}
	}
	return nil
}

// Note is a caution (an action that makes the problem worse or destroys evidence) or a proof that a fix worked. On a page it is a text,
// or a text with the evidence for which it is meant.
type Note struct {
	Text shell.Text `json:"text"`
	Fit
}

// UnmarshalJSON reads a text, or a text with conditions.
func (n *Note) UnmarshalJSON(data []byte) error {
	if err := bounds.YAMLStrict(data, &n.Text); err == nil {
		return nil
	}
	type plain Note // without this method
	if err := bounds.YAMLStrict(data, (*plain)(n)); err != nil {
		return err
	}
	if n.Text == "" {
		return errors.New("a caution or a verification needs a text")
	}
	return nil
}

// Says returns the texts of notes.
func Says(list []Note) []shell.Text {
	out := make([]shell.Text, 0, len(list))
	for _, n := range list {
		out = append(out, n.Text)
	}
	return out
}
