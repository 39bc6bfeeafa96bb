package paste

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// startInterrupted reads the keys with which a user interrupted a runtime query or restart without output. A healthy runtime
// responds before users interrupt it.
func startInterrupted(p *page, l line) reader {
	c := p.command()
	if l.no != p.asked+1 || !isInterrupt(l.text) || !waitsForRuntime(c) {
		return nil
	}
	if !p.text.room("runtime answers", l) {
		return nil
	}
	r := p.runtime()
	r.Unanswered = fmt.Sprintf("line %d: %s %s", p.asked, c.raw, strings.TrimSpace(l.text))
	if r.Answer == "" || r.Answer == "ok" {
		r.Answer, r.Message, r.Ref = "interrupted", c.raw, r.Unanswered
	}
	return done
}

// isInterrupt reports whether a line is a key that ends or stops a program.
func isInterrupt(text string) bool {
	switch strings.TrimSpace(text) {
	case "^C", "^Z", `^\`:
		return true
	}
	return false
}

// waitsForRuntime reports whether the command has no output until the runtime responds.
func waitsForRuntime(c *command) bool { return !c.filtered() && (asksRuntime(c) || restartsRuntime(c)) }

// restartsRuntime reports whether the command waits for the runtime to stop.
func restartsRuntime(c *command) bool {
	if c.tool() != "systemctl" || len(c.words) < 3 || !slices.Contains([]string{"restart", "stop"}, c.words[1]) {
		return false
	}
	unit := components.OfUnit(c.words[2])
	return unit != nil && unit.HasRuntime()
}

// answeredAgain records that the runtime responded to a query after an interrupted one.
func answeredAgain(p *page, l line) {
	if c := p.command(); c == nil || !asksRuntime(c) {
		return
	}
	if r := p.runtime(); r.Answer == "interrupted" {
		r.Answer, r.Message, r.Ref = "ok", "", quote(l)
	}
}
