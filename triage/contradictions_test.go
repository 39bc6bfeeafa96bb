package triage_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// A report does not contradict itself, even if the claims of rules do.
func TestReportNeverContradictsItself(t *testing.T) {
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var causes []string
	for _, c := range cat.Causes() {
		causes = append(causes, c.ID)
	}
	confidences := []triage.Certainty{triage.Certain, triage.Likely, triage.Possible}
	for seed := range uint64(2000) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		few := make([]string, 6) // with few causes, collisions are frequent
		for i := range few {
			few[i] = causes[rnd.IntN(len(causes))]
		}
		subjects := []evidence.Subject{on("a"), on("b"), evidence.PodSubject("shop", "web-0"), evidence.ClusterSubject(), {}}
		a := node("a", time.Duration(rnd.IntN(2))*time.Hour, nil)
		run(t, nodes(a, node("b", 0, nil)), &triage.Rule{ID: "chance", Doc: "says anything of anything", Check: func(p *triage.Pass) {
			for range rnd.IntN(12) {
				cause, subject := few[rnd.IntN(len(few))], subjects[rnd.IntN(len(subjects))]
				seen := now.Add(-time.Duration(rnd.IntN(120)) * time.Minute)
				switch rnd.IntN(3) {
				case 0:
					p.RuleOut(cause, subject, "it is not there")
				case 1:
					c := claim(cause, triage.Likely, subject)
					c.LastSeen = seen
					p.Over(c, "it ended", seen)
				default:
					c := claim(cause, confidences[rnd.IntN(len(confidences))], subject)
					c.LastSeen = seen
					p.Found(c)
				}
			}
		}})
		if t.Failed() {
			t.Fatalf("seed %d, causes %v", seed, slices.Compact(few))
		}
	}
}
