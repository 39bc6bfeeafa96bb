package diagnosis_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/controller/diagnosis"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func node(name string) *evidence.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	return &evidence.Node{Node: n}
}

// cluster has the nodes n1 and n2, and the pods shop/a on n1 and shop/b on n2.
func cluster() *evidence.Snapshot {
	return evidence.New(evidence.Data{
		Nodes:    []*evidence.Node{node("n1"), node("n2")},
		Pods:     []*evidence.Pod{{Namespace: "shop", Name: "a", Node: "n1"}, {Namespace: "shop", Name: "b", Node: "n2"}},
		Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete, evidence.Pods: evidence.Complete},
	})
}

func finding(cause string, subjects ...evidence.Subject) triage.Finding {
	return triage.Finding{Cause: cause, Severity: catalog.Error, Certainty: triage.Certain, Subjects: subjects}
}

func of(t *testing.T, r *triage.Report) v1alpha1.NodeDiagnosisStatus {
	cat, _ := casetest.Builtin(t)
	at := noon
	r.TakenAt = &at
	return diagnosis.Of("n1", r, cluster(), cat)
}

func TestVerdict(t *testing.T) {
	n1, n2 := evidence.NodeSubject("n1"), evidence.NodeSubject("n2")
	podOnN1, podOnN2 := evidence.Subject{Kind: "Pod", Namespace: "shop", Name: "a"}, evidence.Subject{Kind: "Pod", Namespace: "shop", Name: "b"}
	wide := evidence.Subject{Kind: "Cluster"}
	mild := finding("a", n1)
	mild.Severity = catalog.Warning
	note := finding("a", n1)
	note.Severity = catalog.Info
	unsure := finding("a", n1)
	unsure.Certainty = triage.Possible
	effect := finding("effect", n1)
	effect.ExplainedBy = "root"
	together := finding("a", n2)
	together.LikelyOn = []evidence.Subject{n1}
	for name, c := range map[string]struct {
		report  triage.Report
		verdict v1alpha1.Verdict
		causes  string
	}{
		"nothing":                              {triage.Report{}, v1alpha1.VerdictClear, ""},
		"a cause on the node":                  {triage.Report{Findings: []triage.Finding{finding("a", n1)}}, v1alpha1.VerdictBroken, "a"},
		"a cause on a pod of the node":         {triage.Report{Findings: []triage.Finding{finding("a", podOnN1)}}, v1alpha1.VerdictBroken, "a"},
		"a cause on another node":              {triage.Report{Findings: []triage.Finding{finding("a", n2)}}, v1alpha1.VerdictClear, ""},
		"a cause on a pod of another node":     {triage.Report{Findings: []triage.Finding{finding("a", podOnN2)}}, v1alpha1.VerdictClear, ""},
		"a cause of the cluster alone":         {triage.Report{Findings: []triage.Finding{finding("root", wide)}}, v1alpha1.VerdictClear, ""},
		"a cause of the cluster with effect":   {triage.Report{Findings: []triage.Finding{finding("root", wide), effect}}, v1alpha1.VerdictBroken, "root effect"},
		"a warning":                            {triage.Report{Findings: []triage.Finding{mild}}, v1alpha1.VerdictWarning, "a"},
		"a note":                               {triage.Report{Findings: []triage.Finding{note}}, v1alpha1.VerdictClear, "a"},
		"a possible cause":                     {triage.Report{Findings: []triage.Finding{unsure}}, v1alpha1.VerdictWarning, "a"},
		"a node that failed with others":       {triage.Report{Findings: []triage.Finding{together}}, v1alpha1.VerdictBroken, "a"},
		"a symptom that stops the node":        {triage.Report{Symptoms: []triage.Symptom{{ID: "node-not-ready", Subject: n1}}}, v1alpha1.VerdictBroken, ""},
		"a symptom that stops another node":    {triage.Report{Symptoms: []triage.Symptom{{ID: "node-not-ready", Subject: n2}}}, v1alpha1.VerdictClear, ""},
		"a symptom that a wide cause explains": {triage.Report{Findings: []triage.Finding{finding("root", wide)}, Symptoms: []triage.Symptom{{ID: "pod-pending", Subject: n1, ExplainedBy: "root"}}}, v1alpha1.VerdictClear, "root"},
	} {
		got := of(t, &c.report)
		var causes []string
		for _, f := range got.Findings {
			causes = append(causes, f.Cause)
		}
		if got.Verdict != c.verdict || strings.Join(causes, " ") != c.causes {
			t.Errorf("%s: %s with %v, want %s with %q", name, got.Verdict, causes, c.verdict, c.causes)
		}
		if (got.Primary == nil) != (c.causes == "") {
			t.Errorf("%s: primary %v", name, got.Primary)
		}
	}
}

// A node that never reported its state is unknown.
func TestVerdictUnknown(t *testing.T) {
	cat, _ := casetest.Builtin(t)
	n := &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}}
	got := diagnosis.Of("n1", &triage.Report{TakenAt: &noon}, evidence.New(evidence.Data{Nodes: []*evidence.Node{n}}), cat)
	if got.Verdict != v1alpha1.VerdictUnknown || got.Pods != nil {
		t.Errorf("%s, pods %v", got.Verdict, got.Pods)
	}
}

// Passwords in evidence are not published.
func TestRedacted(t *testing.T) {
	one := finding("a", evidence.NodeSubject("n1"))
	one.Summary = "login with password=hunter2secret fails"
	one.Evidence = []evidence.Ref{{Source: "kubelet.log", Text: "Authorization: Bearer hunter2secrethunter2secret"}}
	text, err := json.Marshal(of(t, &triage.Report{Findings: []triage.Finding{one}}))
	if err != nil || strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), "login with") {
		t.Errorf("%s, %v", text, err)
	}
}

// FuzzBounds: a status of any report is within its bounds and has no characters that a terminal obeys.
func FuzzBounds(f *testing.F) {
	f.Add("kubelet: \x1b[31m\x00\xff", 40, 40)
	f.Add(strings.Repeat("<&>\x01", 400), 12, 12)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, text string, findings, parts int) {
		findings, parts = min(max(findings, 0), 60), min(max(parts, 0), 60)
		r := triage.Report{}
		shared, subject := map[string]string{}, evidence.NodeSubject("n1")
		for i := range findings {
			one := finding(fmt.Sprint("cause", i, text), subject)
			one.Title, one.Summary = text, text
			for j := range parts {
				one.Evidence = append(one.Evidence, evidence.Ref{Source: text, Locator: text, Text: "token: " + text, ObservedAt: noon})
				one.Explains = append(one.Explains, fmt.Sprint(j, text))
			}
			r.Findings = append(r.Findings, one)
			r.Over = append(r.Over, triage.Over{Cause: text, Subject: subject, EndedBy: text})
			r.RuledOut = append(r.RuledOut, triage.RuledOut{Cause: fmt.Sprint(i, text), Subject: subject})
			r.NotChecked = append(r.NotChecked, triage.NotChecked{What: text})
			r.Symptoms = append(r.Symptoms, triage.Symptom{ID: fmt.Sprint(i, text), Title: text, Subject: subject})
			shared[fmt.Sprint(i, text)] = text
		}
		r.Cohorts = []triage.Cohort{{Nodes: []string{"n1"}, Shared: shared}}
		got := of(t, &r)
		within(t, got)
		was := got
		was.Verdict = v1alpha1.VerdictWarning
		for range 6 { // a history of long verdicts
			next := diagnosis.Next(&was, got)
			was = next.Status
			was.Verdict = v1alpha1.VerdictBroken
			got.Verdict = v1alpha1.VerdictClear
			within(t, next.Status)
		}
	})
}

func within(t *testing.T, s v1alpha1.NodeDiagnosisStatus) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil || len(text) > diagnosis.MaxSize-2<<10 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for _, f := range s.Findings {
		for _, e := range f.Evidence {
			if len(e.Text) > 256 || strings.ContainsAny(e.Text, "\x00\x1b\n") {
				t.Errorf("evidence %q", e.Text)
			}
		}
		if len(f.Summary) > 512 || len(f.Title) > 128 || len(f.Cause) > 63 {
			t.Errorf("too long: %d, %d, %d", len(f.Summary), len(f.Title), len(f.Cause))
		}
	}
	for name, list := range map[string]struct{ have, most int }{
		"findings": {len(s.Findings), 8}, "over": {len(s.Over), 4}, "resolved": {len(s.Resolved), 4}, "ruledOut": {len(s.RuledOut), 32},
		"notChecked": {len(s.NotChecked), 8}, "symptoms": {len(s.Symptoms), 8},
	} {
		if list.have > list.most {
			t.Errorf("%d %s", list.have, name)
		}
	}
}

// The forecast counts the pods that the taints of the node evict later, with the interval.
func TestForecast(t *testing.T) {
	n, seconds := node("n1"), int64(300)
	added := metav1.NewTime(noon.Add(-time.Minute))
	n.Spec.Taints = []corev1.Taint{{Key: "example.com/broken", Effect: corev1.TaintEffectNoExecute, TimeAdded: &added}}
	pod := func(name string, tolerations ...corev1.Toleration) *evidence.Pod {
		return &evidence.Pod{Namespace: "shop", Name: name, Node: "n1", Spec: &corev1.PodSpec{Tolerations: tolerations}}
	}
	stays := corev1.Toleration{Operator: corev1.TolerationOpExists}
	a, b, soon := stays, stays, stays
	a.TolerationSeconds, b.TolerationSeconds, soon.TolerationSeconds = &seconds, new(int64(600)), new(int64(10))
	s := evidence.New(evidence.Data{Nodes: []*evidence.Node{n}, Pods: []*evidence.Pod{pod("a", a), pod("b", b), pod("past", soon), pod("stays", stays), {Namespace: "shop", Name: "unknown", Node: "n1"}}})
	cat, _ := casetest.Builtin(t)
	at := noon
	f := diagnosis.Of("n1", &triage.Report{TakenAt: &at}, s, cat).Forecast
	if f == nil || f.Pods != 2 || !f.From.Time.Equal(noon.Add(4*time.Minute)) || !f.To.Time.Equal(noon.Add(9*time.Minute)) {
		t.Errorf("%+v", f)
	}
	if f := of(t, &triage.Report{}).Forecast; f != nil {
		t.Errorf("without taints: %+v", f)
	}
}

// A judgement that rests on a part of the evidence has no cause that is only possible.
func TestLikely(t *testing.T) {
	unsure := finding("a", evidence.NodeSubject("n1"))
	unsure.Certainty = triage.Possible
	s := diagnosis.Likely(of(t, &triage.Report{Findings: []triage.Finding{unsure, finding("b", evidence.NodeSubject("n1"))}}))
	if s.Verdict != v1alpha1.VerdictBroken || len(s.Findings) != 1 || s.Primary.Cause != "b" {
		t.Errorf("%+v", s)
	}
}

// A published status that was read back from the API is equal, so nothing is written again.
func TestReadBack(t *testing.T) {
	now := status(noon, "broken", "a")
	now.Forecast = &v1alpha1.Forecast{What: "eviction", From: metav1.NewTime(noon.Add(time.Hour)), To: metav1.NewTime(noon.Add(time.Hour)), Pods: 1}
	text, err := json.Marshal(now)
	if err != nil {
		t.Fatal(err)
	}
	var back v1alpha1.NodeDiagnosisStatus
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	again := status(noon.Add(time.Minute), "broken", "a")
	again.Forecast = now.Forecast
	if u := diagnosis.Next(&back, again); u.Write {
		t.Errorf("written again: %+v", u.Status)
	}
}

func status(at time.Time, verdict v1alpha1.Verdict, causes ...string) v1alpha1.NodeDiagnosisStatus {
	s := v1alpha1.NodeDiagnosisStatus{Verdict: verdict, ObservedAt: new(metav1.NewTime(at))}
	for _, c := range causes {
		s.Findings = append(s.Findings, v1alpha1.Finding{CauseStatus: v1alpha1.CauseStatus{Cause: c, Certainty: "certain", Summary: at.String()}})
	}
	if len(causes) > 0 {
		s.Primary = &s.Findings[0].CauseStatus
	}
	s.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionEvidenceFresh, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonWatching, LastTransitionTime: metav1.NewTime(at)}}
	return s
}

// A status is published once, changes of text wait, and the object is removed a day after the node is clear.
func TestNext(t *testing.T) {
	later := func(d time.Duration) time.Time { return noon.Add(d) }
	if u := diagnosis.Next(nil, status(noon, "clear")); !reflect.DeepEqual(u, diagnosis.Update{}) {
		t.Errorf("a clear node gets an object: %+v", u)
	}
	u := diagnosis.Next(nil, status(noon, "broken", "a"))
	if !u.Write || !u.Changed || !u.Status.ChangedAt.Time.Equal(noon) {
		t.Fatalf("a broken node: %+v", u)
	}
	was := u.Status
	if u = diagnosis.Next(&was, status(later(time.Minute), "broken", "a")); u.Write || u.Changed {
		t.Errorf("nothing but a text changed: %+v", u)
	}
	if u = diagnosis.Next(&was, status(later(6*time.Minute), "broken", "a")); !u.Write || u.Changed || !u.Status.ChangedAt.Time.Equal(noon) {
		t.Errorf("the text is old: %+v", u)
	}
	if u = diagnosis.Next(&was, status(later(time.Minute), "broken", "a", "b")); !u.Write || u.Changed {
		t.Errorf("another finding: %+v", u)
	}
	if u = diagnosis.Next(&was, status(later(time.Minute), "broken", "b")); !u.Write || !u.Changed {
		t.Errorf("another first cause: %+v", u)
	}
	u = diagnosis.Next(&was, status(later(time.Hour), "clear"))
	if !u.Write || !u.Changed || len(u.Status.Resolved) != 1 {
		t.Fatalf("healed: %+v", u)
	}
	if r := u.Status.Resolved[0]; r.Primary.Cause != "a" || r.Verdict != "broken" || !r.Until.Time.Equal(later(time.Hour)) {
		t.Errorf("resolved %+v", r)
	}
	was = u.Status
	if u = diagnosis.Next(&was, status(later(24*time.Hour), "clear")); u.Write || u.Remove {
		t.Errorf("23 hours later: %+v", u)
	}
	if u = diagnosis.Next(&was, status(later(26*time.Hour), "clear")); !u.Remove {
		t.Errorf("25 hours later: %+v", u)
	}
	if u = diagnosis.Next(&was, status(later(26*time.Hour), "broken", "c")); !u.Changed || len(u.Status.Resolved) != 0 {
		t.Errorf("broken again: %+v", u)
	}
}

// While the evidence may be old the verdict stays, and the condition says so once.
func TestBlind(t *testing.T) {
	was := status(noon, "broken", "a")
	u := diagnosis.Blind(&was, v1alpha1.ReasonWatchInterrupted, "pods", noon.Add(time.Minute))
	if !u.Write || u.Changed || u.Status.Verdict != "broken" || u.Status.Conditions[0].Status != metav1.ConditionFalse {
		t.Fatalf("%+v", u)
	}
	was = u.Status
	if u = diagnosis.Blind(&was, v1alpha1.ReasonWatchInterrupted, "pods", noon.Add(2*time.Minute)); u.Write {
		t.Errorf("written again: %+v", u)
	}
	u = diagnosis.Next(&was, status(noon.Add(3*time.Minute), "broken", "a"))
	if !u.Write || u.Changed || u.Status.Conditions[0].Status != metav1.ConditionTrue {
		t.Errorf("seen again: %+v", u)
	}
}
