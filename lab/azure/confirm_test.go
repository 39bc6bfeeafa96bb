//go:build linux

package azure_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
	"github.com/nodetriage/nodetriage/lab/terminal"
)

// openTerminal opens a pseudo-terminal: the side of the user, and the side of the program.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, program, err := terminal.Open(terminal.Size{Rows: 24, Columns: 80})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	t.Cleanup(func() { program.Close() })
	return person, program
}

// The user types the name of the target at a terminal: then the change is made. After any other answer, including yes,
// or no answer, no request is sent.
func TestRepairAsksAPerson(t *testing.T) {
	for name, test := range map[string]struct {
		typed string
		code  int
		sent  int
	}{
		"the name": {node2 + "\n", 5, 1}, // done; the logs of these nodes are unknown
		"yes":      {"yes\n", 1, 0},
		"no":       {"no\n", 1, 0},
		"nothing":  {"\n", 1, 0},
		"the end":  {"\x04", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := repairable(t, "disk-detach", func(s *azure.Scenario) { s.Polls = 0 })
			person, theirs := openTerminal(t)
			cmd, _ := b.command("refresh", node2, "--apply")
			var out safe
			cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			until(t, &out, "Type "+node2+" to refresh it: ")
			b.wantChanges()
			if _, err := person.WriteString(test.typed); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != test.code || test.sent == 0 && !strings.Contains(out.String(), "nothing was done") || len(b.changes()) != test.sent {
				t.Errorf("exit code %d, changes %q:\n%s", code, b.changes(), out.String())
			}
		})
	}
}

// A change by another user during the question ends the repair before it sends a request.
func TestRepairChangedWhileAsked(t *testing.T) {
	b := repairable(t, "healthy", func(s *azure.Scenario) { s.Polls = 0 })
	person, theirs := openTerminal(t)
	cmd, _ := b.command("reconcile", "np1", "--apply")
	var out safe
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, &out, "Type np1 to reconcile it: ")
	for _, method := range []string{http.MethodPut, http.MethodGet} { // a write, and a read that completes it
		req, err := http.NewRequest(method, b.e.URL+poolID+"?api-version=1", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	if _, err := person.WriteString("np1\n"); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if flat := strings.Join(strings.Fields(out.String()), " "); cmd.ProcessState.ExitCode() != 3 || !strings.Contains(flat, "NOT DONE it was changed after the plan was created; plan again") {
		t.Errorf("exit code %d:\n%s", cmd.ProcessState.ExitCode(), out.String())
	}
	b.wantChanges("PUT " + poolID) // the other change
}

// Evidence that is older than some minutes is not accepted for a change.
func TestRepairOnOldEvidence(t *testing.T) {
	b := repairable(t, "healthy", nil)
	for name, test := range map[string]struct {
		age  time.Duration
		says string
	}{
		"fresh": {0, "passed age: "},
		"old":   {10 * time.Minute, "refused age: the evidence is 11m"},
	} {
		file := filepath.Join(b.state, name+".json")
		raw, err := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": b.s.Cluster(time.Now().Add(-test.age))})
		if err == nil {
			err = os.WriteFile(file, raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		code, out := b.repair("reconcile", "np1", "-f", file, "-o", "wide")
		if flat := strings.Join(strings.Fields(out), " "); code == 0 || !strings.Contains(flat, test.says) {
			t.Errorf("%s: exit code %d, want %q:\n%s", name, code, test.says, out)
		}
	}
	b.wantChanges()
}
