package triage

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// A check that asks for a message of the evidence again is left out. A check of a state that can change is not.
func TestAnswered(t *testing.T) {
	for _, c := range []struct {
		line        string
		run, expect shell.Text
		want        bool
	}{
		{"Output: mount error(13): Permission denied", "kubectl describe pod -n a b", `an event with "access denied" or "mount error(13)"`, true},
		{"Output: mount error(5): Input/output error", "kubectl describe pod -n a b", `an event with "access denied" or "mount error(13)"`, false},
		{"watchdog: BUG: soft lockup - CPU#3 stuck for 22s!", "dmesg -T | grep -iE 'soft lockup|hard LOCKUP|rcu.*stall'", "a stuck task", true},
		{"task jbd2 blocked for 120 seconds", "dmesg -T | grep -iE 'soft lockup|hard LOCKUP|rcu.*stall'", "a stuck task", false},
		{"System clock synchronized: no", "timedatectl", `"System clock synchronized: no"`, false}, // a state
		{"cloud-controller-manager: not found", "kubectl get pods -A | grep cloud-controller", "the controller is missing", false},
		{"an error", "journalctl -u kubelet | grep 'an e'", "an error", false}, // too short to be a message
	} {
		if got := adviserOf(c.line).answered(catalog.Check{Expect: c.expect}, c.run); got != c.want {
			t.Errorf("%q: %q is answered: %v, want %v", c.line, c.run, got, c.want)
		}
	}
}
