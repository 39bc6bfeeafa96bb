package triage_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

func TestVerdict(t *testing.T) {
	healthy := nodes(node("a", 0, nil))
	stale := node("b", 0, nil)
	stale.Node.Status.Conditions[0].LastHeartbeatTime.Time = now.Add(-20 * time.Minute)
	leased := evidence.New(evidence.Data{
		TakenAt: now, Nodes: []*evidence.Node{stale}, Coverage: healthy.Data().Coverage,
		Leases: []*evidence.Lease{{Namespace: corev1.NamespaceNodeLease, Name: "b", Renewed: now}},
	})
	tests := []struct {
		name   string
		s      *evidence.Snapshot
		claims []triage.Claim
		want   triage.Verdict
	}{
		{"nodes, and nothing wrong", healthy, nil, triage.Healthy},
		{"a node of which nothing was heard lately", nodes(node("a", 0, nil), stale), nil, triage.Unclear},
		{"a node of which nothing was heard lately, and a symptom", nodes(stale), []triage.Claim{claim("image-pull-failed", "", on("b"))}, triage.Warn},
		{"a node whose lease was read", leased, nil, triage.Healthy},
		{"nodes, and a remark", healthy, []triage.Claim{claim("upgrade-in-progress", triage.Likely, on("a"))}, triage.Healthy},
		{"nodes, and a mild cause", healthy, []triage.Claim{claim("cordon-left-behind", triage.Certain, on("a"))}, triage.Warn},
		{"nodes, and a grave possibility", healthy, []triage.Claim{claim("runtime-hung", triage.Possible, on("a"))}, triage.Warn},
		{"nodes, and a grave cause", healthy, []triage.Claim{claim("runtime-hung", triage.Likely, on("a"))}, triage.Broken},
		{"nodes, and a symptom that nothing explains", healthy, []triage.Claim{claim("image-pull-failed", "", on("a"))}, triage.Warn},
		{"a node that is not Ready, for whatever reason", nodes(node("a", time.Hour, nil)), []triage.Claim{claim("node-not-ready", "", on("a"))}, triage.Broken},
		{"a text with a grave cause", text(), []triage.Claim{claim("runtime-hung", triage.Likely, evidence.Subject{})}, triage.Broken},
		{"a text with a possibility", text(), []triage.Claim{claim("runtime-hung", triage.Possible, evidence.Subject{})}, triage.Warn},
		{"a text with a remark", text(), []triage.Claim{claim("no-fault-transient", triage.Likely, evidence.Subject{})}, triage.Unclear},
		{"a text with a symptom", text(), []triage.Claim{claim("deadline-exceeded", "", evidence.Subject{})}, triage.Unclear},
		{"a text in which nothing is recognised", text(), nil, triage.Unclear},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge(t, tt.s, tt.claims...).Verdict; got != tt.want {
				t.Errorf("the verdict is %s, want %s", got, tt.want)
			}
		})
	}
}

// A rule without its evidence does not run, and the report lists what was missing and which rule needs it.
func TestNotAsked(t *testing.T) {
	asked := false
	rule := &triage.Rule{ID: "needs-nodes", Doc: "wants nodes and finds none", Needs: []evidence.Kind{evidence.Nodes}, Check: func(*triage.Pass) { asked = true }}
	r := run(t, text(), rule)
	if asked {
		t.Error("the rule was asked without the nodes that it needs")
	}
	if len(r.NotChecked) != 1 || r.NotChecked[0].Kind != evidence.Nodes || r.NotChecked[0].How == "" {
		t.Errorf("not checked: %+v, want the nodes and how to get them", r.NotChecked)
	}
}

// A cause found on a related object is not ruled out, and no cause is ruled out twice.
func TestRuledOut(t *testing.T) {
	s := nodes(node("a", 0, nil), node("b", 0, nil))
	r := run(t, s, &triage.Rule{ID: "both", Doc: "finds on one node, rules out on both", Check: func(p *triage.Pass) {
		p.Found(claim("disk-pressure", triage.Likely, on("a")))
		for range 2 {
			p.RuleOut("disk-pressure", on("a"), "half full")
			p.RuleOut("disk-pressure", on("b"), "half full")
		}
	}})
	if len(r.RuledOut) != 1 || r.RuledOut[0].Subject != on("b") {
		t.Errorf("ruled out: %+v, want disk-pressure of b alone", r.RuledOut)
	}
}

func TestValidate(t *testing.T) {
	good := &triage.Rule{ID: "good-rule", Doc: "reads something and concludes something", Needs: []evidence.Kind{evidence.Nodes}, Check: func(*triage.Pass) {}}
	if err := triage.Validate([]*triage.Rule{good}); err != nil {
		t.Errorf("a good rule is refused: %v", err)
	}
	for name, bad := range map[string]*triage.Rule{
		"a number for an id": {ID: "rule-704", Doc: good.Doc, Needs: good.Needs, Check: good.Check},
		"no doc":             {ID: "no-doc", Needs: good.Needs, Check: good.Check},
		"no needs":           {ID: "no-needs", Doc: good.Doc, Check: good.Check},
		"an unknown need":    {ID: "unknown-need", Doc: good.Doc, Needs: []evidence.Kind{"nodse"}, Check: good.Check},
		"no check":           {ID: "no-check", Doc: good.Doc, Needs: good.Needs},
		"listed twice":       good,
	} {
		if err := triage.Validate([]*triage.Rule{good, bad}); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
