package report

import (
	"fmt"
	"io"
	"time"

	"github.com/nodetriage/nodetriage/wording"
)

// Step is one line of what a command is doing.
type Step struct {
	After  time.Duration // since it began
	Verb   string
	Object string
	Why    string
}

// Progress writes a step as soon as it happened. It needs no terminal: nothing is drawn over.
func Progress(w io.Writer, s Step, style Style) error {
	text := Clean(s.Object)
	if s.Why != "" {
		text += ": " + Clean(s.Why)
	}
	_, err := fmt.Fprintf(w, "%6s  %-11s %s\n", wording.Duration(s.After), s.Verb, wording.WrapFrom(text, 20, style.width(), "                    "))
	return err
}
