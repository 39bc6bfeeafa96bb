package report

import (
	"fmt"
	"io"
	"time"

	"github.com/nodetriage/nodetriage/wording"
)

// Step is one progress line of a command.
type Step struct {
	After  time.Duration // since it began
	Verb   string
	Object string
	Why    string
}

// Progress writes a step when it happens. It does not need a terminal, because it never overwrites a line.
func Progress(w io.Writer, s Step, style Style) error {
	text := Clean(s.Object)
	if s.Why != "" {
		text += ": " + Clean(s.Why)
	}
	_, err := fmt.Fprintf(w, "%6s  %-11s %s\n", wording.Duration(s.After), s.Verb, wording.WrapFrom(text, 20, style.width(), "                    "))
	return err
}
