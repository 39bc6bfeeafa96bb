package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
	"github.com/nodetriage/nodetriage/rules"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// knowledge is the catalogue and the signatures, with the user's own added.
type knowledge struct {
	catalog    *catalog.Catalog
	signatures *signatures.Set

	gathered sync.Once
	all      map[string]bool // of words
}

// knowledgeFlags are shared by the commands that judge or explain.
type knowledgeFlags struct{ dirs []string }

func (f *knowledgeFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.dirs, "catalog", nil, "add your own causes/*.md, questions/*.md, symptoms.yaml and signatures/*.yaml from this `DIR` (repeatable)")
}

func (f *knowledgeFlags) load() (*knowledge, error) {
	go signatures.Builtin() // read while the catalogue is
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	set, err := signatures.Builtin()
	if err != nil {
		return nil, err
	}
	for _, dir := range f.dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return nil, usagef("read catalog %s: not a folder", dir)
		}
		files := os.DirFS(dir)
		if cat, err = cat.Extend(files); err != nil {
			return nil, usagef("read catalog %s: %w", dir, err)
		}
		sub, err := fs.Sub(files, "signatures")
		if err != nil {
			return nil, err
		}
		if _, err := fs.Stat(sub, "."); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		own, err := signatures.Read(sub)
		if err != nil {
			return nil, usagef("read catalog %s: %w", dir, err)
		}
		if set, err = set.Merge(own); err != nil {
			return nil, usagef("read catalog %s: %w", dir, err)
		}
	}
	k := &knowledge{catalog: cat, signatures: set}
	if err := k.check(); err != nil {
		return nil, &usageError{err}
	}
	return k, nil
}

// check finds signatures that say something the catalogue does not have, and names of rules and components that do not exist.
func (k *knowledge) check() error {
	var errs []error
	judges := func(id string) bool {
		return id == "" || slices.ContainsFunc(rules.All(), func(r *triage.Rule) bool { return r.ID == id && r.Settles != nil })
	}
	for _, c := range k.catalog.Causes() {
		if !judges(c.JudgedBy) {
			errs = append(errs, usagef("cause %s: judgedBy %q is not a rule about messages", c.ID, c.JudgedBy))
		}
		for _, name := range c.LastWordsOf {
			if !logline.Known(logline.Speaker(name)) {
				errs = append(errs, usagef("cause %s: lastWordsOf %q is not a component: see docs/knowledge.md", c.ID, name))
			}
		}
	}
	for _, s := range k.signatures.All() {
		cause := k.catalog.Cause(s.Says)
		if cause == nil && k.catalog.Symptom(s.Says) == nil && s.Says != "" {
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

// judge runs the rules; a zero time judges as of when the evidence was taken. With nodes the report is about these.
func (k *knowledge) judge(s *evidence.Snapshot, at time.Time, nodes ...string) *triage.Report {
	return triage.Run(triage.Input{Snapshot: s, Catalog: k.catalog, Signatures: k.signatures, Rules: rules.All(), Now: at, Nodes: nodes})
}
