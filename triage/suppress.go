package triage

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Exception is an accepted cause on a subject, which is not reported for a while.
type Exception struct {
	Until string `json:"until"` // the last day, as 2026-12-31
	Why   string `json:"why"`
	Who   string `json:"who,omitempty"` // empty: unknown
	Where string `json:"where"`         // the file and entry, or the object and annotation
}

// Ignored is a cause on a subject that an exception removed from the findings.
type Ignored struct {
	Cause      string           `json:"cause"`
	Title      string           `json:"title"`
	Severity   catalog.Severity `json:"severity"`
	Certainty  Certainty        `json:"certainty,omitempty"`
	Confidence Certainty        `json:"confidence"` // the same as certainty: the former name of the field
	Subject    evidence.Subject `json:"subject"`
	Since      *time.Time       `json:"since,omitempty"`
	Exception  Exception        `json:"exception"`
}

// Filter selects which findings are shown and count for the verdict. An empty field selects all.
type Filter struct {
	Severity  catalog.Severity `json:"severity,omitempty"`  // the lowest that is shown
	Certainty Certainty        `json:"certainty,omitempty"` // the lowest that is shown
	Causes    []string         `json:"causes,omitempty"`
	Namespace string           `json:"namespace,omitempty"` // includes the nodes that run its pods
	Pools     []string         `json:"pools,omitempty"`
	LeftOut   int              `json:"leftOut"` // number of causes on a subject, and of symptoms without a cause, that were left out
}

// HidesAll reports whether the filter hides findings, and nothing else is left that would be a problem. Such a report is not a
// healthy one.
func (r *Report) HidesAll() bool {
	return r.Verdict == Healthy && r.Filter != nil && r.Filter.LeftOut > 0
}

// choose removes what an exception or the filter leaves out, before findings are made. Effects of a removed cause move to another
// cause that explains them. Symptoms without such a cause are removed too.
func (g *graph) choose() {
	for _, st := range g.statements {
		switch {
		case !g.in.inScope(st.place):
		case st.cause != nil:
			g.chooseCause(st)
		case st.by == nil:
			g.chooseSymptom(st)
		}
	}
	orphans := g.orphans()
	g.adopt(orphans)
	for st := range orphans {
		if st.by == nil && st.cause == nil {
			st.out = true
		}
	}
}

// chooseCause removes a cause that has an exception or that the filter does not show.
func (g *graph) chooseCause(st *statement) {
	f := g.in.Filter
	if e := g.in.except(st); e != nil {
		st.out = true
		g.ignored = append(g.ignored, Ignored{Cause: st.id, Title: st.cause.Title, Severity: severity(st),
			Certainty: certainty(st.score), Confidence: certainty(st.score), Subject: st.subject, Since: st.since(), Exception: *e})
	} else if f != nil && !f.shows(g.in.Snapshot, st) {
		st.out = true
		g.leftOut++
	}
}

// chooseSymptom removes a symptom that no cause explains and that the filter does not show.
func (g *graph) chooseSymptom(st *statement) {
	if f := g.in.Filter; f != nil && !f.showsSymptom(g.in.Snapshot, st) {
		st.out = true
		g.leftOut++
	}
}

// orphans returns the effects of removed causes, which nothing explains now.
func (g *graph) orphans() map[*statement]bool {
	out := map[*statement]bool{}
	for _, st := range g.statements {
		if st.by != nil && st.by.out {
			out[st], st.by = true, nil
		}
	}
	return out
}

// adopt gives each orphan the highest of the other causes that explain it.
func (g *graph) adopt(orphans map[*statement]bool) {
	for _, root := range g.statements {
		if root.out {
			continue
		}
		for _, st := range root.effects {
			if orphans[st] && (st.by == nil || st.by.rank < root.rank) {
				st.by = root
			}
		}
	}
}

// except returns the exception for a statement, or nil.
func (in Input) except(st *statement) *Exception {
	if in.Except == nil {
		return nil
	}
	return in.Except(st.id, st.subject)
}

// since returns when the statement became true; nil: unknown.
func (st *statement) since() (out *time.Time) {
	for _, c := range st.claims {
		out = earlier(out, c.Since)
	}
	return out
}

func (f *Filter) shows(s *evidence.Snapshot, st *statement) bool {
	severe := f.Severity == "" || severity(st).Rank() <= f.Severity.Rank()
	sure := f.Certainty == "" || certainty(st.score).Weight() >= f.Certainty.Weight()
	named := len(f.Causes) == 0 || slices.Contains(f.Causes, st.id)
	return severe && sure && named && f.reaches(s, st.place)
}

// showsSymptom reports whether a symptom without a cause is shown. A symptom that stops a node always passes the severity filter,
// others are warnings.
func (f *Filter) showsSymptom(s *evidence.Snapshot, st *statement) bool {
	grave := st.stops == catalog.Node
	severe := grave || f.Severity == "" || f.Severity.Rank() >= catalog.Warning.Rank()
	return len(f.Causes) == 0 && severe && f.reaches(s, st.place)
}

// reaches reports whether a place is in the namespace and pool of the filter. A place without a subject may concern everything.
func (f *Filter) reaches(s *evidence.Snapshot, there place) bool {
	return there.subject.IsZero() || f.inNamespace(s, there) && f.inPool(there)
}

func (f *Filter) inNamespace(s *evidence.Snapshot, there place) bool {
	if f.Namespace == "" || there.subject.Namespace == f.Namespace || there.subject.Kind == "Namespace" && there.subject.Name == f.Namespace {
		return true
	}
	return there.subject.Kind == "Node" && slices.ContainsFunc(s.PodsOn(there.name), func(p *evidence.Pod) bool { return p.Namespace == f.Namespace })
}

func (f *Filter) inPool(there place) bool {
	if len(f.Pools) == 0 || strings.Contains(there.subject.Kind, "Pool") && slices.Contains(f.Pools, there.subject.Name) {
		return true
	}
	if there.node == nil {
		return false
	}
	_, pool := there.node.PoolLabel()
	return slices.Contains(f.Pools, pool)
}
