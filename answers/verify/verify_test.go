package verify_test

import (
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

var now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// well is a healthy node after its fix: everything was read.
func well() evidence.Data {
	condition := func(typ corev1.NodeConditionType, status corev1.ConditionStatus) corev1.NodeCondition {
		return corev1.NodeCondition{Type: typ, Status: status, LastTransitionTime: metav1.NewTime(now.Add(-5 * time.Minute))}
	}
	return evidence.Data{
		TakenAt:  now,
		Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Partial, evidence.Leases: evidence.Partial, evidence.Pods: evidence.Complete, evidence.Events: evidence.Partial},
		Nodes: []*evidence.Node{{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "w"}, Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
			condition(corev1.NodeReady, corev1.ConditionTrue), condition(corev1.NodeMemoryPressure, corev1.ConditionFalse),
			condition(corev1.NodeDiskPressure, corev1.ConditionFalse), condition(corev1.NodePIDPressure, corev1.ConditionFalse),
		}}}}},
		Leases:   []*evidence.Lease{{Namespace: "kube-node-lease", Name: "w", Renewed: now.Add(-3 * time.Second), Duration: 40 * time.Second}},
		Pods:     []*evidence.Pod{{Namespace: "shop", Name: "web", Node: "w", Phase: corev1.PodRunning, Ready: evidence.True, Created: now.Add(-time.Hour)}},
		Kubelets: []*evidence.Kubelet{{Node: "w", Healthz: "ok"}},
		NodeReports: []*nodereport.Report{{
			Kind: nodereport.Kind, Node: "w", TakenAt: now, Logs: []nodereport.Log{{Source: "journal", Since: now.Add(-time.Hour)}},
		}},
	}
}

func judge(t *testing.T, d evidence.Data, edit func(*verify.Input)) *verify.Verification {
	t.Helper()
	cat, set := casetest.Builtin(t)
	in := verify.Input{Snapshot: evidence.New(d), Catalog: cat, Signatures: set, Rulebook: rules.All(), Node: "w"}
	if edit != nil {
		edit(&in)
	}
	return verify.Judge(in)
}

// One property at a time of a healthy node is changed. The matching step must report it, and the verdict follow the worst step.
func TestSteps(t *testing.T) {
	if v := judge(t, well(), nil); v.Verdict != verify.Clear || !v.Since.Equal(now.Add(-5*time.Minute)) {
		t.Fatalf("a node that is well is %s since %s: %+v", v.Verdict, v.Since, v.Steps)
	}
	hung := func(at time.Time) *evidence.Match {
		return &evidence.Match{Signature: "kubelet-pleg-unhealthy", Kind: evidence.TextLog, Subject: evidence.NodeSubject("w"), Count: 1, First: at, Last: at}
	}
	status := func(d *evidence.Data) *corev1.NodeStatus { return &d.Nodes[0].Node.Status }
	for _, c := range []struct {
		name, step string
		change     func(*evidence.Data)
		want       verify.Result
	}{
		{"not ready", "ready", func(d *evidence.Data) { status(d).Conditions[0].Status = corev1.ConditionFalse }, verify.NotClear},
		{"silent", "ready", func(d *evidence.Data) { status(d).Conditions[0].Status = corev1.ConditionUnknown }, verify.NotClear},
		{"pressure", "conditions", func(d *evidence.Data) { status(d).Conditions[2].Status = corev1.ConditionTrue }, verify.NotClear},
		{"pressure unknown", "conditions", func(d *evidence.Data) { status(d).Conditions[2].Status = corev1.ConditionUnknown }, verify.Unknown},
		{"pressure missing", "conditions", func(d *evidence.Data) { status(d).Conditions = status(d).Conditions[:3] }, verify.Unknown},
		{"taint of a fault", "taints", func(d *evidence.Data) {
			d.Nodes[0].Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}}
		}, verify.NotClear},
		{"taint of its pool", "taints", func(d *evidence.Data) {
			d.Nodes[0].Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
		}, verify.Clear},
		{"cordoned", "taints", func(d *evidence.Data) { d.Nodes[0].Spec.Unschedulable = true }, verify.Warning},
		{"old lease", "lease", func(d *evidence.Data) { d.Leases[0].Renewed = now.Add(-51 * time.Second) }, verify.NotClear},
		{"old lease of 1.31", "lease", func(d *evidence.Data) {
			d.Leases[0].Renewed, d.Server.Version = now.Add(-41*time.Second), "v1.31.2"
		}, verify.NotClear},
		{"late lease of an unknown version", "lease", func(d *evidence.Data) { d.Leases[0].Renewed = now.Add(-41 * time.Second) }, verify.Unknown},
		{"no lease", "lease", func(d *evidence.Data) { d.Leases = nil }, verify.Unknown},
		{"kubelet unwell", "kubelet", func(d *evidence.Data) { d.Kubelets[0].Healthz = "[-]syncloop failed" }, verify.NotClear},
		{"kubelet out of reach", "kubelet", func(d *evidence.Data) { d.Kubelets[0] = &evidence.Kubelet{Node: "w", Error: "timed out"} }, verify.NotClear},
		{"kubelet forbidden", "kubelet", func(d *evidence.Data) {
			d.Kubelets, d.Gaps = nil, []evidence.Gap{{What: "kubelet of node/w", Why: "forbidden: no"}}
		}, verify.Unknown},
		{"kubelet by itself", "kubelet", func(d *evidence.Data) {
			d.Kubelets, d.NodeReports[0].Kubelet = nil, &nodereport.Kubelet{Healthz: "ok"}
		}, verify.Clear},
		{"message after the fix", "journal", func(d *evidence.Data) { d.Matches = []*evidence.Match{hung(now.Add(-time.Minute))} }, verify.Warning},
		{"message before the fix", "journal", func(d *evidence.Data) { d.Matches = []*evidence.Match{hung(now.Add(-6 * time.Minute))} }, verify.Clear},
		{"message of another node", "journal", func(d *evidence.Data) {
			m := hung(now.Add(-time.Minute))
			m.Subject = evidence.NodeSubject("other")
			d.Matches = []*evidence.Match{m}
		}, verify.Clear},
		{"no log", "journal", func(d *evidence.Data) { d.NodeReports = nil }, verify.Unknown},
		{"log from before the fix", "journal", func(d *evidence.Data) { d.NodeReports[0].TakenAt = now.Add(-10 * time.Minute) }, verify.Unknown},
		{"log too short", "journal", func(d *evidence.Data) { d.NodeReports[0].Logs[0].Since = now.Add(-30 * time.Second) }, verify.Unknown},
		{"pod stuck", "pods", func(d *evidence.Data) { d.Pods[0].Ready = evidence.False }, verify.NotClear},
		{"pod young", "pods", func(d *evidence.Data) { d.Pods[0].Ready, d.Pods[0].Created = evidence.False, now.Add(-10*time.Second) }, verify.Unknown},
		{"pod crashes by itself", "pods", func(d *evidence.Data) {
			d.Pods[0].Ready, d.Pods[0].Containers = evidence.False, []evidence.Container{{Name: "web", State: "waiting", Reason: "CrashLoopBackOff"}}
		}, verify.Warning},
		{"pod does not end", "pods", func(d *evidence.Data) { d.Pods[0].Deleted, d.Pods[0].Grace = now.Add(-5*time.Minute), 30 }, verify.NotClear},
		{"pod known by name alone", "pods", func(d *evidence.Data) {
			d.Pods[0] = &evidence.Pod{Namespace: "shop", Name: "web", Node: "w", Partial: true}
		}, verify.Unknown},
		{"pods not read", "pods", func(d *evidence.Data) { d.Coverage[evidence.Pods] = evidence.NotRead }, verify.Unknown},
		{"pods read in part", "pods", func(d *evidence.Data) { d.Coverage[evidence.Pods] = evidence.Partial }, verify.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := well()
			c.change(&d)
			v := judge(t, d, nil)
			for _, s := range v.Steps {
				if s.ID == c.step && s.Result != c.want {
					t.Errorf("%s is %s (%s), want %s", s.ID, s.Result, s.Detail, c.want)
				}
			}
			if c.want != verify.Clear && v.Verdict == verify.Clear {
				t.Error("the verdict is clear all the same")
			}
		})
	}
}

// The step of the pods names the command for the first pod that is not as it should be.
func TestNamesTheStuckPod(t *testing.T) {
	d := well()
	d.Pods[0].Ready = evidence.False
	for _, s := range judge(t, d, nil).Steps {
		if want := shell.Text("nodetriage why pod/web -n shop"); s.ID == "pods" && s.How != want {
			t.Errorf("got %q, want %q", s.How, want)
		}
	}
}

// A cause that depends on the node's report needs a report from after the fix to be gone.
func TestBefore(t *testing.T) {
	before := &triage.Report{Kind: "Report", Findings: []triage.Finding{
		{Cause: "inode-exhaustion", Severity: catalog.Critical, Subject: evidence.NodeSubject("w"), Rules: []string{"report-filesystems"}},
		{Cause: "disk-pressure", Severity: catalog.Critical, Subject: evidence.NodeSubject("other"), Rules: []string{"disk-pressure"}},
	}}
	with := func(in *verify.Input) { in.Before = before }
	if v := judge(t, well(), with); v.Verdict != verify.Clear || len(v.Comparison.Changes) != 1 || v.Comparison.Changes[0].Now != triage.Gone {
		t.Errorf("with a new report: %s %+v", v.Verdict, v.Comparison.Changes)
	}
	d := well()
	d.NodeReports[0].TakenAt = now.Add(-time.Hour)
	if v := judge(t, d, with); v.Comparison.Changes[0].Now != triage.Unseen || v.Verdict != verify.Unknown {
		t.Errorf("with an old report: %s %+v", v.Verdict, v.Comparison.Changes)
	}
}

// Missing evidence proves nothing, and is not a failure.
func TestEmpty(t *testing.T) {
	if v := judge(t, evidence.Data{}, nil); v.Verdict != verify.Unknown || v.Since != nil || v.TakenAt != nil {
		t.Errorf("got %+v", v)
	}
}

// A fix often ends with a start of the kubelet. What every healthy start prints (recorded in the lab) is not a problem, and the
// same messages later are.
func TestHealthyStart(t *testing.T) {
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile("testdata/kubelet-start.log")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		more string
		want verify.Result
	}{
		"a start":                 {"", verify.Clear},
		"and a relist that hangs": {`E1121 09:58:40.651033     118 kubelet.go:2646] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s"` + "\n", verify.NotClear},
	} {
		t.Run(name, func(t *testing.T) {
			tallies, err := set.Scan(strings.NewReader(string(log)+test.more), signatures.Options{Kind: evidence.TextLog, Ref: now})
			if err != nil || len(tallies) < 4 {
				t.Fatalf("%d signatures recognise the log: nothing is proven; %v", len(tallies), err)
			}
			d := well()
			for _, y := range tallies {
				d.Matches = append(d.Matches, &evidence.Match{
					Signature: y.Signature.ID, Kind: evidence.TextLog, Subject: evidence.NodeSubject("w"), Count: y.Count,
					First: now.Add(-2 * time.Minute), Last: now.Add(-time.Minute), LastText: y.LastText, Ref: evidence.Ref{Text: y.Text},
				})
			}
			for _, s := range judge(t, d, func(in *verify.Input) { in.Since = now.Add(-5 * time.Minute) }).Steps {
				if s.ID == "journal" && s.Result != test.want {
					t.Errorf("the journal is %s: %s", s.Result, s.Detail)
				}
			}
		})
	}
}

// A node that was uncordoned after the check is no longer cordoned. Other steps do not change.
func TestOpened(t *testing.T) {
	v := &verify.Verification{}
	v.Add(verify.Step{ID: "taints", Title: "taints", Result: verify.Warning, Detail: "the node is still cordoned", How: "kubectl uncordon w1"}, verify.Step{ID: "journal", Result: verify.Clear})
	if v.Opened(); v.Verdict != verify.Clear || len(v.Steps) != 2 || v.Steps[0].How != "" || v.Steps[0].Title != "taints" {
		t.Errorf("%+v", v)
	}
	v = &verify.Verification{}
	v.Add(verify.Step{ID: "taints", Title: "taints", Result: verify.NotClear, Detail: "disk-pressure:NoSchedule"})
	if v.Opened(); v.Verdict != verify.NotClear || v.Steps[0].Detail != "disk-pressure:NoSchedule" {
		t.Errorf("%+v", v)
	}
}
