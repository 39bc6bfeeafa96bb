package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/exceptions"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/review"
	"github.com/nodetriage/nodetriage/rules"
	"github.com/nodetriage/nodetriage/triage"
)

// quietFlags choose what is told and counts.
type quietFlags struct {
	files     []string
	severity  string
	certainty string
	causes    []string
	pools     []string

	filter *triage.Filter   // nil: nothing was chosen
	list   *exceptions.List // of the files
	known  func(cause string) bool
	near   func(cause string) string
}

func (f *quietFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.files, "exceptions", nil, "leave out what this `FILE` lists: causes on subjects, until a day (repeatable)")
}

func (f *quietFlags) registerFilter(set *pflag.FlagSet) {
	set.StringVar(&f.severity, "severity", "", "show what is at least this `SEVERITY`: critical, error, warning, info")
	set.StringVar(&f.certainty, "certainty", "", "show what is at least this `CERTAINTY`: certain, likely, possible")
	set.StringSliceVar(&f.causes, "cause", nil, "show only this `CAUSE` (repeatable)")
	set.StringSliceVar(&f.pools, "pool", nil, "show only what concerns this `POOL` (repeatable)")
	set.Lookup("namespace").Usage = "show only what concerns this namespace, and the nodes on which its pods are"
}

// check reads the files and refuses what cannot be meant; it comes before anything is read of a cluster.
func (f *quietFlags) check(cmd *cobra.Command, src *sourceFlags, k *knowledge) error {
	severities := []catalog.Severity{catalog.Critical, catalog.Error, catalog.Warning, catalog.Info}
	if f.severity != "" && !slices.Contains(severities, catalog.Severity(f.severity)) {
		return usagef("--severity %q: %s", f.severity, oneOf(f.severity, severities))
	}
	certainties := []triage.Confidence{triage.Certain, triage.Likely, triage.Possible}
	if f.certainty != "" && !slices.Contains(certainties, triage.Confidence(f.certainty)) {
		return usagef("--certainty %q: %s", f.certainty, oneOf(f.certainty, certainties))
	}
	if err := f.read(k); err != nil {
		return err
	}
	for _, c := range f.causes {
		if k.catalog.Cause(c) == nil {
			return usagef("--cause %q is not known: %s", c, f.near(c))
		}
	}
	filter := triage.Filter{Severity: catalog.Severity(f.severity), Certainty: triage.Confidence(f.certainty), Causes: f.causes, Pools: f.pools}
	if cmd.Flags().Changed("namespace") {
		filter.Namespace = *src.cluster.Namespace
	}
	if filter.Severity != "" || filter.Certainty != "" || filter.Namespace != "" || len(filter.Causes)+len(filter.Pools) > 0 {
		f.filter = &filter
	}
	return nil
}

// read reads the files of exceptions. One file serves diagnose and check: an entry is about a cause or a check.
func (f *quietFlags) read(k *knowledge) error {
	ids := review.Checks()
	for _, c := range k.catalog.Causes() {
		ids = append(ids, c.ID)
	}
	f.known = func(id string) bool { return slices.Contains(ids, id) }
	f.near = func(id string) string {
		if near := nearest(id, ids); near != "" {
			return "did you mean " + near + "?"
		}
		return "nodetriage explain lists what there is"
	}
	for _, name := range f.files {
		data, err := readFile(name, maxExceptions)
		if err != nil {
			return usagef("read exceptions %s: %w", name, err)
		}
		list, err := exceptions.Read(name, data, f.known, f.near)
		if err != nil {
			return usagef("exceptions: %w", err)
		}
		f.list = f.list.Join(list)
	}
	return nil
}

// checkPools refuses pools that no node is in.
func (f *quietFlags) checkPools(s *evidence.Snapshot) error {
	var pools []string
	for _, n := range s.Nodes() {
		if _, pool := n.PoolLabel(); pool != "" && !slices.Contains(pools, pool) {
			pools = append(pools, pool)
		}
	}
	for _, p := range f.pools {
		if len(pools) > 0 && !slices.Contains(pools, p) {
			return usagef("--pool %q: no node is in it: %s", p, oneOf(p, pools))
		}
	}
	return nil
}

// checkNamespace refuses a namespace that does not exist, or, where nobody could list them, of which nothing was read.
func (f *quietFlags) checkNamespace(s *evidence.Snapshot) error {
	if f.filter == nil || f.filter.Namespace == "" {
		return nil
	}
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
	all = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(all))), func(name string) bool { return name == "" })
	if len(all) == 0 || slices.Contains(all, f.filter.Namespace) {
		return nil
	}
	if near := nearest(f.filter.Namespace, all); near != "" {
		return usagef("--namespace %q: nothing that was read is in it; did you mean %s?", f.filter.Namespace, report.Clean(near))
	}
	return usagef("--namespace %q: nothing that was read is in it; kubectl get namespaces lists those that exist", f.filter.Namespace)
}

// exceptions are those of the files and of the objects.
func (f *quietFlags) exceptions(s *evidence.Snapshot) *exceptions.List {
	return f.list.Join(exceptions.OfObjects(s, f.known, f.near))
}

// judgeQuietly judges what exceptions and the filter leave; trace is filled with how, nil keeps nothing.
func (k *knowledge) judgeQuietly(in input, f *quietFlags, trace *triage.Trace, nodes ...string) *triage.Report {
	list := f.exceptions(in.snapshot)
	run := triage.Input{Snapshot: in.snapshot, Catalog: k.catalog, Signatures: k.signatures, Rulebook: rules.All(), Now: in.at, Nodes: nodes, Filter: f.filter, Trace: trace, Knowledge: k.from}
	now := in.at
	if now.IsZero() {
		now = in.snapshot.TakenAt()
	}
	if !list.Empty() {
		run.Except = func(cause string, on evidence.Subject) *triage.Exception { return list.For(now, cause, on) }
	}
	r := triage.Run(run)
	r.ExceptionNotes = list.Notes(now)
	return r
}

// except leaves out of a review what exceptions name, as of its time.
func (f *quietFlags) except(r *review.Review, in input) {
	list := f.exceptions(in.snapshot)
	if list.Empty() {
		return
	}
	var now time.Time
	if r.TakenAt != nil {
		now = *r.TakenAt
	}
	r.Except(func(check string, on evidence.Subject) *triage.Exception { return list.For(now, check, on) })
	r.ExceptionNotes = list.Notes(now)
}
