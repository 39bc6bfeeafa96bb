package report

import (
	"testing"

	"github.com/nodetriage/nodetriage/triage"
)

// Where no pod runs, an impact does not speak of running pods.
func TestWithoutRunning(t *testing.T) {
	for impact, want := range map[string]string{
		"the node is NotReady; no pod starts or stops on it; running pods continue":            "the node is NotReady; no pod starts or stops on it",
		"the node is NotReady; Services skip its pods; they are replaced after 5 min":          "the node is NotReady",
		"the node is NotReady until its kubelet reconnects; its pods are replaced after 5 min": "the node is NotReady until its kubelet reconnects",
		"the node is NotReady; its pods run but may be unreachable":                            "the node is NotReady",
		"the drain does not end; the pods keep running":                                        "the drain does not end",
		"running pods continue": "running pods continue",
		"the pod stays Pending": "the pod stays Pending",
	} {
		if got := withoutRunning(impact); got != want {
			t.Errorf("%q: %q, want %q", impact, got, want)
		}
	}
}

// A machine that has not joined has no pods that could be hurt. If nodes were read, the evidence is about a cluster.
func TestImpactOfANewMachine(t *testing.T) {
	const notReady = "the node is NotReady; Services skip its pods"
	saw := func(id string) []triage.Symptom { return []triage.Symptom{{ID: id}} }
	found := []triage.Finding{{Impact: notReady}}
	for name, c := range map[string]struct {
		report triage.Report
		impact string
		want   string
	}{
		"a registration that fails": {triage.Report{Findings: found, Symptoms: saw("node-not-registered")}, notReady, newMachines["node-not-registered"]},
		"another symptom":           {triage.Report{Findings: found, Symptoms: saw("node-silent")}, notReady, notReady},
		"another impact":            {triage.Report{Findings: found, Symptoms: saw("bootstrap-failed")}, "the disk is full", "the disk is full"},
		"nothing found":             {triage.Report{Symptoms: saw("bootstrap-failed")}, "", newMachines["bootstrap-failed"]},
		"nodes were read": {
			triage.Report{Findings: found, Symptoms: saw("node-never-came"), Impact: &triage.Impact{Nodes: []triage.NodeState{{State: "Ready", Count: 1}}}},
			notReady, notReady,
		},
	} {
		if got := ofNewMachine(&c.report, c.impact); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
