package triage

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Run judges the evidence in these steps. Each rule makes claims, and claims become statements in a graph (newGraph). The graph
// ranks causes and links effects to them. Findings are made of what is left, and the verdict follows from findings and symptoms.
func Run(in Input) *Report { return Judge(in).Report() }

// Judged is what the rules found in the evidence. It makes a report about everything, and reports about nodes, which cost less than
// to judge again.
type Judged struct {
	in    Input
	said  Outcome
	graph *graph
	// The same in every report:
	missing []NotChecked // what no rule could check
	cohorts []Cohort     // of all nodes
}

// Judge runs the rules.
func Judge(in Input) *Judged {
	if in.Now.IsZero() {
		in.Now = in.Snapshot.TakenAt()
	}
	if len(in.Nodes) == 0 {
		in.Nodes = in.Snapshot.Source().Nodes() // findings on other objects are out of scope
	}
	in.ends, in.doubts = map[*evidence.Match]endOf{}, map[*evidence.Match][]*Doubt{}
	var all Outcome
	skipped := map[evidence.Kind][]string{}
	for _, r := range in.Rulebook.Rules {
		o := Apply(in, r)
		for _, k := range o.Missing {
			if k.OfAPI() { // every cluster has it, so its absence is a gap
				skipped[k] = append(skipped[k], r.ID)
			}
		}
		all.Claims = append(all.Claims, o.Claims...)
		if !r.overlooks(in.Snapshot) {
			all.RuledOut = append(all.RuledOut, o.RuledOut...)
		}
		all.Unknown = append(all.Unknown, o.Unknown...)
		all.Pairs = append(all.Pairs, o.Pairs...)
		all.Over = append(all.Over, o.Over...)
	}
	followed(in, &all)
	g := newGraph(in, all)
	return &Judged{
		in: in, said: all, graph: g, missing: g.around.completed(notChecked(in.Snapshot, all.Unknown, skipped)),
		cohorts: append(slices.Clone(g.cohorts), Alone(in.Snapshot, g.cohorts)...),
	}
}

// Report returns the report about the nodes; without nodes, about those of the Input. It is that of Run with these nodes in the
// Input, but Ignored lists the exceptions of everything that was judged.
func (j *Judged) Report(nodes ...string) *Report {
	in, graph := j.in, *j.graph
	if len(nodes) > 0 {
		in.Nodes = nodes
	}
	graph.in = in
	return graph.report(j)
}

// report makes the report from the graph.
func (g *graph) report(j *Judged) *Report {
	in := g.in
	report := &Report{
		APIVersion: evidence.APIVersion,
		Kind:       "Report",
		Source:     in.Snapshot.Source().String(),
		Findings:   g.findings(),
		Symptoms:   g.symptoms(),
		RuledOut:   ruledOut(j.said.RuledOut, g),
		NotChecked: slices.Clone(j.missing),
		Cohorts:    cohortsOf(in, slices.Clone(j.cohorts)),
		Over:       g.over(j.said.Over),
		Ignored:    g.ignored,
		Knowledge:  in.Knowledge,
	}
	if in.Filter != nil {
		filter := *in.Filter
		filter.LeftOut = g.leftOut
		report.Filter = &filter
	}
	if !in.Now.IsZero() {
		report.TakenAt = &in.Now
	}
	// What is not checked depends on the findings. Groups, impact, what stands out and at last the verdict read the findings with
	// their final evidence, and so they follow in this order.
	report.NotChecked = append(report.NotChecked, notInside(in, report.Findings)...)
	report.NotChecked = append(report.NotChecked, kubeletsNotQueried(in.Snapshot)...)
	report.NotChecked = append(report.NotChecked, otherPlaces(in, report)...)
	report.NotChecked = append(g.whichNode(report), report.NotChecked...) // the node may reveal the cause
	lastWords(report.Findings, in)
	report.Groups = g.groups(report.Findings, report.Symptoms)
	report.Waiting = waitingPods(in, report.Findings)
	report.ChangedBefore = changedBefore(in.Snapshot, report.Findings)
	report.Apart = apart(in, report)
	report.Impact = impactOf(in, report.Findings)
	report.StandsOut = standsOut(report, in)
	report.ReadInPart = kindsOf(in.Snapshot.Incomplete(restsOn(in.Rulebook.Rules)...))
	report.Verdict = verdict(report, in.Snapshot, in.Catalog)
	report.Filtered = report.HidesAll()
	if in.Trace != nil {
		in.Trace.statements(g, report)
		in.Trace.unread(in)
		report.Trace = in.Trace
	}
	return report
}

// notInside returns a gap for each selected node that has no node report and no likely finding.
func notInside(in Input, findings []Finding) []NotChecked {
	var out []NotChecked
	for _, name := range in.Nodes {
		known := slices.ContainsFunc(findings, func(f Finding) bool { return f.Certainty != Possible && f.on(evidence.NodeSubject(name)) })
		inside := slices.ContainsFunc(in.Snapshot.Reports(name), func(r *nodereport.Report) bool { return r.Kind == nodereport.Kind })
		if !known && !inside {
			out = append(out, NotChecked{
				What: "processes, disks, network and clock of node " + name, Why: "no node-check report of it was read",
				How: "on the node: nodetriage node-check",
			})
		}
	}
	return out
}

// otherPlaces returns a gap for each symptom whose only explanation is possible and whose page lists more checks.
func otherPlaces(in Input, r *Report) []NotChecked {
	var out []NotChecked
	for _, s := range r.Symptoms {
		known := in.Catalog.Symptom(s.ID)
		only := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Cause == s.ExplainedBy && f.Certainty == Possible })
		if known == nil || len(known.Checks) == 0 || only < 0 {
			continue
		}
		n := NotChecked{What: "other possible causes of: " + known.Title, Why: s.ExplainedBy + " is only possible", How: shell.Format("all checks, in order: nodetriage explain {id}", s.ID)}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// kubeletsNotQueried returns the gap that output of kubectl get leaves: it does not query kubelets. A kubelet that the API server cannot
// reach, or that only renews its lease, looks healthy there.
func kubeletsNotQueried(s *evidence.Snapshot) []NotChecked {
	whole := slices.ContainsFunc(s.Nodes(), func(n *evidence.Node) bool { return !n.Partial })
	if !whole || s.Covers(evidence.Kubelets) != evidence.NotRead || s.Source().Kind == "cluster" {
		return nil
	}
	name := ""
	if len(s.Nodes()) == 1 {
		name = s.Nodes()[0].Name
	}
	return []NotChecked{{
		What: "kubelet health (port 10250)", Why: "not in saved objects",
		How: shell.Format("nodetriage diagnose on the cluster, or kubectl get --raw /api/v1/nodes/{node}/proxy/healthz", name),
	}}
}

// cohortsOf returns the cohorts that contain a selected node.
func cohortsOf(in Input, all []Cohort) []Cohort {
	if len(in.Nodes) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(c Cohort) bool {
		return !slices.ContainsFunc(in.Nodes, func(name string) bool { return slices.Contains(c.Nodes, name) })
	})
}

// ruledOut drops causes that another rule found, and sorts the rest.
func ruledOut(list []RuledOut, g *graph) []RuledOut {
	out := []RuledOut{}
	seen := map[RuledOut]bool{}
	for _, r := range list {
		r.rule = ""
		if !seen[r] && !g.holds(r.Cause, r.Subject) && g.in.inScope(placeOf(g.in.Snapshot, r.Subject)) {
			out = append(out, r)
		}
		seen[r] = true
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Cause < out[j].Cause })
	return out
}

// lesser sorts gaps that can change the verdict before the others.
func lesser(g evidence.Gap) int {
	if g.Kind == "" {
		return 1
	}
	return 0
}

// notChecked joins the gaps, what rules could not check, and the rules that could not run.
func notChecked(s *evidence.Snapshot, unknown []NotChecked, skipped map[evidence.Kind][]string) []NotChecked {
	out := []NotChecked{}
	seen := map[NotChecked]bool{}
	add := func(n NotChecked) {
		if !seen[n] {
			out = append(out, n)
		}
		seen[n] = true
	}
	gaps := slices.Clone(s.Gaps())
	slices.SortStableFunc(gaps, func(a, b evidence.Gap) int { return cmp.Compare(lesser(a), lesser(b)) })
	for _, n := range asNotChecked(gaps) {
		add(n)
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
		if len(s.Incomplete(evidence.Kind(k))) > 0 || slices.ContainsFunc(gaps, func(g evidence.Gap) bool { return g.What == k }) {
			continue // the gap gives the reason
		}
		needed := slices.Sorted(slices.Values(skipped[evidence.Kind(k)]))
		add(NotChecked{
			What: k,
			Why:  fmt.Sprintf("not in the evidence; required by %s", strings.Join(needed, ", ")),
			How:  shell.Format("kubectl get {kind} -A -o json, or run nodetriage against the cluster", evidence.Kind(k).Resources()),
			Kind: evidence.Kind(k),
		})
	}
	return out
}
