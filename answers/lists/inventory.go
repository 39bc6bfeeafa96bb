// Package lists lists objects of a cluster, with what is unusual about each and why: pods that are not running,
// PodDisruptionBudgets, DaemonSets, node pools, cloud operations. It shows states; the diagnosis finds causes.
package lists

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Head is the first part of every list, in its stable JSON form.
type Head struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	TakenAt    *time.Time     `json:"takenAt"` // the time that it is judged by; null: the evidence has none
	Source     string         `json:"source"`
	Verdict    triage.Verdict `json:"verdict"` // warning: something is unusual; unknown: the evidence does not contain these objects, or is partial
	// Lacking lists what was not read, so that the list is incomplete.
	Lacking []string `json:"lacking"`
	// Ask are commands whose output would complete the evidence.
	Ask []shell.Text `json:"ask"`
	// Hidden is the number of entries that do not match the filters.
	Hidden  int      `json:"hidden,omitempty"`
	Filters []string `json:"filters,omitempty"` // the flags: --problems, -n shop
}

// Filter selects rows. The zero value selects all.
type Filter struct {
	Namespace string
	Node      string
	Labels    labels.Selector // of pods; nil: all
	Fields    fields.Selector // of pods; nil: all
	Odd       bool            // only unusual ones
	Pool      string
	Status    string        // of operations: their result, in the cloud's term
	Caller    string        // of operations: a part of the caller's name
	Since     time.Duration // of operations: not older than this; 0: all
	Until     time.Duration // of operations: not newer than this; 0: all
}

// flags returns the filter as flags. odd is the flag for unusual rows.
func (f Filter) flags(odd string) []string {
	out := []string{}
	add := func(flag, value string) {
		if value != "" {
			out = append(out, flag+" "+value)
		}
	}
	add("-n", f.Namespace)
	add("--node", f.Node)
	if f.Labels != nil {
		add("-l", f.Labels.String())
	}
	if f.Fields != nil {
		add("--field-selector", f.Fields.String())
	}
	add("--pool", f.Pool)
	add("--status", f.Status)
	add("--caller", f.Caller)
	if f.Since > 0 {
		add("--since", wording.Duration(f.Since))
	}
	if f.Until > 0 {
		add("--until", wording.Duration(f.Until))
	}
	if f.Odd {
		out = append(out, odd)
	}
	return out
}

// base is the common input of all lists.
type base struct {
	snap *evidence.Snapshot
	at   time.Time
	by   Filter
}

func newBase(s *evidence.Snapshot, at time.Time, by Filter) base {
	if at.IsZero() {
		at = s.TakenAt()
	}
	return base{s, at, by}
}

// part records partial kinds. The list is then incomplete, and what is unusual is unknown.
func (b base) part(h *Head, kinds ...evidence.Kind) {
	for _, n := range triage.ReadInPart(b.snap, kinds...) {
		h.lack(n.What+": "+n.Why, n.How)
		h.Verdict = triage.Unclear
	}
}

// head returns the head of a list that needs these kinds of objects. The first is the kind that it lists.
func (b base) head(kind string, kinds ...evidence.Kind) Head {
	h := Head{APIVersion: nodereport.APIVersion, Kind: kind, Source: b.snap.Data().Source.String(), Verdict: triage.Healthy, Lacking: []string{}, Ask: []shell.Text{}, Filters: b.by.flags("--problems")}
	if !b.at.IsZero() {
		h.TakenAt = &b.at
	}
	rests := kinds
	if slices.Contains(kinds, evidence.Nodes) { // a lease shows that a node is reachable
		rests = append(slices.Clone(kinds), evidence.Leases)
	}
	b.part(&h, rests...)
	for i, k := range kinds {
		switch c := b.snap.Covers(k); {
		case len(b.snap.Incomplete(k)) > 0:
		case c == evidence.NotRead:
			h.Lacking = append(h.Lacking, fmt.Sprintf("%s not read; add the output of %s", k, shell.Format("kubectl get {kinds} -A -o yaml", k.Resources())))
			if i == 0 {
				h.Verdict = triage.Unclear
			}
		case c == evidence.Partial:
			h.Lacking = append(h.Lacking, fmt.Sprintf("the evidence may not contain all %s. Add the output of %s", k, shell.Format("kubectl get {kinds} -A -o yaml", k.Resources())))
		}
	}
	return h
}

// settle ends a list of this many rows. An empty list of evidence that may not contain all objects is not healthy: it is unknown.
func (h *Head) settle(rows int) {
	if rows+h.Hidden == 0 && len(h.Lacking) > 0 && h.Verdict == triage.Healthy {
		h.Verdict = triage.Unclear
	}
}

// addRow appends a row to a list, unless the filter removes it. onNode reports whether it concerns the filter's node. One
// unusual row makes the verdict of the list a warning.
func addRow[T any](h *Head, rows []T, row T, odd []string, by Filter, onNode bool) []T {
	if by.Odd && len(odd) == 0 || by.Node != "" && !onNode {
		h.Hidden++
		return rows
	}
	if len(odd) > 0 && h.Verdict == triage.Healthy {
		h.Verdict = triage.Warn
	}
	return append(rows, row)
}

// lack records what was not read, and the command that shows it, which may be empty.
func (h *Head) lack(what string, command shell.Text) {
	h.Lacking = append(h.Lacking, what)
	if command != "" {
		h.Ask = append(h.Ask, command)
	}
}

// formerColumns are former names of columns, which stay valid.
var formerColumns = map[string]string{"sick": "unhealthy", "holds": "blocks"}

// sortBy sorts rows by one of the sortable columns, and keeps their order for "".
func sortBy[T any](rows []T, column string, columns map[string]func(a, b T) int) error {
	if column == "" {
		return nil
	}
	name := strings.ToLower(column)
	compare, ok := columns[cmp.Or(formerColumns[name], name)]
	if !ok {
		return fmt.Errorf("sort by %q: use one of %s", column, strings.Join(slices.Sorted(maps.Keys(columns)), ", "))
	}
	slices.SortStableFunc(rows, compare)
	return nil
}

// older orders by time, the oldest first. Rows without a time are last.
func older(a, b *time.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Compare(*b)
}

func byName(aspace, a, bspace, b string) int {
	return cmp.Or(cmp.Compare(aspace, bspace), cmp.Compare(a, b))
}
