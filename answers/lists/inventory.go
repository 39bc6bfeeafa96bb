// Package lists lists what a cluster has, well or not, with what is odd about each and why: pods that do not run,
// disruption budgets, DaemonSets, node pools, what was done in the cloud. It says what is there; which cause it has is the diagnosis'.
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
)

// Head is what every list begins with, in its stable JSON form.
type Head struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	TakenAt    *time.Time     `json:"takenAt"` // the time that it is judged by; null: the evidence tells none
	Source     string         `json:"source"`
	Verdict    triage.Verdict `json:"verdict"` // warning: something is odd; unknown: the evidence does not have these objects, or a part of what the list rests on
	// Lacking says what was not read, so that the list is no whole.
	Lacking []string `json:"lacking"`
	// Ask are commands whose output, given beside the evidence, would complete it.
	Ask []shell.Text `json:"ask"`
}

// Filter chooses rows. The zero value chooses all.
type Filter struct {
	Namespace string
	Node      string
	Labels    labels.Selector // of pods; nil: all
	Fields    fields.Selector // of pods; nil: all
	Odd       bool            // only those with something odd
	Pool      string
	Status    string        // of operations: how they ended, in the cloud's word
	Caller    string        // of operations: a part of who asked for them
	Since     time.Duration // of operations: not older than this; 0: all
	Until     time.Duration // of operations: not newer than this; 0: all
}

// base is what all lists are made with.
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

// part notes the kinds of which more exists, or may exist, than was read: the list is then no whole, and what is odd not known.
func (b base) part(h *Head, kinds ...evidence.Kind) {
	for _, n := range triage.ReadInPart(b.snap, kinds...) {
		h.lack(n.What+": "+n.Why, n.How)
		h.Verdict = triage.Unclear
	}
}

// head makes the head of a list that rests on these kinds of objects; the first is what it lists.
func (b base) head(kind string, kinds ...evidence.Kind) Head {
	h := Head{APIVersion: nodereport.APIVersion, Kind: kind, Source: b.snap.Data().Source.String(), Verdict: triage.Healthy, Lacking: []string{}, Ask: []shell.Text{}}
	if !b.at.IsZero() {
		h.TakenAt = &b.at
	}
	rests := kinds
	if slices.Contains(kinds, evidence.Nodes) { // by its lease a node is heard from
		rests = append(slices.Clone(kinds), evidence.Leases)
	}
	b.part(&h, rests...)
	for i, k := range kinds {
		switch c := b.snap.Covers(k); {
		case len(b.snap.Incomplete(k)) > 0:
		case c == evidence.NotRead:
			h.Lacking = append(h.Lacking, fmt.Sprintf("%s were not read: add %s", k, shell.Format("kubectl get {kinds} -A -o yaml", k.Resources())))
			if i == 0 {
				h.Verdict = triage.Unclear
			}
		case c == evidence.Partial:
			h.Lacking = append(h.Lacking, fmt.Sprintf("the list of %s may be a part: %s has all", k, shell.Format("kubectl get {kinds} -A -o yaml", k.Resources())))
		}
	}
	return h
}

// addRow appends a row to a list, unless the filter leaves it out; onNode reports whether it concerns the filter's node.
// One row with something odd makes the verdict of the list a warning.
func addRow[T any](h *Head, rows []T, row T, odd []string, by Filter, onNode bool) []T {
	if by.Odd && len(odd) == 0 || by.Node != "" && !onNode {
		return rows
	}
	if len(odd) > 0 && h.Verdict == triage.Healthy {
		h.Verdict = triage.Warn
	}
	return append(rows, row)
}

// lack notes what was not read, and the command that shows it; it may be empty.
func (h *Head) lack(what string, command shell.Text) {
	h.Lacking = append(h.Lacking, what)
	if command != "" {
		h.Ask = append(h.Ask, command)
	}
}

// since is a time as lists carry it.
func since(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// sortBy orders rows by one of the columns that can be compared, and leaves them as they are for "".
func sortBy[T any](rows []T, column string, columns map[string]func(a, b T) int) error {
	if column == "" {
		return nil
	}
	compare, ok := columns[strings.ToLower(column)]
	if !ok {
		return fmt.Errorf("sort by %q: use one of %s", column, strings.Join(slices.Sorted(maps.Keys(columns)), ", "))
	}
	slices.SortStableFunc(rows, compare)
	return nil
}

// older orders by time, the oldest first; without a time last.
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
