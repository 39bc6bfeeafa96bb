package triage_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// now is the time of the evidence in these tests.
var now = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// judge runs the report over claims that replace those of rules.
func judge(t testing.TB, s *evidence.Snapshot, claims ...triage.Claim) *triage.Report {
	t.Helper()
	return run(t, s, saying(claims))
}

// saying returns a rule that makes the claims of a test.
func saying(claims []triage.Claim, pairs ...triage.Pair) *triage.Rule {
	return &triage.Rule{ID: "claims", Doc: "says what the test wants said", Check: func(p *triage.Pass) {
		for _, c := range claims {
			p.Found(c)
		}
		for _, pair := range pairs {
			if pair.Follows {
				p.Follows(pair.First, pair.Then)
			} else {
				p.First(pair.First, pair.Then)
			}
		}
	}}
}

func run(t testing.TB, s *evidence.Snapshot, rules ...*triage.Rule) *triage.Report {
	t.Helper()
	cat, set := casetest.Builtin(t)
	r := triage.Run(triage.Input{Snapshot: s, Catalog: cat, Signatures: set, Rulebook: triage.Rulebook{Rules: rules}})
	for _, problem := range r.Contradictions() {
		t.Errorf("the report contradicts itself: %s", problem)
	}
	return r
}

// text returns evidence without objects, as from pasted text.
func text() *evidence.Snapshot { return evidence.New(evidence.Data{TakenAt: now}) }

// nodes returns evidence with these nodes.
func nodes(list ...*evidence.Node) *evidence.Snapshot {
	return evidence.New(evidence.Data{
		TakenAt: now, Nodes: list, Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete, evidence.Pods: evidence.Complete, evidence.Events: evidence.Complete},
	})
}

// node returns a node that is Ready, or has been NotReady for the duration down.
func node(name string, down time.Duration, labels map[string]string) *evidence.Node {
	ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(now.Add(-23 * time.Hour)), LastHeartbeatTime: metav1.NewTime(now.Add(-time.Minute))}
	if down > 0 {
		ready.Status, ready.LastTransitionTime = corev1.ConditionUnknown, metav1.NewTime(now.Add(-down))
	}
	return &evidence.Node{Node: &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{ready}},
	}}
}

func claim(says string, c triage.Certainty, on evidence.Subject) triage.Claim {
	return triage.Claim{Says: says, Certainty: c, Subject: on, Key: says, Summary: says + " on " + on.String()}
}

func on(name string) evidence.Subject { return evidence.NodeSubject(name) }

// causes returns the causes of the findings in order.
func causes(r *triage.Report) []string {
	out := []string{}
	for _, f := range r.Findings {
		out = append(out, f.Cause)
	}
	return out
}
