package triage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// A name that the evidence does not show is left out of a list, printed by an earlier command, or called by its kind.
func TestUnknownNames(t *testing.T) {
	t.Parallel()
	said := claim("kernel-lockup", triage.Likely, evidence.Subject{})
	said.Evidence = []evidence.Ref{{Source: "log", Text: "watchdog: BUG: soft lockup"}}
	f := judge(t, evidence.New(evidence.Data{}), said).Findings[0]
	for _, r := range f.Remedies {
		i := slices.IndexFunc(r.Commands, func(c shell.Text) bool { return strings.Contains(string(c), "<node>") && !c.PrintsName() })
		asked := i > 0 && slices.ContainsFunc(r.Commands[:i], func(c shell.Text) bool {
			return c.PrintsName() && strings.HasPrefix(string(c), "kubectl get nodes")
		})
		if i >= 0 && !asked {
			t.Errorf("nothing prints <node>: %q", r.Commands)
		}
	}
	for _, v := range f.Verify {
		if strings.Contains(string(v), "<node>") {
			t.Errorf("%q names no node", v)
		}
	}
}

// A list of the pods of an unknown node lists all pods with their nodes.
func TestListsOfUnknownNodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		on   evidence.Subject
		want string
	}{
		{on("n"), "kubectl get pods -A -o wide --field-selector spec.nodeName=n | grep"},
		{evidence.Subject{}, "kubectl get pods -A -o wide | grep"},
	} {
		f := judge(t, evidence.New(evidence.Data{}), claim("cni-agent-crash", triage.Likely, c.on)).Findings[0]
		if got := string(f.Confirm[0].Run); !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %q, want %q", c.on, got, c.want)
		}
	}
}

// Messages name the objects of commands.
func TestNamesInMessages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Failed to pull image "quay.io/tigera/operator:v1.32.3": connection refused`:                                  "https://quay.io/v2/",
		`failed calling webhook "x.y": Post "https://guard.default.svc:443/guard?timeout=2s": no endpoints available`: "grep guard",
		"Failed to drain node /ip-10-100-6-220.ec2.internal: pods remaining after timeout":                            "spec.nodeName=ip-10-100-6-220.ec2.internal",
		`MountVolume.WaitForAttach failed for volume "pvc-1a48" : rpc error`:                                          "grep pvc-1a48",
	} {
		cause := map[string]string{"https": "registry-unreachable", "grep ": "admission-webhook-blocks-node", "spec.": "pod-stuck-terminating"}[want[:5]]
		if strings.Contains(want, "pvc") {
			cause = "volume-attach-failed"
		}
		said := claim(cause, triage.Likely, evidence.Subject{})
		said.Evidence = []evidence.Ref{{Source: "log", Text: text}}
		f := judge(t, evidence.New(evidence.Data{}), said).Findings[0]
		var all strings.Builder
		for _, c := range f.Confirm {
			all.WriteString(string(c.Run) + "\n")
		}
		for _, r := range f.Remedies {
			for _, c := range r.Commands {
				all.WriteString(string(c) + "\n")
			}
		}
		if !strings.Contains(all.String(), want) {
			t.Errorf("%s: no command has %q:\n%s", text, want, all.String())
		}
	}
}
