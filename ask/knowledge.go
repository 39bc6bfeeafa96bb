package ask

import (
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/ignore"
	"github.com/nodetriage/nodetriage/triage/rules"
	"github.com/nodetriage/nodetriage/wording"
)

// Knowledge judges evidence. NewKnowledge creates it.
type Knowledge struct {
	Catalog    *catalog.Catalog
	Signatures *signatures.Set
	Origins    []catalog.Origin // its parts, in order

	gathered sync.Once
	known    map[string]bool // cache of words
}

// Addition is knowledge that is added to the built-in knowledge.
type Addition struct {
	Path     string // the path that it was read from
	Origin   catalog.Origin
	Files    fs.FS
	Complete bool // its signatures replace all earlier ones
}

// NewKnowledge returns the built-in knowledge of this version with the additions. Later pages and signatures replace earlier
// ones with the same id.
func NewKnowledge(version string, added ...Addition) (*Knowledge, error) {
	go signatures.Builtin() // in parallel with the catalog
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	set, err := signatures.Builtin()
	if err != nil {
		return nil, err
	}
	k := &Knowledge{Catalog: cat, Signatures: set, Origins: []catalog.Origin{{Name: catalog.BuiltIn, Version: version}}}
	for _, a := range added {
		if err := k.add(a); err != nil {
			return nil, usagef("read catalog %s: %w", a.Path, err)
		}
	}
	if err := k.check(); err != nil {
		return nil, &UsageError{err}
	}
	return k, nil
}

// signatures returns the signatures of an addition; nil if there are none.
func (a Addition) signatures() (*signatures.Set, error) {
	sub, err := fs.Sub(a.Files, "signatures")
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(sub, "."); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return signatures.Read(sub)
}

func (k *Knowledge) add(a Addition) (err error) {
	k.Origins = append(k.Origins, a.Origin)
	if k.Catalog, err = k.Catalog.Extend(a.Files); err != nil {
		return err
	}
	own, err := a.signatures()
	if err != nil || own == nil {
		return err
	}
	if a.Complete {
		k.Signatures = own
		return nil
	}
	k.Signatures, err = k.Signatures.Merge(own)
	return err
}

// check rejects signatures of causes that are not in the catalog, and unknown names of rules and components.
func (k *Knowledge) check() error {
	var errs []error
	judges := func(id string) bool {
		return id == "" || slices.ContainsFunc(rules.All().Rules, func(r *triage.Rule) bool { return r.ID == id && r.JudgesInstead != nil })
	}
	for _, c := range k.Catalog.Causes() {
		if !judges(c.JudgedBy) {
			errs = append(errs, usagef("cause %s: judgedBy %q is not a rule about messages", c.ID, c.JudgedBy))
		}
		for _, name := range c.LastWordsOf {
			if !logline.Known(logline.Speaker(name)) {
				errs = append(errs, usagef("cause %s: lastWordsOf %q is not a component: see docs/knowledge.md", c.ID, name))
			}
		}
	}
	for _, s := range k.Signatures.All() {
		cause := k.Catalog.Cause(s.Says)
		if cause == nil && k.Catalog.Symptom(s.Says) == nil && s.Says != "" {
			errs = append(errs, usagef("signature %s: says %q, which is neither a cause nor a symptom", s.ID, s.Says))
		}
		if !judges(s.JudgedBy) {
			errs = append(errs, usagef("signature %s: judgedBy %q is not a rule about messages", s.ID, s.JudgedBy))
		}
		if cause != nil && s.Certainty == "" {
			errs = append(errs, usagef("signature %s: certainty is missing", s.ID))
		}
	}
	return errors.Join(errs...)
}

// Judge runs the rules without exceptions. If at is zero, it judges as of when the evidence was taken. If nodes are given, the
// report is limited to them.
func (k *Knowledge) Judge(s *evidence.Snapshot, at time.Time, nodes ...string) *triage.Report {
	in := k.input(s, at)
	in.Nodes = nodes
	return triage.Run(in)
}

func (k *Knowledge) input(s *evidence.Snapshot, at time.Time) triage.Input {
	return triage.Input{Snapshot: s, Catalog: k.Catalog, Signatures: k.Signatures, Rulebook: rules.All(), Now: at, Knowledge: k.Origins}
}

// Exceptions reads a file of exceptions. Diagnose and Check can share one file: each entry names a cause or a check.
func (k *Knowledge) Exceptions(name string, data []byte) (*ignore.List, error) {
	list, err := ignore.Read(name, data, k.canExcept, k.nearException)
	if err != nil {
		return nil, usagef("exceptions: %w", err)
	}
	return list, nil
}

// excepted returns the exceptions of a list and of annotations of objects.
func (k *Knowledge) excepted(list *ignore.List, s *evidence.Snapshot) *ignore.List {
	return list.Join(ignore.OfObjects(s, k.canExcept, k.nearException))
}

// exceptable returns the ids of causes and checks.
func (k *Knowledge) exceptable() []string {
	ids := check.Checks()
	for _, c := range k.Catalog.Causes() {
		ids = append(ids, c.ID)
	}
	return ids
}

func (k *Knowledge) canExcept(id string) bool { return slices.Contains(k.exceptable(), id) }

func (k *Knowledge) nearException(id string) string {
	if near := wording.Nearest(id, k.exceptable()); near != "" {
		return "did you mean " + near + "?"
	}
	return "list them with nodetriage explain"
}
