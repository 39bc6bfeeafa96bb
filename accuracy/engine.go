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

// Engine judges evidence like "diagnose -f".
type Engine struct {
	catalog    *catalog.Catalog
	signatures *signatures.Set
}

// NewEngine returns an engine with the built-in knowledge.
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

// scope returns the scope of a cause: node, pod, workload, pool, zone or cluster; empty if it is not in the catalog.
func (e *Engine) scope(cause string) string {
	if c := e.catalog.Cause(cause); c != nil {
		return c.Scope
	}
	return ""
}

// says returns the cause that a signature detects.
func (e *Engine) says(id string) string {
	for _, s := range e.signatures.All() {
		if s.ID == id {
			return s.Says
		}
	}
	return ""
}

// Answer is the program's answer about some evidence.
type Answer struct {
	Report *triage.Report
	Enough bool   // nodes, pods, events and leases were read, so that a healthy verdict is possible
	Broke  string // the panic of the program, if it did not answer

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

// Judge reads the files and judges them as of when they were taken.
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

// Text returns the report for a terminal of 80 columns.
func (a Answer) Text() (string, error) {
	var out bytes.Buffer
	err := report.Text(&out, a.Report, report.Style{})
	return out.String(), err
}

// JSON returns the report in its stable form.
func (a Answer) JSON() (string, error) {
	var out bytes.Buffer
	err := report.JSON(&out, a.Report)
	return out.String(), err
}

// First returns the first finding, or nil.
func (a Answer) First() *triage.Finding {
	if len(a.Report.Findings) == 0 {
		return nil
	}
	return &a.Report.Findings[0]
}

// Finding returns the finding of that cause, or nil.
func (a Answer) Finding(cause string) *triage.Finding {
	for i := range a.Report.Findings {
		if a.Report.Findings[i].Cause == cause {
			return &a.Report.Findings[i]
		}
	}
	return nil
}
