package triage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Each unknown name of a fix has a source: a command that prints it, with the rule that selects the value, the check above, or a
// rule by which a person chooses.
func TestSourcesOfNames(t *testing.T) {
	t.Parallel()
	for cause, want := range map[string][]string{
		"kernel-bug":                 {"kubectl get nodes # on: workstation; prints <node>: the machine of these messages", "kubectl get nodes # prints <node>: the machine of these messages"},
		"cni-agent-crash":            {"# the check above prints <agent-namespace>, <agent-pod>: the one on the node"},
		"volume-attach-failed":       {"kubectl get volumeattachments # prints <attachment>: the one of the volume", "grep pvc-1a48 # prints <attachment>"},
		"container-memory-limit-oom": {"# choose <memory>: more than the container uses"},
		"scheduling-constraints":     {"--field-selector status.phase=Pending # prints <pod>, <namespace>"},
	} {
		said := claim(cause, triage.Likely, evidence.Subject{})
		said.Evidence = []evidence.Ref{{Source: "log", Text: `MountVolume.WaitForAttach failed for volume "pvc-1a48" : rpc error`}}
		f := judge(t, evidence.New(evidence.Data{}), said).Findings[0]
		var all []string
		for _, r := range f.Remedies {
			all = append(all, shell.Strings(r.Commands)...)
		}
		found := func(part string) bool {
			return slices.ContainsFunc(all, func(c string) bool { return strings.Contains(c, part) })
		}
		if !slices.ContainsFunc(want, found) {
			t.Errorf("%s: no command contains one of %q:\n%s", cause, want, strings.Join(all, "\n"))
		}
	}
}

// A page's command that prints a name is left out if the evidence shows the name.
func TestKnownNamesNeedNoSource(t *testing.T) {
	t.Parallel()
	said := claim("scheduling-constraints", triage.Likely, evidence.Subject{Kind: "Pod", Namespace: "shop", Name: "web-0"})
	f := judge(t, evidence.New(evidence.Data{}), said).Findings[0]
	if got := f.Remedies[0].Commands; !slices.Equal(got, []shell.Text{"nodetriage why web-0 -n shop"}) {
		t.Errorf("%q", got)
	}
}
