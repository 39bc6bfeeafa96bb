package verify

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Survey runs for many nodes the steps that use the API server and the cloud, with one run of the rules for all. Judge checks
// each kubelet, its log, and the pods. The Node of the input is ignored.
func Survey(in Input, nodes []string) []*Verification {
	if in.Now.IsZero() {
		in.Now = in.Snapshot.TakenAt()
	}
	report := triage.Run(triage.Input{
		Snapshot: since(in.Snapshot, in.Since), Catalog: in.Catalog, Signatures: in.Signatures, Rulebook: in.Rulebook, Now: in.Now, Nodes: nodes,
	})
	var out []*Verification
	pools := sizes(in.Snapshot)
	for _, name := range nodes {
		in.Node = name
		j := &judge{Input: in, node: in.Snapshot.Node(name), report: report, sizes: pools}
		v := j.verification()
		v.Findings = []triage.Finding{}
		for _, f := range report.Findings {
			if slices.ContainsFunc(append([]evidence.Subject{f.Subject}, f.Subjects...), j.ours) {
				v.Findings = append(v.Findings, f)
			}
		}
		for _, o := range report.Over {
			if j.ours(o.Subject) {
				v.Over = append(v.Over, o)
			}
		}
		for _, g := range report.Faults() {
			if slices.ContainsFunc(g.Subjects, j.ours) {
				v.Faults++
			}
		}
		v.Add(j.ready(), j.pressure(), j.taints(), j.lease())
		v.Add(j.cloud()...)
		v.Add(j.found(v.Findings))
		out = append(out, v)
	}
	return out
}

// found returns the step of the rules, from a report about many nodes.
func (j *judge) found(findings []triage.Finding) Step {
	s := Step{ID: "rules", Title: "rules", Result: Clear, Detail: "no findings"}
	if len(j.report.ReadInPart) > 0 && len(findings) == 0 {
		return j.readInPart(s)
	}
	if j.report.Verdict == triage.Unclear && len(findings) == 0 {
		return unseen(s.ID, s.Title, "not enough evidence", shell.Format("nodetriage diagnose {node}", j.Node))
	}
	var names []string
	for _, f := range findings {
		switch {
		case f.Severity == catalog.Info:
			continue
		case f.Grave():
			s.Result = NotClear
		case s.Result == Clear:
			s.Result = Warning
		}
		names = append(names, f.Cause)
	}
	if len(names) > 0 {
		s.Detail, s.How = "found: "+first(names), shell.Format("nodetriage diagnose {node}", j.Node)
	}
	return s
}
