package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Catalog is a checked, immutable set of causes and symptoms with the graph between them, and of questions.
type Catalog struct {
	causes    map[string]*Cause
	symptoms  map[string]*Symptom
	stopNodes []string // symptoms of nodes that are not working
	questions map[string]*Question
	reach     map[string]map[string]bool // cause -> everything it explains or supersedes, directly or not
}

// Read reads causes/*.md, questions/*.md and symptoms.yaml; each may be missing. All errors are reported at once.
func Read(files fs.FS) (*Catalog, error) {
	return read(files, empty())
}

func empty() *Catalog {
	return &Catalog{causes: map[string]*Cause{}, symptoms: map[string]*Symptom{}, questions: map[string]*Question{}}
}

// symptomList is the content of symptoms.yaml.
type symptomList struct {
	Symptoms []*Symptom `json:"symptoms"`
}

// Extend returns a catalog with the pages of files added. A page replaces an earlier one with the same id.
func (c *Catalog) Extend(files fs.FS) (*Catalog, error) {
	return read(files, &Catalog{causes: maps.Clone(c.causes), symptoms: maps.Clone(c.symptoms), questions: maps.Clone(c.questions)})
}

func read(files fs.FS, c *Catalog) (*Catalog, error) {
	var errs []error
	names, err := fs.Glob(files, "causes/*.md")
	if err != nil {
		return nil, err
	}
	pages, failed := make([]*Cause, len(names)), make([]error, len(names))
	var reading sync.WaitGroup
	for i, name := range names {
		reading.Go(func() { pages[i], failed[i] = readCause(files, name) })
	}
	reading.Wait()
	errs = append(errs, failed...)
	for _, cause := range pages {
		if cause != nil {
			c.causes[cause.ID] = cause
		}
	}
	if data, err := fs.ReadFile(files, "symptoms.yaml"); err == nil {
		var list symptomList
		if err := bounds.YAMLStrict(data, &list); err != nil {
			errs = append(errs, fmt.Errorf("symptoms.yaml: %w", err))
		}
		for _, s := range list.Symptoms {
			errs = append(errs, s.validate())
			c.symptoms[s.ID] = s
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	errs = append(errs, c.readQuestions(files), c.link(), c.linkQuestions())
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return c, nil
}

// readCause reads one page and checks that its id matches its file name.
func readCause(files fs.FS, name string) (*Cause, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	cause, err := parseCause(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if want := strings.TrimSuffix(path.Base(name), ".md"); cause.ID != want {
		return nil, fmt.Errorf("%s: the id is %q, the file name says %q", name, cause.ID, want)
	}
	return cause, nil
}

// link checks every edge of the graph and computes everything that each cause explains.
func (c *Catalog) link() error {
	var errs []error
	for _, id := range slices.Sorted(maps.Keys(c.causes)) {
		if c.symptoms[id] != nil {
			errs = append(errs, fmt.Errorf("cause %s: a symptom has the same id", id))
		}
		errs = append(errs, c.checkEdges(c.causes[id])...)
	}
	for _, id := range slices.Sorted(maps.Keys(c.symptoms)) {
		if c.symptoms[id].Stops == Node {
			c.stopNodes = append(c.stopNodes, id)
		}
	}
	c.reach = map[string]map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(c.causes)) {
		if trail := c.walk(id, nil); trail != nil {
			errs = append(errs, fmt.Errorf("causes explain each other in a circle: %s", strings.Join(trail, " -> ")))
			break
		}
	}
	return errors.Join(errs...)
}

// checkEdges returns an error for ids on the page of a cause that are not in the catalog.
func (c *Catalog) checkEdges(cause *Cause) (errs []error) {
	for _, r := range cause.Remedies {
		if r.For != "" && c.causes[r.For] == nil {
			errs = append(errs, fmt.Errorf("cause %s: the remedy %q is for %s, which is no cause", cause.ID, r.Title, r.For))
		}
	}
	for _, e := range cause.Explains {
		if c.causes[e] == nil && c.symptoms[e] == nil {
			errs = append(errs, fmt.Errorf("cause %s: explains %q, which is neither a cause nor a symptom", cause.ID, e))
		}
	}
	for _, m := range cause.Supersedes {
		if c.causes[m] == nil {
			errs = append(errs, fmt.Errorf("cause %s: supersedes %q, which is not a cause", cause.ID, m))
		}
		if slices.Contains(cause.Explains, m) {
			errs = append(errs, fmt.Errorf("cause %s: it cannot both explain and supersede %q", cause.ID, m))
		}
	}
	return errs
}

func (c *Catalog) walk(id string, trail []string) (circle []string) {
	if i := slices.Index(trail, id); i >= 0 {
		return append(trail[i:], id)
	}
	if c.reach[id] != nil {
		return nil
	}
	trail = append(trail, id)
	all := map[string]bool{}
	for _, e := range c.causes[id].Explains {
		all[e] = true
		if c.causes[e] == nil {
			continue
		}
		if circle := c.walk(e, trail); circle != nil {
			return circle
		}
		maps.Copy(all, c.reach[e])
	}
	for _, m := range c.causes[id].Supersedes {
		all[m] = true // but not what the other cause explains
		if c.causes[m] == nil {
			continue
		}
		if circle := c.walk(m, trail); circle != nil {
			return circle
		}
	}
	c.reach[id] = all
	return nil
}

// Cause returns the page with that id, or nil.
func (c *Catalog) Cause(id string) *Cause { return c.causes[id] }

// Symptom returns the symptom with that id, or nil.
func (c *Catalog) Symptom(id string) *Symptom { return c.symptoms[id] }

// Explains reports whether the cause explains the other cause or symptom: it has that effect, directly or indirectly, or
// supersedes it.
func (c *Catalog) Explains(cause, other string) bool { return c.reach[cause][other] }

// Way returns the shortest path from a cause to one of its effects, without both ends. It is empty if nothing is between them,
// or if there is no path.
func (c *Catalog) Way(cause, other string) []string {
	if !c.Explains(cause, other) || slices.Contains(c.causes[cause].Supersedes, other) {
		return nil
	}
	from := map[string]string{cause: ""}
	for next := []string{cause}; len(next) > 0; next = next[1:] {
		if c.causes[next[0]] == nil {
			continue
		}
		for _, id := range c.causes[next[0]].Explains {
			if _, seen := from[id]; seen {
				continue
			}
			from[id] = next[0]
			if id != other {
				next = append(next, id)
				continue
			}
			var way []string
			for at := from[other]; at != cause; at = from[at] {
				way = append([]string{at}, way...)
			}
			return way
		}
	}
	return nil
}

// Patience returns the minimal age of an event for the cause or symptom; 0 means any age.
func (c *Catalog) Patience(id string) time.Duration {
	if cause := c.causes[id]; cause != nil {
		return cause.Patience.Duration
	}
	if symptom := c.symptoms[id]; symptom != nil {
		return symptom.Patience.Duration
	}
	return 0
}

// Stops returns what is not working if the symptom is seen: Node, Pods, or "".
func (c *Catalog) Stops(symptom string) string {
	if s := c.symptoms[symptom]; s != nil {
		return s.Stops
	}
	return ""
}

// Warns reports whether the symptom alone is a warning, if nothing explains it and nothing else was read.
func (c *Catalog) Warns(symptom string) bool {
	s := c.symptoms[symptom]
	return s != nil && s.Warns
}

// Keeps returns what a node cannot do while the cause or symptom lasts: Ready, Answering, Reporting, Pods, or "".
func (c *Catalog) Keeps(id string) string {
	if s := c.symptoms[id]; s != nil {
		return s.Keeps
	}
	if cause := c.causes[id]; cause != nil {
		return cause.Keeps
	}
	return ""
}

// StopsNodes reports whether the cause can stop a node from working.
func (c *Catalog) StopsNodes(cause string) bool {
	return slices.ContainsFunc(c.stopNodes, func(symptom string) bool { return c.Explains(cause, symptom) })
}

// Role returns the role of the cause; empty if it has none.
func (c *Catalog) Role(cause string) Role {
	if known := c.causes[cause]; known != nil {
		return known.Role
	}
	return ""
}

// Act reports whether the cause or symptom is an action of a person at a certain time.
func (c *Catalog) Act(id string) bool {
	if known := c.causes[id]; known != nil {
		return known.Act
	}
	symptom := c.symptoms[id]
	return symptom != nil && symptom.Act
}

// LastsUntilReboot reports whether the cause lasts until the machine reboots.
func (c *Catalog) LastsUntilReboot(cause string) bool {
	known := c.causes[cause]
	return known != nil && known.Lasts == UntilReboot
}

// Causes returns all causes ordered by id.
func (c *Catalog) Causes() []*Cause {
	out := make([]*Cause, 0, len(c.causes))
	for _, id := range slices.Sorted(maps.Keys(c.causes)) {
		out = append(out, c.causes[id])
	}
	return out
}

// Symptoms returns all symptoms ordered by id.
func (c *Catalog) Symptoms() []*Symptom {
	out := make([]*Symptom, 0, len(c.symptoms))
	for _, id := range slices.Sorted(maps.Keys(c.symptoms)) {
		out = append(out, c.symptoms[id])
	}
	return out
}

// ExplainedBy returns the causes that directly explain the id, ordered by id.
func (c *Catalog) ExplainedBy(id string) []*Cause {
	var out []*Cause
	for _, cause := range c.Causes() {
		if slices.Contains(cause.Explains, id) {
			out = append(out, cause)
		}
	}
	return out
}
