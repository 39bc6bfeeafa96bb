package triage

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
)

// Input is everything that a report depends on.
type Input struct {
	Snapshot   *evidence.Snapshot
	Catalog    *catalog.Catalog
	Signatures *signatures.Set
	Rules      []*Rule
	// Now is the time to judge by; zero means when the evidence was taken.
	Now time.Time
}

// Run judges the evidence.
func Run(in Input) *Report {
	if in.Now.IsZero() {
		in.Now = in.Snapshot.TakenAt()
	}
	var claims []Claim
	var ruled []RuledOut
	var unknown []NotChecked
	skipped := map[evidence.Kind][]string{}
	for _, r := range in.Rules {
		missing := false
		for _, k := range r.Needs {
			if in.Snapshot.Covers(k) == evidence.NotRead {
				skipped[k] = append(skipped[k], r.ID)
				missing = true
			}
		}
		if missing {
			continue
		}
		r.Check(&Pass{
			Snapshot: in.Snapshot, Catalog: in.Catalog, Signatures: in.Signatures, Now: in.Now,
			rule: r, claims: &claims, ruled: &ruled, unknown: &unknown,
		})
	}
	g := newGraph(in, claims)
	report := &Report{
		APIVersion: "nodetriage.dev/v1alpha1",
		Kind:       "Report",
		Source:     in.Snapshot.Data().Source.String(),
		Findings:   g.findings(),
		Symptoms:   g.symptoms(),
		RuledOut:   ruledOut(ruled, g),
		NotChecked: notChecked(in.Snapshot, unknown, skipped),
		Cohorts:    Cohorts(in.Snapshot),
	}
	if t := in.Snapshot.TakenAt(); !t.IsZero() {
		report.TakenAt = &t
	}
	report.Verdict = verdict(report, in.Snapshot)
	return report
}

// ruledOut drops what was found after all and orders the rest.
func ruledOut(list []RuledOut, g *graph) []RuledOut {
	out := []RuledOut{}
	for _, r := range list {
		if !g.holds(r.Cause, r.Subject) && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Cause < out[j].Cause })
	return out
}

// notChecked joins gaps, what rules could not tell, and the rules that could not run at all.
func notChecked(s *evidence.Snapshot, unknown []NotChecked, skipped map[evidence.Kind][]string) []NotChecked {
	out := []NotChecked{}
	add := func(n NotChecked) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for _, g := range s.Data().Gaps {
		add(NotChecked{What: g.What, Why: g.Why, How: g.How})
	}
	for _, n := range unknown {
		add(n)
	}
	kinds := make([]string, 0, len(skipped))
	for k := range skipped {
		kinds = append(kinds, string(k))
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		if slices.ContainsFunc(s.Data().Gaps, func(g evidence.Gap) bool { return g.What == k }) {
			continue // the gap says why
		}
		add(NotChecked{
			What: k,
			Why:  fmt.Sprintf("the evidence has none; needed by %s", strings.Join(skipped[evidence.Kind(k)], ", ")),
			How:  "kubectl get " + k + " -A -o json, or run nodetriage against the cluster",
			Kind: evidence.Kind(k),
		})
	}
	return out
}

func verdict(r *Report, s *evidence.Snapshot) Verdict {
	v := Unclear
	if s.Covers(evidence.Nodes) != evidence.NotRead {
		v = Healthy
	}
	for _, f := range r.Findings {
		switch {
		case f.Severity.Rank() <= catalog.Error.Rank() && f.Confidence != Possible:
			return Broken
		case f.Severity != catalog.Info:
			v = Warn
		}
	}
	for _, sy := range r.Symptoms {
		switch sy.ID {
		case "node-not-ready", "node-silent":
			return Broken
		}
		if v == Healthy && sy.ExplainedBy == "" {
			v = Warn
		}
	}
	return v
}

// combine joins the weights of independent evidence: the strongest counts in full, the others close a part
// of the rest, so that many weak signs never make a certainty.
func combine(weights map[string]float64) float64 {
	list := slices.Sorted(maps.Values(weights)) // sorted: the same result at every run
	if len(list) == 0 {
		return 0
	}
	best := list[len(list)-1]
	rest := 1.0
	for _, w := range list[:len(list)-1] {
		rest *= 1 - w
	}
	return min(best+(1-best)*0.3*(1-rest), 0.99)
}

func confidence(score float64) Confidence {
	switch {
	case score >= 0.9:
		return Certain
	case score >= 0.6:
		return Likely
	}
	return Possible
}

func round(f float64) float64 { return math.Round(f*100) / 100 }
