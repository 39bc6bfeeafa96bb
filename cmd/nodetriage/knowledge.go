package main

import (
	"errors"
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
	from       []catalog.Origin // what it is made of, in order

	gathered sync.Once
	all      map[string]bool // of words
}

// knowledgeFlags are shared by the commands that judge or explain.
type knowledgeFlags struct {
	paths []string
	key   string
}

func (f *knowledgeFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.paths, "catalog", nil, "add the knowledge of this `PATH`: a folder with causes/*.md, questions/*.md, symptoms.yaml and signatures/*.yaml, or an archive of knowledge pack (repeatable)")
	set.StringVar(&f.key, "catalog-key", "", "take archives of --catalog only if this public key `FILE` of minisign fits them; none takes any (default: that of knowledge use)")
}

// load returns what the program has, with what the user uses always and now.
func (f *knowledgeFlags) load() (*knowledge, error) {
	used, err := inUse()
	if err != nil {
		return nil, err
	}
	added := used
	for _, path := range f.paths {
		a, err := openAddition(path, f.key)
		if err != nil {
			return nil, err
		}
		added = append(added, a)
	}
	k, err := assemble(added...)
	if err != nil && len(used) > 0 {
		if _, alone := assemble(used...); alone != nil {
			return nil, wayBack(alone)
		}
	}
	return k, err
}

// assemble adds to what the program has; later pages and signatures replace those of the same id.
func assemble(added ...addition) (*knowledge, error) {
	go signatures.Builtin() // read while the catalogue is
	cat, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	set, err := signatures.Builtin()
	if err != nil {
		return nil, err
	}
	k := &knowledge{catalog: cat, signatures: set, from: []catalog.Origin{{Name: catalog.BuiltIn, Version: version}}}
	for _, a := range added {
		if err := k.add(a); err != nil {
			return nil, usagef("read catalog %s: %w", a.path, err)
		}
	}
	if err := k.check(); err != nil {
		return nil, &usageError{err}
	}
	return k, nil
}

func (k *knowledge) add(a addition) (err error) {
	k.from = append(k.from, a.origin)
	if k.catalog, err = k.catalog.Extend(a.files); err != nil {
		return err
	}
	own, err := a.signatures()
	if err != nil || own == nil {
		return err
	}
	if a.complete {
		k.signatures = own
		return nil
	}
	k.signatures, err = k.signatures.Merge(own)
	return err
}

// check finds signatures that say something the catalogue does not have, and names of rules and components that do not exist.
func (k *knowledge) check() error {
	var errs []error
	judges := func(id string) bool {
		return id == "" || slices.ContainsFunc(rules.All().Rules, func(r *triage.Rule) bool { return r.ID == id && r.Settles != nil })
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
	return triage.Run(triage.Input{Snapshot: s, Catalog: k.catalog, Signatures: k.signatures, Rulebook: rules.All(), Now: at, Nodes: nodes, Knowledge: k.from})
}
