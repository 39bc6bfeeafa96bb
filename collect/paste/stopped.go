package paste

import (
	"slices"
	"strings"
)

// harmless are the signals that do not end a process.
var harmless = []string{"0", "USR1", "USR2", "HUP", "1", "10", "12", "STOP", "CONT", "19", "18", "WINCH", "CHLD"}

// note records whether the author of a session stopped a program, so that its missing process is no fault: kill, pkill, systemctl
// stop, service stop. A start of any program ends this.
func (p *page) note(c *command) {
	switch c.tool() {
	case "kill", "pkill", "killall":
		p.stopped = p.stopped || ends(c.words[1:])
	case "systemctl", "service", "rc-service", "snap":
		if slices.Contains(c.words[1:], "stop") {
			p.stopped = true
		}
		if slices.Contains(c.words[1:], "start") || slices.Contains(c.words[1:], "restart") {
			p.stopped = false
		}
	}
}

// ends reports whether the arguments of kill name a signal that ends a process; without a signal it is TERM.
func ends(args []string) bool {
	if len(args) == 0 {
		return false
	}
	signal, named := strings.CutPrefix(args[0], "-")
	if signal == "s" && len(args) > 1 {
		signal = args[1]
	}
	return !named || !slices.Contains(harmless, strings.TrimPrefix(strings.ToUpper(signal), "SIG"))
}
