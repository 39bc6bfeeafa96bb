package metrics

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// findings counts the nodes that have a cause.
func findings(j *engine.Judgement) []sample {
	counts := counter{}
	for _, f := range j.Report.Findings {
		for pool, nodes := range poolsOf(j.Snapshot, f) {
			counts.add(float64(max(nodes, 1)), f.Cause, string(f.Certainty), string(f.Severity), pool)
		}
	}
	return counts.samples()
}

// findingAges returns the age of the oldest finding of each cause. A finding whose start is unknown has none.
func findingAges(j *engine.Judgement) []sample {
	ages := counter{}
	for _, f := range j.Report.Findings {
		if f.Since == nil {
			continue
		}
		for pool := range poolsOf(j.Snapshot, f) {
			ages.most(j.At.Sub(*f.Since).Seconds(), f.Cause, pool)
		}
	}
	return ages.samples()
}

// poolsOf counts the nodes of a finding by pool. A finding without nodes has the pool "" with none.
func poolsOf(s *evidence.Snapshot, f triage.Finding) map[string]int {
	seen, pools := map[string]bool{}, map[string]int{}
	for _, about := range slices.Concat(f.Subjects, f.LikelyOn) {
		name := s.NodeOf(about)
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		pool := ""
		if n := s.Node(name); n != nil {
			pool = n.Pool()
		}
		pools[pool]++
	}
	if len(pools) == 0 {
		pools[""] = 0
	}
	return pools
}

// evidenceGaps counts what could not be checked.
func evidenceGaps(j *engine.Judgement) []sample {
	counts := counter{}
	for _, n := range j.Report.NotChecked {
		counts.add(1, cmp.Or(string(n.Kind), "other"))
	}
	return counts.samples()
}

// drainBlocked counts the pods of all findings about a blocked drain.
func drainBlocked(j *engine.Judgement) []sample {
	counts := counter{}
	for _, f := range j.Report.Findings {
		reason, blocks := strings.CutPrefix(f.Cause, "drain-blocked-")
		if !blocks {
			continue
		}
		counts.add(0, reason)
		for _, about := range f.Subjects {
			if about.Kind == "Pod" {
				counts.add(1, reason)
			}
		}
	}
	return counts.samples()
}
