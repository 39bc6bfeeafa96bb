package survey

import (
	"errors"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Only complete reads prove absence. Every failure is recorded, once per reason, with a command as the fix.
func TestSettle(t *testing.T) {
	forbidden := func(resource string) error {
		return &kube.Error{Reason: kube.Forbidden, Verb: "list", Resource: resource, Message: `User "u" cannot list resource`}
	}
	hung := &kube.Error{Reason: kube.Timeout, Verb: "list", Resource: "pods"}
	left := int64(400)
	later := &kube.Error{Reason: kube.Timeout, Verb: "list", Resource: "pods", Rest: kube.Rest{Page: 3, Read: 1000, Left: &left}}
	cases := map[string]struct {
		outcomes []outcome
		coverage map[evidence.Kind]evidence.Coverage
		gaps     []evidence.Gap
	}{
		"everything was read": {
			outcomes: []outcome{{kind: evidence.Pods, some: true, all: true}, {kind: evidence.PDBs, all: true}},
			coverage: map[evidence.Kind]evidence.Coverage{evidence.Pods: evidence.Complete, evidence.PDBs: evidence.Complete},
		},
		"a list broke off": {
			outcomes: []outcome{{kind: evidence.Pods, what: "pods", some: true, err: hung}},
			coverage: map[evidence.Kind]evidence.Coverage{evidence.Pods: evidence.Partial},
			gaps:     []evidence.Gap{{What: "pods", Why: "timed out", How: "run again with a longer --request-timeout, or: kubectl get pods -A", Kind: evidence.Pods}},
		},
		"a page after the first failed": {
			outcomes: []outcome{{kind: evidence.Pods, what: "pods", some: true, err: later}},
			coverage: map[evidence.Kind]evidence.Coverage{evidence.Pods: evidence.Partial},
			gaps: []evidence.Gap{{What: "pods", Why: "read in part: page 3 failed, 1000 read, 400 remain: timed out",
				How: "run again with a longer --request-timeout, or: kubectl get pods -A", Kind: evidence.Pods}},
		},
		"a list is longer than is read": {
			outcomes: []outcome{{kind: evidence.PriorityClasses, what: "priorityclasses", some: true, ended: 2000}},
			coverage: map[evidence.Kind]evidence.Coverage{evidence.PriorityClasses: evidence.Partial},
			gaps: []evidence.Gap{{What: "priorityclasses", Why: "only the first 2000 were read",
				How: "kubectl get priorityclasses -A -o json", Kind: evidence.PriorityClasses}},
		},
		"nothing of a kind is allowed": {
			outcomes: []outcome{
				{kind: evidence.Workloads, what: "deployments", err: forbidden("deployments.apps")},
				{kind: evidence.Workloads, what: "jobs", err: forbidden("jobs.batch")},
			},
			coverage: map[evidence.Kind]evidence.Coverage{evidence.Workloads: evidence.NotRead},
			gaps: []evidence.Gap{{What: "workloads", Why: `forbidden: User "u" cannot list resource`,
				How: "allow it: kubectl create clusterrole nodetriage-read --verb=list --resource=deployments.apps,jobs.batch, and bind it to this user (kubectl auth can-i list deployments.apps -A tells)", Kind: evidence.Workloads}},
		},
		"a part of a kind is allowed": {
			outcomes: []outcome{
				{kind: evidence.Workloads, what: "deployments", some: true, all: true},
				{kind: evidence.Workloads, what: "jobs", err: forbidden("jobs.batch")},
			},
			coverage: map[evidence.Kind]evidence.Coverage{evidence.Workloads: evidence.Partial},
			gaps: []evidence.Gap{{What: "jobs", Why: `forbidden: User "u" cannot list resource`,
				How: "allow it: kubectl create clusterrole nodetriage-read --verb=list --resource=jobs.batch, and bind it to this user (kubectl auth can-i list jobs.batch -A tells)", Kind: evidence.Workloads}},
		},
		"a failure beside the scope": {
			outcomes: []outcome{{kind: evidence.Pods, some: true, all: true}, {kind: evidence.Pods, what: "pods in kube-system", err: errors.New("odd"), aside: true}},
			coverage: map[evidence.Kind]evidence.Coverage{evidence.Pods: evidence.Complete},
			gaps:     []evidence.Gap{{What: "pods in kube-system", Why: "odd"}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := collect.NewBuilder(evidence.Source{}, nil)
			s := newSurvey(nil, b, Options{})
			for _, o := range c.outcomes {
				s.note(o)
			}
			s.settle()
			var d *evidence.Data
			b.Edit(func(data *evidence.Data, _ *evidence.Templates) { d = data })
			for k, want := range c.coverage {
				if got := d.Coverage[k]; got != want {
					t.Errorf("coverage of %s is %v, want %v", k, got, want)
				}
			}
			if !slices.Equal(d.Gaps, c.gaps) {
				t.Errorf("gaps are %+v\nwant %+v", d.Gaps, c.gaps)
			}
		})
	}
}

// Nodes that can still be probed come before unreachable ones. Healthy nodes and unknown conditions are skipped.
func TestOddNodes(t *testing.T) {
	now := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
	node := func(name string, ready corev1.ConditionStatus, more ...corev1.NodeCondition) *evidence.Node {
		return &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{
			Conditions: append([]corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}}, more...),
		}}}
	}
	lease := func(name string, ago time.Duration) *evidence.Lease {
		return &evidence.Lease{Namespace: corev1.NamespaceNodeLease, Name: name, Renewed: now.Add(-ago)}
	}
	d := &evidence.Data{
		Nodes: []*evidence.Node{
			node("well", corev1.ConditionTrue), node("vendor", corev1.ConditionTrue, corev1.NodeCondition{Type: "SomethingOfAVendor", Status: corev1.ConditionTrue}),
			node("full", corev1.ConditionTrue, corev1.NodeCondition{Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue}),
			node("late", corev1.ConditionTrue), node("silent", corev1.ConditionUnknown), node("b-down", corev1.ConditionFalse), node("a-down", corev1.ConditionFalse),
		},
		Leases: []*evidence.Lease{lease("well", 9*time.Second), lease("late", time.Minute), lease("full", time.Second)},
	}
	var got []string
	for _, n := range oddNodes(d, now) {
		got = append(got, n.Name)
	}
	if want := []string{"a-down", "b-down", "silent", "late", "full"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The attach-detach controller looks up VolumeAttachments by the same name.
func TestAttachmentName(t *testing.T) {
	driver, handle, ok := csiVolume("kubernetes.io/csi/disk.csi.azure.com^/subscriptions/s/disks/pvc-1")
	if !ok || driver != "disk.csi.azure.com" || handle != "/subscriptions/s/disks/pvc-1" {
		t.Fatalf("got %q %q %v", driver, handle, ok)
	}
	if _, _, ok := csiVolume("kubernetes.io/azure-disk/x"); ok {
		t.Error("took a volume without a CSI driver for one with")
	}
	const want = "csi-fdef298eb16db6fa42906ef1ff09a93a7f3028f8290cc9d71628ff91c237bfa7"
	if got := attachmentName("driver", "handle", "node"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
