package triage_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

func TestOrder(t *testing.T) {
	a, b := on("a"), on("b")
	tests := []struct {
		name   string
		claims []triage.Claim
		want   []string
	}{
		{"the root comes before what it brings about, however loud that is", []triage.Claim{
			claim("kubelet-crash-looping", triage.Certain, a), claim("swap-enabled", triage.Likely, a),
		}, []string{"swap-enabled", "kubelet-crash-looping"}},
		{"a mere possibility does not push a certainty down", []triage.Claim{
			claim("kubelet-crash-looping", triage.Certain, a), claim("swap-enabled", triage.Possible, a),
		}, []string{"kubelet-crash-looping", "swap-enabled"}},
		{"what happens on one node does not explain another node", []triage.Claim{
			claim("kubelet-crash-looping", triage.Certain, a), claim("swap-enabled", triage.Likely, b),
		}, []string{"kubelet-crash-looping", "swap-enabled"}},
		{"of equals the graver comes first", []triage.Claim{
			claim("cordon-left-behind", triage.Likely, a), claim("runtime-hung", triage.Likely, b),
		}, []string{"runtime-hung", "cordon-left-behind"}},
		{"a certain remark comes before a grave possibility", []triage.Claim{
			claim("network-partition", triage.Possible, a), claim("upgrade-in-progress", triage.Certain, b),
		}, []string{"upgrade-in-progress", "network-partition"}},
		{"what is over gives way to what is found on the node", []triage.Claim{
			claim("no-fault-transient", triage.Likely, a), claim("disk-pressure", triage.Possible, b),
		}, []string{"no-fault-transient", "disk-pressure"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := nodes(node("a", 0, nil), node("b", 0, nil))
			if got := causes(judge(t, s, tt.claims...)); !slices.Equal(got, tt.want) {
				t.Errorf("the order is %v, want %v", got, tt.want)
			}
		})
	}
}

// A cause that a rule ranks first comes before the other one, even if it is less certain or less severe. It explains the other only
// if it follows. A pair that contradicts the causal graph is ignored.
func TestPairs(t *testing.T) {
	a := on("a")
	claims := []triage.Claim{claim("provision-outbound-blocked", triage.Certain, a), claim("cloud-resource-locked", triage.Likely, a)}
	for _, c := range []struct {
		pair  triage.Pair
		first string
		by    string
	}{
		{triage.Pair{First: "cloud-resource-locked", Then: "provision-outbound-blocked"}, "cloud-resource-locked", ""},
		{triage.Pair{First: "cloud-resource-locked", Then: "provision-outbound-blocked", Follows: true}, "cloud-resource-locked", "cloud-resource-locked"},
		{triage.Pair{First: "cloud-resource-locked", Then: "cloud-quota-exceeded"}, "provision-outbound-blocked", ""},
	} {
		r := run(t, nodes(node("a", 0, nil)), saying(claims, c.pair))
		if len(r.Findings) != 2 || r.Findings[0].Cause != c.first || r.Findings[1].ExplainedBy != c.by {
			t.Errorf("%+v: found %v, the second by %q", c.pair, causes(r), r.Findings[1].ExplainedBy)
		}
	}
	possible := []triage.Claim{claims[0], claim("cloud-resource-locked", triage.Possible, a)}
	if r := run(t, nodes(node("a", 0, nil)), saying(possible, triage.Pair{First: "cloud-resource-locked", Then: "provision-outbound-blocked"})); r.Findings[0].Cause != "provision-outbound-blocked" {
		t.Errorf("a mere possibility was put first: %v", causes(r))
	}
	against := []triage.Claim{claim("kubelet-crash-looping", triage.Certain, a), claim("swap-enabled", triage.Likely, a)}
	if r := run(t, nodes(node("a", 0, nil)), saying(against, triage.Pair{First: "kubelet-crash-looping", Then: "swap-enabled"})); r.Findings[0].Cause != "swap-enabled" {
		t.Errorf("what follows was put first: %v", causes(r))
	}
}

// Independent claims add up within their certainty and never reach the next.
func TestSignsAddUp(t *testing.T) {
	for _, c := range []triage.Certainty{triage.Possible, triage.Likely} {
		var claims []triage.Claim
		for i := range 30 {
			one := claim("runtime-hung", c, on("a"))
			one.Key = fmt.Sprint(i)
			claims = append(claims, one)
		}
		alone := judge(t, text(), claims[0]).Findings[0]
		all := judge(t, text(), claims...).Findings[0]
		if all.Certainty != c || all.Score <= alone.Score {
			t.Errorf("30 %s signs make %s with score %v, one alone %v", c, all.Certainty, all.Score, alone.Score)
		}
	}
}

// For any claims in any order, the report is the same, symptoms are not findings, roots come before their effects, and nothing
// explains itself. A possible cause comes before a certain one only in three cases: it explains that one, it explains why a node
// does not work, or the certain one can only follow from it.
func TestAnyClaims(t *testing.T) {
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var says []string
	for _, c := range cat.Causes() {
		says = append(says, c.ID)
	}
	for _, s := range cat.Symptoms() {
		says = append(says, s.ID)
	}
	subjects := []evidence.Subject{
		{}, on("a"), on("b"), on("c"), evidence.ClusterSubject(), {Kind: "Zone", Name: "z1"}, {Kind: "Pool", Name: "p1"},
		evidence.PodSubject("shop", "web-1"), evidence.PodSubject("shop", "unknown"),
	}
	s := evidence.New(evidence.Data{
		TakenAt:  now,
		Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete, evidence.Pods: evidence.Complete, evidence.Events: evidence.Complete},
		Nodes: []*evidence.Node{
			node("a", 3*60e9, map[string]string{"topology.kubernetes.io/zone": "z1"}),
			node("b", 3*60e9, map[string]string{"topology.kubernetes.io/zone": "z1"}), node("c", 0, map[string]string{"agentpool": "p1"}),
		},
		Pods: []*evidence.Pod{{Namespace: "shop", Name: "web-1", Node: "a"}},
	})
	random := rand.New(rand.NewSource(1))
	for round := range 400 {
		var claims []triage.Claim
		for range 1 + random.Intn(25) {
			c := claim(says[random.Intn(len(says))], []triage.Certainty{triage.Certain, triage.Likely, triage.Possible}[random.Intn(3)], subjects[random.Intn(len(subjects))])
			c.Key = fmt.Sprint(random.Intn(3))
			c.Evidence = []evidence.Ref{{Source: "log", Locator: fmt.Sprint(random.Intn(9)), Text: "x"}}
			claims = append(claims, c)
		}
		var pairs []triage.Pair
		for range random.Intn(6) {
			pairs = append(pairs, triage.Pair{First: says[random.Intn(len(says))], Then: says[random.Intn(len(says))], Follows: random.Intn(2) == 0})
		}
		if len(claims) > 3 { // pairs of claimed causes, some in cycles
			pairs = append(pairs, triage.Pair{First: claims[0].Says, Then: claims[1].Says}, triage.Pair{First: claims[1].Says, Then: claims[2].Says, Follows: true}, triage.Pair{First: claims[2].Says, Then: claims[0].Says})
		}
		r := run(t, s, saying(claims, pairs...))
		lawful(t, cat, r)
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		random.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		if got, _ := json.Marshal(run(t, s, saying(claims, pairs...))); string(got) != string(want) {
			t.Fatalf("round %d: another order of the claims gives another report:\n%s\n%s", round, want, got)
		}
		if t.Failed() {
			t.Fatalf("round %d: %v", round, claims)
		}
	}
}

// explainsDeadNode reports whether a finding explains why a node does not work, or why pods do not start or stop there. Such a
// finding comes first, even if others are more certain.
func explainsDeadNode(f triage.Finding) bool {
	return slices.ContainsFunc(f.Explains, func(id string) bool {
		return id == "node-silent" || id == "node-not-ready" || id == "pods-not-starting" || id == "pods-not-stopping"
	})
}

func lawful(t *testing.T, cat *catalog.Catalog, r *triage.Report) {
	t.Helper()
	place := map[string]int{}
	for i, f := range r.Findings {
		place[f.Cause] = i
		if cat.Cause(f.Cause) == nil || cat.Symptom(f.Cause) != nil {
			t.Errorf("finding %s is no cause", f.Cause)
		}
	}
	for i, f := range r.Findings {
		for _, later := range r.Findings[i+1:] {
			behindRoot := later.ExplainedBy != "" && cat.Role(later.Cause) == catalog.Follows // it ranks behind its cause, even if it is more certain
			if f.Certainty == triage.Possible && later.Certainty == triage.Certain && !behindRoot && !cat.Explains(f.Cause, later.Cause) && !explainsDeadNode(f) {
				t.Errorf("%s is possible and stands before %s, which is certain and not explained by it", f.Cause, later.Cause)
			}
		}
		if f.ExplainedBy == "" {
			continue
		}
		if root, known := place[f.ExplainedBy]; !known || root >= i {
			t.Errorf("%s follows from %s, which does not stand before it", f.Cause, f.ExplainedBy)
		}
	}
	for _, s := range r.Symptoms {
		if _, known := place[s.ExplainedBy]; s.ExplainedBy != "" && !known {
			t.Errorf("symptom %s follows from %s, which was not found", s.ID, s.ExplainedBy)
		}
	}
}
