package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// harmless are the signals that do not end a process.
var harmless = []string{"0", "USR1", "USR2", "HUP", "1", "10", "12", "STOP", "CONT", "19", "18", "WINCH", "CHLD"}

// note records whether the author of a session stopped a program, so that its missing process is no fault: kill, pkill, systemctl
// stop, service stop. A start of any program ends this, and the state that an inactive unit had before.
func (p *page) note(c *command) {
	for _, unit := range unitsStarted(c) {
		p.forget(unit)
	}
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

// unitsStarted returns the units that a command starts. kubeadm starts the kubelet.
func unitsStarted(c *command) []string {
	words := c.words[min(1, len(c.words)):]
	has := func(word string) bool { return slices.Contains(words, word) }
	switch c.tool() {
	case "kubeadm":
		if has("init") || has("join") {
			return []string{"kubelet.service"}
		}
	case "systemctl", "service":
		if !has("start") && !has("restart") && !has("--now") {
			return nil
		}
		var units []string
		for _, w := range words {
			if !strings.Contains(w, ".") {
				w += ".service"
			}
			units = append(units, w)
		}
		return units
	}
	return nil
}

// forget removes the state of a unit that was inactive: after a start it is unknown. A failed unit may fail again for the same
// reason, so its state stays.
func (p *page) forget(unit string) {
	for key, r := range p.report {
		if key.host == p.host {
			r.Units = slices.DeleteFunc(r.Units, func(u nodereport.Unit) bool { return u.Name == unit && u.Active == "inactive" })
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
