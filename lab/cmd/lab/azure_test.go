//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/lab"
)

// product is the built nodetriage, with the settings that lab up printed.
type product struct {
	t          *testing.T
	program    string
	kubeconfig string
	endpoint   string
	up         func(args ...string) *exec.Cmd
	name       string
}

// joined starts an Azure scenario, and stops it at the end of the test.
func joined(t *testing.T, name, scenario string) *product {
	t.Helper()
	p := &product{t: t, up: command(t), name: name}
	var err error
	if p.program, err = lab.BuildOwn("../../../cmd/nodetriage", t.TempDir()); err != nil {
		t.Fatal(err)
	}
	out, err := p.up("up", "--name", name, "--azure", scenario).Output()
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(out), "\n")
	p.kubeconfig = kubeconfigOf(t, first)
	t.Cleanup(func() { _ = p.up("down", "--name", name).Run() })
	var found bool
	if p.endpoint, found = strings.CutPrefix(strings.TrimSpace(second), "nodetriage diagnose --azure-endpoint "); !found {
		t.Fatalf("lab said %q", out)
	}
	return p
}

// run runs a command of the product and returns its exit code and output.
func (p *product) run(args ...string) (int, string) {
	p.t.Helper()
	args = append(args, "--kubeconfig", p.kubeconfig, "--azure-endpoint", p.endpoint)
	cmd := exec.Command(p.program, args...)
	cmd.Env = append(os.Environ(), "HOME="+p.t.TempDir(), "KUBECONFIG=", "COLUMNS=80")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code is the verdict
	if out.Len() == 0 {
		p.t.Fatalf("%q said nothing: %s", args, errs.String())
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// up combines Azure with a control plane, diagnose finds the truth there, and down leaves nothing behind.
func TestUpAzure(t *testing.T) {
	p := joined(t, "aks", "bootstrap-outbound")
	code, out := p.run("diagnose", "-o", "json")
	var r struct {
		Findings []struct {
			Cause    string
			Evidence []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 3 || len(r.Findings) == 0 || r.Findings[0].Cause != "provision-outbound-blocked" {
		t.Errorf("diagnose: exit code %d, %v: %s", code, err, out)
	}
	if out, err := p.up("down", "--name", p.name).CombinedOutput(); err != nil {
		t.Errorf("down: %s %v", out, err)
	}
	if list := left(t, filepath.Dir(p.kubeconfig)); len(list) > 0 {
		t.Errorf("still running: %v", list)
	}
	if out, err := p.up("up", "--name", "b", "--azure", "no-such").CombinedOutput(); err == nil || !strings.Contains(string(out), "there is none; use one of agent-dead, ") {
		t.Errorf("an unknown scenario: %s %v", out, err)
	}
}

// verified is the last line of repair -o json.
type verified struct {
	Kind, Verdict, Why string
	Changed, Verified  bool
	Verifications      []struct {
		Node, Verdict string
		Steps         []struct{ ID, Result, Detail string }
	}
}

// A reimage ends with verify: clear if the node works again, not clear if it does not come back.
func TestRepairEndsInVerify(t *testing.T) {
	const node = "aks-np1-12345678-vmss000002"
	for scenario, want := range map[string]struct {
		code    int
		verdict string
		timeout string
	}{
		"agent-dead":      {0, "clear", "4m"},
		"reimage-in-vain": {3, "not-clear", "10s"},
	} {
		t.Run(scenario, func(t *testing.T) {
			p := joined(t, "aks", scenario)
			code, out := p.run("repair", "reimage", node, "--accept", "drained", "--apply", "--yes", "-o", "json", "--state", t.TempDir(), "--verify-timeout", want.timeout)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			var r verified
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil || r.Kind != "RepairResult" {
				t.Fatalf("%v: exit code %d:\n%s", err, code, out)
			}
			if code != want.code || r.Verdict != want.verdict || !r.Changed || r.Verified != (want.verdict == "clear") {
				t.Errorf("exit code %d:\n%s", code, out)
			}
			if want.code != 0 {
				if !strings.Contains(r.Why, "node "+node+" is NotReady") {
					t.Errorf("why: %s", r.Why)
				}
				return
			}
			if len(r.Verifications) != 1 || r.Verifications[0].Node != node || len(r.Verifications[0].Steps) < 8 {
				t.Fatalf("verifications: %+v", r.Verifications)
			}
			for _, s := range r.Verifications[0].Steps {
				if s.Result != "clear" && !(s.ID == "taints" && s.Result == "warning") {
					t.Errorf("step %s is %s: %s", s.ID, s.Result, s.Detail)
				}
			}
			// verify itself has the same result.
			if code, out := p.run("verify", node, "-o", "json"); code != 0 {
				t.Errorf("verify: exit code %d:\n%s", code, out)
			}
		})
	}
}
