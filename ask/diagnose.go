package ask

import (
	"context"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/ignore"
	"github.com/nodetriage/nodetriage/wording"
)

// DiagnoseOptions are the options of Diagnose.
type DiagnoseOptions struct {
	// Nodes are the nodes to diagnose; empty means the whole cluster.
	Nodes []string
	// Filter selects the findings that are shown and counted. If nil, all are.
	Filter *triage.Filter
	// Exceptions lists accepted findings. Annotations of objects are added to it. If nil, only annotations apply.
	Exceptions *ignore.List
	// Trace adds to the report how each conclusion was reached.
	Trace bool
	// TraceOf limits the trace to one cause or symptom; empty means all.
	TraceOf string
}

// Diagnosis is a report and the evidence behind it.
type Diagnosis struct {
	Report   *triage.Report
	Snapshot *evidence.Snapshot
	At       time.Time // From.At
}

// Map returns the map of the nodes, with the findings of the report.
func (d *Diagnosis) Map() *nodes.Map { return nodes.New(d.Snapshot, d.Report, d.At) }

// Diagnose finds out why nodes are unhealthy.
func Diagnose(ctx context.Context, from From, opt DiagnoseOptions) (*Diagnosis, error) {
	if err := opt.check(from.Knowledge); err != nil {
		return nil, err
	}
	l, err := from.look(ctx, need{nodes: opt.Nodes, cloud: true, aliases: true})
	if err != nil {
		return nil, err
	}
	names := l.aliases(opt.Nodes)
	for _, name := range names {
		if missing(l.snapshot, name) {
			return nil, noNode(l.snapshot, name)
		}
	}
	if err := opt.applyFilter(l); err != nil {
		return nil, err
	}
	in := from.Knowledge.input(l.snapshot, from.At)
	in.Nodes, in.Filter = names, opt.Filter
	if opt.Trace || opt.TraceOf != "" {
		in.Trace = &triage.Trace{Messages: []triage.TracedMessage{}, Unread: []triage.TracedLine{}, Statements: []triage.TracedStatement{}}
	}
	list := from.Knowledge.excepted(opt.Exceptions, l.snapshot)
	if !list.Empty() {
		in.Except = func(cause string, on evidence.Subject) *triage.Exception { return list.For(l.now(), cause, on) }
	}
	r := triage.Run(in)
	if opt.TraceOf != "" {
		r.Trace = r.Trace.Only(opt.TraceOf)
	}
	r.ExceptionNotes = list.Notes(l.now())
	if len(names) == 0 { // others may be about nodes that were not asked about
		used := make([]triage.Exception, 0, len(r.Ignored))
		for _, i := range r.Ignored {
			used = append(used, i.Exception)
		}
		isCause := func(id string) bool { return from.Knowledge.Catalog.Cause(id) != nil }
		r.ExceptionNotes = append(r.ExceptionNotes, list.Unmatched(l.now(), isCause, used)...)
	}
	return &Diagnosis{Report: r, Snapshot: l.snapshot, At: from.At}, nil
}

// check rejects a trace or a filter that no evidence can match.
func (opt *DiagnoseOptions) check(k *Knowledge) error {
	if id := opt.TraceOf; id != "" && k.Catalog.Cause(id) == nil && k.Catalog.Symptom(id) == nil {
		return hintf(k.nearException(id), "unknown cause or symptom %q for --trace", id)
	}
	f := opt.Filter
	if f == nil {
		return nil
	}
	severities := []catalog.Severity{catalog.Critical, catalog.Error, catalog.Warning, catalog.Info}
	if f.Severity != "" && !slices.Contains(severities, f.Severity) {
		return hintf(wording.OneOf(string(f.Severity), severities), "invalid value %q for --severity", f.Severity)
	}
	certainties := []triage.Certainty{triage.Certain, triage.Likely, triage.Possible}
	if f.Certainty != "" && !slices.Contains(certainties, f.Certainty) {
		return hintf(wording.OneOf(string(f.Certainty), certainties), "invalid value %q for --certainty", f.Certainty)
	}
	for _, c := range f.Causes {
		if k.Catalog.Cause(c) == nil {
			return hintf(k.nearException(c), "unknown cause %q for --cause", c)
		}
	}
	return nil
}

// applyFilter replaces the names in the filter by those in the evidence. It rejects a filter that matches nothing there.
func (opt *DiagnoseOptions) applyFilter(l *look) error {
	if opt.Filter == nil {
		return nil
	}
	if err := checkPools(l.snapshot, opt.Filter.Pools); err != nil {
		return err
	}
	f := *opt.Filter
	f.Namespace = l.alias(f.Namespace)
	opt.Filter = &f
	return knownNamespace(l.snapshot, f.Namespace)
}

// checkPools rejects pools that have no node.
func checkPools(s *evidence.Snapshot, chosen []string) error {
	var pools []string
	for _, n := range s.Nodes() {
		if _, pool := n.PoolLabel(); pool != "" && !slices.Contains(pools, pool) {
			pools = append(pools, pool)
		}
	}
	for _, p := range chosen {
		inCloud := slices.ContainsFunc(evidence.CloudOf[*evidence.CloudPool](s.Data()), func(r *evidence.CloudPool) bool { return r.Name == p })
		switch {
		case len(pools) == 0 || slices.Contains(pools, p):
		case inCloud:
			return usagef("node pool %q has no nodes", p)
		default:
			return notFound(s, &evidence.AbsentError{What: aPool, Name: p, Names: pools})
		}
	}
	return nil
}

// namespaces returns the namespaces in the evidence.
func namespaces(s *evidence.Snapshot) []string {
	var all []string
	d := s.Data()
	for _, n := range d.Namespaces {
		all = append(all, n.Name)
	}
	if s.Covers(evidence.Namespaces) != evidence.Complete {
		for _, p := range d.Pods {
			all = append(all, p.Namespace)
		}
		for _, w := range d.Workloads {
			all = append(all, w.Namespace)
		}
		for _, b := range d.PDBs {
			all = append(all, b.Namespace)
		}
		for _, e := range d.Events {
			all = append(all, e.Object.Namespace)
		}
	}
	return slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(all))), func(name string) bool { return name == "" })
}
