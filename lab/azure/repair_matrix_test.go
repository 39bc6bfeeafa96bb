package azure_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// meet is a change on a cluster on which it completes after that many polls, with the given outcome if there is one.
func (o *offer) meet(t *testing.T, polls int, how ...azure.Outcome) *bench {
	return repairable(t, o.scenario, func(s *azure.Scenario) {
		if o.change != nil {
			o.change(s)
		}
		s.Polls = polls
		for _, outcome := range how {
			_, outcome.Match, _ = strings.Cut(o.sent, " ")
			s.Outcomes = append(s.Outcomes, &outcome)
		}
	})
}

// kind identifies how a request is sent and rejected: its method, and the type of its target.
func (o *offer) kind() string {
	method, path, _ := strings.Cut(o.sent, " ")
	parts := strings.Split(path[strings.LastIndex(path, "/providers/")+len("/providers/"):], "/")
	kind := method + " " + parts[0]
	for i := 1; i+1 < len(parts); i += 2 { // types, with names in between; all actions on them are sent the same way
		kind += "/" + parts[i]
	}
	return kind
}

// Every change fails once. Each kind of request is also rejected, never completes, and meets another version. The
// request is sent once, and the result shows what to do.
func TestEveryRepairFails(t *testing.T) {
	met := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(offered)) {
		o := offered[name]
		first := !met[o.kind()]
		met[o.kind()] = true
		for how, test := range map[string]struct {
			outcome azure.Outcome
			extra   []string
			code    int
			says    []string
			once    bool // by one change of each kind
		}{
			"failure": {azure.Outcome{Code: "InternalOperationError", Message: "it broke"}, nil, 3, []string{"NOT DONE", "the operation failed: InternalOperationError: it broke"}, false},
			"409":     {azure.Outcome{Status: 409, Code: "OperationNotAllowed", Message: "Another operation is in progress."}, nil, 3, []string{"NOT DONE", "OperationNotAllowed", "wait for the other operation"}, true},
			"412":     {azure.Outcome{Status: 412, Code: "PreconditionFailed", Message: "The eTag does not match."}, nil, 3, []string{"NOT DONE", "PreconditionFailed", "plan again"}, true},
			"timeout": {azure.Outcome{Never: true}, []string{"--timeout", "3s"}, 5, []string{"NOT OVER", "still running after 3s", "run the same command to resume it"}, true},
		} {
			if test.once && !first {
				continue
			}
			t.Run(how+"/"+name, func(t *testing.T) {
				b := o.meet(t, 2, test.outcome)
				code, out := b.apply(slices.Concat(o.args, test.extra)...)
				flat := strings.Join(strings.Fields(out), " ")
				for _, want := range test.says {
					if !strings.Contains(flat, want) {
						t.Errorf("no %q in:\n%s", want, out)
					}
				}
				if code != test.code {
					t.Errorf("exit code %d, want %d", code, test.code)
				}
				b.wantChanges(o.sent)
			})
		}
	}
}

// If the response to a change is lost, the change is found by the state of its target or in the activity log, and
// continues to its end.
func TestEveryRepairLosesItsAnswer(t *testing.T) {
	for name, o := range offered {
		t.Run(name, func(t *testing.T) {
			b := o.meet(t, 2, azure.Outcome{Lost: "answer", Times: 1})
			code, out := b.apply(o.args...)
			if !strings.Contains(strings.Join(strings.Fields(out), " "), "there was no response") {
				t.Errorf("the answer was not lost:\n%s", out)
			}
			b.wantProven(code, out, o.nodes())
			b.wantChanges(o.sent)
		})
	}
}

// Every change that is interrupted or killed continues in the cloud. The same command resumes it, sends no request, and
// ends with the verification. Another change has to wait.
func TestEveryRepairIsTakenUp(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(offered)) {
		o := offered[name]
		t.Run(name, func(t *testing.T) {
			b := o.meet(t, 4) // not finished before it is resumed
			b.breakOff([]os.Signal{os.Interrupt, syscall.SIGKILL}[i%2], o.args...)
			b.wantChanges(o.sent)
			other := []string{"reconcile", "cluster"}
			if name == "reconcile cluster" {
				other[1] = "np1"
			}
			takeUp := "resume it with: nodetriage repair " + strings.Join(slices.DeleteFunc(slices.Clone(o.args), func(a string) bool { return a == "--accept" || a == "irreversible" }), " ") + " --apply"
			if code, text := b.apply(other...); code != 3 || !strings.Contains(strings.Join(strings.Fields(text), " "), takeUp) {
				t.Errorf("another change: exit code %d, want %q:\n%s", code, takeUp, text)
			}
			code, text := b.apply(o.args...)
			if !strings.Contains(text, "resume") {
				t.Errorf("resumed: exit code %d:\n%s", code, text)
			}
			b.wantProven(code, text, o.nodes())
			b.wantChanges(o.sent)
			if o.check != nil {
				o.check(t, b)
			}
		})
	}
}

// breakOff starts a change, and stops the program while the operation runs.
func (b *bench) breakOff(signal os.Signal, args ...string) {
	b.t.Helper()
	defer b.e.Hold()()
	cmd, _ := b.command(slices.Concat(args, []string{"--apply", "--yes"})...)
	var out safe
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	until(b.t, &out, "running for")
	if err := cmd.Process.Signal(signal); err != nil {
		b.t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); signal == os.Interrupt && (code != 130 || !strings.Contains(out.String(), "run the same command")) {
		b.t.Errorf("interrupted: exit code %d:\n%s", code, out.String())
	}
}
