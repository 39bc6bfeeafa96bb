package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// watched is an Observer of an in-memory cluster.
type watched struct {
	nodes    []*evidence.Node
	standing *cloud.Standing
	err      error // of the cloud
	asked    []cloud.Verb
	closely  []string
}

func (w *watched) snapshot() *evidence.Snapshot {
	return evidence.New(evidence.Data{TakenAt: repaired.Add(time.Minute), Nodes: w.nodes, Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete}})
}

func (w *watched) Cluster(context.Context) (*evidence.Snapshot, error)      { return w.snapshot(), nil }
func (w *watched) Node(context.Context, string) (*evidence.Snapshot, error) { return w.snapshot(), nil }

func (w *watched) Closely(_ context.Context, nodes []string) (*evidence.Snapshot, error) {
	w.closely = nodes
	return w.snapshot(), nil
}

func (w *watched) Inspect(_ context.Context, _ *evidence.Snapshot, verb cloud.Verb) (*cloud.Standing, error) {
	w.asked = append(w.asked, verb)
	return w.standing, w.err
}

var repaired = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func poolNode(name string, ready corev1.ConditionStatus, made time.Time) *evidence.Node {
	return &evidence.Node{Node: &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(made), Labels: map[string]string{"kubernetes.azure.com/agentpool": "np1"}},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}}},
	}}
}

func prove(t *testing.T, w *watched, p *Prover) Proof {
	t.Helper()
	known, set := casetest.Builtin(t)
	p.Observer, p.Judge = w, verify.Input{Catalog: known, Signatures: set}
	proof, err := p.Prove(t.Context(), &Pending{Begun: repaired, Done: repaired.Add(30 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

// Changed nodes and nodes that the change should fix are checked closely. Other nodes are checked by the API and the
// cloud.
func TestProveLooksCloselyWhereItMatters(t *testing.T) {
	w := &watched{standing: &cloud.Standing{Pool: &cloud.Unit{Name: "np1", Provisioning: "Succeeded", Count: 30, Capacity: 30}}}
	for i := range 30 {
		made := repaired.Add(-time.Hour)
		if i == 7 {
			made = repaired.Add(time.Second)
		}
		w.nodes = append(w.nodes, poolNode(fmt.Sprintf("n%02d", i), corev1.ConditionTrue, made))
	}
	before := &triage.Report{Findings: []triage.Finding{{Cause: "x", Subject: evidence.NodeSubject("n03")}}}
	proof := prove(t, w, &Prover{Action: cloud.Reconcile, Subject: evidence.Subject{Kind: "Pool", Name: "np1"}, Before: before})
	if len(proof.Missing) > 0 || !slices.Equal(w.closely, []string{"n03", "n07"}) || len(proof.Nodes) != 2 || len(proof.Others) != 28 {
		t.Errorf("missing %q, closely %q, %d nodes and %d others", proof.Missing, w.closely, len(proof.Nodes), len(proof.Others))
	}
}

// A missing cloud resource is reported without checking nodes.
func TestProveAsksTheCloudFirst(t *testing.T) {
	w := &watched{nodes: []*evidence.Node{poolNode("n0", corev1.ConditionTrue, repaired)}, standing: &cloud.Standing{Pool: &cloud.Unit{Name: "np1", Provisioning: "Failed"}}}
	proof := prove(t, w, &Prover{Action: cloud.AddPool, Subject: evidence.Subject{Kind: "Pool", Name: "np1"}, Count: 1})
	if !strings.Contains(strings.Join(proof.Missing, "; "), "its state in the cloud is Failed") || len(proof.Nodes)+len(proof.Others) > 0 {
		t.Errorf("%+v", proof)
	}
	if !slices.Equal(w.asked, []cloud.Verb{cloud.ScalePool}) {
		t.Errorf("a pool that was added is inspected as %q", w.asked)
	}
}

// A deleted pool is missing in the cloud, as intended; for any other change that is an error.
func TestProveGone(t *testing.T) {
	pool := evidence.Subject{Kind: "Pool", Name: "np1"}
	proof := prove(t, &watched{err: cloud.ErrMissing}, &Prover{Action: cloud.DeletePool, Subject: pool})
	if len(proof.Missing) > 0 {
		t.Errorf("%q", proof.Missing)
	}
	p := &Prover{Observer: &watched{err: cloud.ErrMissing}, Action: cloud.Reconcile, Subject: pool}
	if _, err := p.Prove(t.Context(), &Pending{}); err == nil {
		t.Error("a pool that is missing is reconciled")
	}
}

// Only the repaired node is judged.
func TestProveOneNode(t *testing.T) {
	w := &watched{nodes: []*evidence.Node{poolNode("n0", corev1.ConditionTrue, repaired.Add(-time.Hour)), poolNode("n1", corev1.ConditionFalse, repaired)},
		standing: &cloud.Standing{Pool: &cloud.Unit{Name: "np1", Provisioning: "Succeeded"}, Machine: &cloud.Machine{Provisioning: "Succeeded"}}}
	proof := prove(t, w, &Prover{Action: cloud.Reimage, Subject: evidence.NodeSubject("n0")})
	if len(proof.Missing) > 0 || len(proof.Nodes) != 1 || proof.Nodes[0].Node != "n0" || len(proof.Others) > 0 {
		t.Errorf("%+v", proof)
	}
}
