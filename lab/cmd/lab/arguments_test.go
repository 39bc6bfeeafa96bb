//go:build unix

package main

import (
	"strings"
	"testing"
)

// The name of a scenario may precede the flags, as in the usage. An unknown name is reported with a hint.
func TestArguments(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"break", "node-silent", "--name", "no-such"}, "no control plane no-such"},
		{[]string{"break", "--name", "no-such", "node-silent"}, "no control plane no-such"},
		{[]string{"upp"}, `no command "upp": lab help lists them`},
		{[]string{"node", "remove"}, "use lab node add"},
	} {
		err := run(t.Context(), test.args[0], test.args[1:])
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("lab %v: want %q, got %v", test.args, test.want, err)
		}
	}
	if err := run(t.Context(), "--help", nil); err != nil {
		t.Errorf("lab --help: %v", err)
	}
}
