package capi

import (
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

func decoded(t *testing.T, text string) (cloud.Decoded, bool) {
	t.Helper()
	tree, _ := cloud.Tree(text).(map[string]any)
	return Decoder{}.Decode(tree, "x.json"), Decoder{}.Knows(tree)
}

// Invalid objects are decoded only as far as they match the API.
func TestOddObjects(t *testing.T) {
	const machine = `{"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine", "metadata": {"name": "m"}, `
	for _, c := range []struct {
		text      string
		known     bool
		resources int
		lines     int
	}{
		{`null`, false, 0, 0},
		{`{"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine"}`, true, 0, 0},
		{`{"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Cluster", "metadata": {"name": "c"}}`, false, 1, 0},
		{`{"apiVersion": "machine.openshift.io/v1beta1", "kind": "Machine", "metadata": {"name": "m"}}`, true, 1, 0},
		{`{"apiVersion": "machine.openshift.io/v1beta1", "kind": "MachineSet", "metadata": {"name": "m"}}`, false, 1, 0},
		{`{"apiVersion": "machine.openshift.io/v1beta1", "kind": "Machine", "metadata": {"name": "m"}, "status": {"errorReason": "InvalidConfiguration", "errorMessage": "no such image"}}`, true, 1, 1},
		{`{"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": "m"}, "status": {"nodeName": 7, "providerID": {}}}`, true, 1, 0},
		{`{"apiVersion": "infrastructure.cluster.x-k8s.io/v1", "kind": "AWSMachineTemplate", "metadata": {"name": "m"}}`, false, 1, 0},
		{`{"apiVersion": 7, "kind": [], "metadata": "m"}`, false, 0, 0},
		{machine + `"spec": 7, "status": []}`, true, 1, 0},
		{machine + `"status": {"conditions": [7, {}, {"type": 7}, {"type": "A", "status": "False", "lastTransitionTime": "soon"}, {"type": "A", "status": "False", "message": "a\nb"}]}}`, true, 1, 2},
		{machine + `"status": {"failureMessage": 7, "phase": {}}}`, true, 1, 0},
	} {
		d, known := decoded(t, c.text)
		if known != c.known || len(d.Resources) != c.resources || len(d.Lines) != c.lines || len(d.Lines) != len(d.Paths) {
			t.Errorf("%s: known %v, %d resources, lines %q", c.text, known, len(d.Resources), d.Lines)
		}
	}
}

func TestPower(t *testing.T) {
	for _, c := range []struct {
		status string
		want   evidence.CloudPower
	}{
		{`{"instanceState": "running"}`, evidence.PowerOn}, {`{"instanceState": "TERMINATED"}`, evidence.PowerOff}, {`{"instanceState": "terminated"}`, evidence.PowerEnded},
		{`{"vmState": "Succeeded"}`, evidence.PowerUnknown}, {`{"vmState": "Deleted"}`, evidence.PowerEnded}, {`{"phase": "Deleted"}`, evidence.PowerEnded}, {`{"phase": "Running"}`, evidence.PowerUnknown},
		{`{"conditions": [{"type": "InfrastructureReady", "status": "False", "reason": "InstanceStopped"}]}`, evidence.PowerOff},
		{`{"conditions": [{"type": "InfrastructureReady", "status": "True", "reason": "InstanceStopped"}]}`, evidence.PowerUnknown},
	} {
		d, _ := decoded(t, `{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine", "metadata": {"name": "m"}, "status": `+c.status+`}`)
		if got := d.Resources[0].(*evidence.CloudMachine).Up; got != c.want {
			t.Errorf("%s: %q, want %q", c.status, got, c.want)
		}
	}
}

func TestAwaitsNode(t *testing.T) {
	const machine, claim = `"cluster.x-k8s.io/v1beta1", "kind": "Machine"`, `"karpenter.sh/v1", "kind": "NodeClaim"`
	for _, c := range []struct {
		kind, more string
		want       evidence.Fact
	}{
		{machine, `"status": {"phase": "Provisioned"}`, evidence.True},
		{machine, `"status": {"phase": "Pending"}`, evidence.True},
		{`"machine.openshift.io/v1beta1", "kind": "Machine"`, `"status": {"phase": "Provisioning"}`, evidence.True},
		{machine, `"status": {"phase": "Running", "nodeRef": {"name": "w1"}}`, evidence.Unknown},
		{machine, `"status": {"phase": "Failed", "failureMessage": "x"}`, evidence.Unknown},
		{machine, `"status": {"phase": "Deleting"}`, evidence.Unknown},
		{machine, `"spec": {}`, evidence.Unknown}, // a manifest
		{claim, `"status": {"providerID": "aws:///a/i-1"}`, evidence.True},
		{claim, `"status": {"nodeName": "w1"}`, evidence.Unknown},
		{`"infrastructure.cluster.x-k8s.io/v1beta1", "kind": "AWSMachine"`, `"status": {}`, evidence.Unknown},
	} {
		d, _ := decoded(t, `{"apiVersion": `+c.kind+`, "metadata": {"name": "m"}, `+c.more+`}`)
		if got := d.Resources[0].(*evidence.CloudMachine).AwaitsNode; got != c.want {
			t.Errorf("%s %s: %s, want %s", c.kind, c.more, got, c.want)
		}
	}
}

// A pool has its settings under the names of both API versions.
func TestPool(t *testing.T) {
	for _, spec := range []string{
		`{"replicas": 3, "strategy": {"rollingUpdate": {"maxSurge": "20%", "maxUnavailable": 0}}, "template": {"spec": {"version": "v1.33.1", "nodeDrainTimeout": "10m0s"}}}`,
		`{"replicas": 3, "rollout": {"strategy": {"rollingUpdate": {"maxSurge": "20%", "maxUnavailable": 0}}}, "template": {"spec": {"version": "v1.33.1", "deletion": {"nodeDrainTimeoutSeconds": 600}}}}`,
	} {
		d, _ := decoded(t, `{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment", "metadata": {"name": "md", "annotations": {"cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "5", "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "1"}},
			"spec": `+spec+`, "status": {"phase": "Running"}}`)
		p := d.Resources[0].(*evidence.CloudPool)
		if p.Count.Value != 3 || p.Min.Value != 1 || p.Max.Value != 5 || p.Autoscaling != evidence.True || p.Version != "1.33.1" || p.MaxSurge != "20%" || p.MaxUnavailable != "0" || p.DrainTimeout.Minutes() != 10 || p.Stage != evidence.StageDone {
			t.Errorf("%s becomes %+v", spec, p)
		}
	}
}
