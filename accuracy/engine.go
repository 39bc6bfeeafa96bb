package accuracy

import (
	"bytes"
	"fmt"
	"io/fs"
	"runtime/debug"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// Engine judges evidence as "diagnose -f" does.
type Engine struct {
	catalog    *catalog.Catalog
	signatures *signatures.Set
}

// NewEngine is the engine with the built-in knowledge.
func NewEngine() (*Engine, error) {
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	set, err := signatures.Builtin()
	if err != nil {
		return nil, err
	}
	return &Engine{cat, set}, nil
}

// scope is what a cause is about: node, pod, workload, pool, zone or cluster. Empty: the catalogue does not have it.
func (e *Engine) scope(cause string) string {
	if c := e.catalog.Cause(cause); c != nil {
		return c.Scope
	}
	return ""
}

// says is the cause that a signature names.
func (e *Engine) says(id string) string {
	for _, s := range e.signatures.All() {
		if s.ID == id {
			return s.Says
		}
	}
	return ""
}

// Answer is what the program says of some evidence.
type Answer struct {
	Report *triage.Report
	Enough bool   // nodes, pods, events and leases were read, so that healthy can be said
	Broke  string // the program did not answer: its panic

	engine  *Engine
	matches []*evidence.Match
	objects []evidence.Subject // the nodes and pods that were read
}

func enough(s *evidence.Snapshot) bool {
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events} {
		if s.Covers(k) == evidence.NotRead {
			return false
		}
	}
	return s.Covers(evidence.Leases) != evidence.NotRead
}

// Judge reads the files and judges them as of their own time.
func (e *Engine) Judge(files fs.FS) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = Answer{Report: &triage.Report{}, Broke: fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "case"}, e.signatures)
	if err := b.AddFS(files); err != nil {
		b.Gap("evidence", err.Error(), "")
	}
	s := b.Snapshot()
	return Answer{
		Report: triage.Run(triage.Input{Snapshot: s, Catalog: e.catalog, Signatures: e.signatures, Rulebook: rules.All()}),
		Enough: enough(s),

		engine:  e,
		matches: s.Data().Matches,
		objects: objectsOf(s),
	}
}

// Text is the report as a terminal of 80 columns shows it.
func (a Answer) Text() (string, error) {
	var out bytes.Buffer
	err := report.Text(&out, a.Report, report.Style{})
	return out.String(), err
}

// JSON is the report in its stable form.
func (a Answer) JSON() (string, error) {
	var out bytes.Buffer
	err := report.JSON(&out, a.Report)
	return out.String(), err
}

// First is the first finding, or nil.
func (a Answer) First() *triage.Finding {
	if len(a.Report.Findings) == 0 {
		return nil
	}
	return &a.Report.Findings[0]
}

// Finding is the finding of that cause, or nil.
func (a Answer) Finding(cause string) *triage.Finding {
	for i := range a.Report.Findings {
		if a.Report.Findings[i].Cause == cause {
			return &a.Report.Findings[i]
		}
	}
	return nil
}
