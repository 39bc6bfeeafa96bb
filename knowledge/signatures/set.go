package signatures

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sort"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Set is a checked, immutable list of signatures.
type Set struct {
	list []*Signature
	byID map[string]*Signature
	// By what is over: ids of the signatures that report the end, and of those that imply it once the log continues.
	ends, outlived map[string][]string
	allOutlived    []string // in order
	// sharper are the signatures with their own endings, by their id of cause or symptom.
	sharper map[string][]*Signature

	once    sync.Once
	finder  *finder
	workers sync.Pool // of *worker: a folder has many texts with similar lines
}

// Read reads every *.yaml file at the top of the file system. All errors are reported at once, each with
// its file.
func Read(files fs.FS) (*Set, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	parts, errs := make([][]*Signature, len(names)), make([]error, len(names)+1)
	var reading sync.WaitGroup
	for i, name := range names {
		reading.Go(func() {
			data, err := fs.ReadFile(files, name)
			if err != nil {
				errs[i] = err
				return
			}
			part, err := parse(data)
			if err != nil {
				errs[i] = fmt.Errorf("%s: %w", path.Base(name), err)
				return
			}
			parts[i] = part
		})
	}
	reading.Wait()
	set, err := newSet(slices.Concat(parts...))
	errs[len(names)] = err
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return set, nil
}

// head is the common part of all signatures in a file.
type head struct {
	Component string            `json:"component"`
	Speakers  []logline.Speaker `json:"speakers,omitempty"`
	Provider  string            `json:"provider,omitempty"`
	Provable  string            `json:"provable,omitempty"`
}

// lend sets the fields that a signature does not set itself.
func (h *head) lend(s *Signature) {
	s.Component = h.Component
	if s.Speakers == nil {
		s.Speakers = h.Speakers
	}
	if s.Provider == "" {
		s.Provider = h.Provider
	}
	if s.Provable == "" {
		s.Provable = h.Provable
	}
}

func parse(data []byte) ([]*Signature, error) {
	var file struct {
		head
		Signatures []*Signature `json:"signatures"`
	}
	if err := bounds.YAMLStrict(data, &file); err != nil {
		return nil, fmt.Errorf("read signatures: %w", err)
	}
	if file.Component == "" {
		return nil, errors.New("component is missing at the head of the file")
	}
	var errs []error
	for _, s := range file.Signatures {
		if s == nil {
			return nil, errors.New("an entry of signatures is empty")
		}
		file.lend(s)
		if err := s.compile(); err != nil {
			errs = append(errs, err)
		}
	}
	return file.Signatures, errors.Join(errs...)
}

func newSet(list []*Signature) (*Set, error) {
	set := &Set{list: list, byID: make(map[string]*Signature, len(list)), ends: map[string][]string{}, outlived: map[string][]string{}, sharper: map[string][]*Signature{}}
	var errs []error
	for _, s := range list {
		if set.byID[s.ID] != nil {
			errs = append(errs, fmt.Errorf("signature %s: the id is used twice", s.ID))
		}
		set.byID[s.ID] = s
		for _, id := range s.Ends {
			set.ends[id] = append(set.ends[id], s.ID)
		}
		for _, id := range s.Outlives {
			set.outlived[id] = append(set.outlived[id], s.ID)
		}
	}
	set.allOutlived = slices.Sorted(maps.Keys(set.outlived))
	for _, s := range list {
		if s.Says != "" && len(set.ends[s.ID]) > 0 {
			set.sharper[s.Says] = append(set.sharper[s.Says], s)
		}
		for _, other := range slices.Concat(s.With, s.Beside, s.Unless) {
			if set.byID[other] == nil {
				errs = append(errs, fmt.Errorf("signature %s: with, beside or unless names %q, which does not exist", s.ID, other))
			}
		}
	}
	return set, errors.Join(errs...)
}

// Merge returns a set with the signatures of both. A signature of other replaces one with the same id.
func (s *Set) Merge(other *Set) (*Set, error) {
	var list []*Signature
	for _, sig := range s.list {
		if other.byID[sig.ID] == nil {
			list = append(list, sig)
		}
	}
	return newSet(append(list, other.list...))
}

// DropTexts frees the texts for people, which matching does not need, for a program that only searches and must stay small. It
// must not run concurrently with other uses.
func (s *Set) DropTexts() {
	for _, sig := range s.list {
		sig.Summary, sig.Source, sig.Since, sig.Until = "", "", "", ""
	}
}

// All returns the signatures in the order of their files. The slice must not be changed.
func (s *Set) All() []*Signature { return s.list }

// Ending returns the ids of the signatures that report the end of the given one.
func (s *Set) Ending(sig *Signature) []string {
	if len(s.ends) == 0 {
		return nil
	}
	return append(slices.Clone(s.ends[sig.ID]), s.ends[sig.Says]...)
}

// Outliving returns the ids of the signatures that end the given one if the log continues for a while without it.
func (s *Set) Outliving(sig *Signature) []string {
	if len(s.outlived) == 0 {
		return nil
	}
	return append(slices.Clone(s.outlived[sig.ID]), s.outlived[sig.Says]...)
}

// Outlived returns the ids of causes, symptoms and signatures that have an Outliving one. The slice must not be changed.
func (s *Set) Outlived() []string { return s.allOutlived }

// Sharper returns the signatures with the same id of cause or symptom as the given one that have their own endings.
func (s *Set) Sharper(sig *Signature) []*Signature { return s.sharper[sig.Says] }

// Lookup returns the signature with that id, or nil.
func (s *Set) Lookup(id string) *Signature { return s.byID[id] }
