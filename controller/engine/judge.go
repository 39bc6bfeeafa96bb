package engine

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/ignore"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// Knowledge judges evidence as the command diagnose does. It is not that of package ask, which links what other questions need: the
// scheduler, the evaluation of admission policies, the output formats.
type Knowledge struct {
	catalog    *catalog.Catalog
	signatures *signatures.Set
	origins    []catalog.Origin
}

// NewKnowledge returns the built-in knowledge of this version.
func NewKnowledge(version string) (*Knowledge, error) {
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	set, err := signatures.Builtin()
	if err != nil {
		return nil, err
	}
	return &Knowledge{cat, set, []catalog.Origin{{Name: catalog.BuiltIn, Version: version}}}, nil
}

// Signatures returns the signatures that match texts while the evidence is read.
func (k *Knowledge) Signatures() *signatures.Set { return k.signatures }

// Judge judges the evidence of a cluster.
func (k *Knowledge) Judge(s *evidence.Snapshot) *Judgement {
	return k.judgement(s, triage.Judge(k.input(s)))
}

func (k *Knowledge) input(s *evidence.Snapshot) triage.Input {
	at := s.TakenAt()
	in := triage.Input{Snapshot: s, Catalog: k.catalog, Signatures: k.signatures, Rulebook: rules.All(), Now: at, Knowledge: k.origins}
	isCause := func(id string) bool { return k.catalog.Cause(id) != nil }
	if list := ignore.OfObjects(s, isCause, func(string) string { return "" }); !list.Empty() {
		in.Except = func(cause string, on evidence.Subject) *triage.Exception { return list.For(at, cause, on) }
	}
	return in
}
