package main

import (
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// An answer as of a time does not depend on later evidence: over all cases, as of the middle of their times and of just before
// the end.
func TestAnswerAsOfATime(t *testing.T) {
	t.Parallel()
	k := builtinKnowledge(t)
	recorded, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	recorded = ofToday(recorded, 3)
	judged := 0
	for _, c := range recorded {
		b := collect.NewBuilder(evidence.Source{Kind: "case", Name: c.Name}, k.Signatures)
		if err := b.AddFS(c.Evidence); err != nil {
			t.Fatal(err)
		}
		s := b.Snapshot()
		for _, at := range moments(s) {
			judged++
			r := k.Judge(s.Until(at), at)
			for _, f := range r.Findings {
				if f.Since != nil && f.Since.After(at) {
					t.Errorf("%s as of %s: %s since %s", c.Name, at, f.Cause, f.Since)
				}
				for _, e := range f.Evidence {
					if e.ObservedAt.After(at) {
						t.Errorf("%s as of %s: %s rests on %q of %s", c.Name, at, f.Cause, e.Text, e.ObservedAt)
					}
				}
			}
			for _, o := range r.Over {
				if o.To != nil && o.To.After(at) {
					t.Errorf("%s as of %s: %s was over at %s", c.Name, at, o.Cause, o.To)
				}
			}
		}
	}
	if judged < len(recorded)/5 {
		t.Errorf("%d answers of %d cases: much of the evidence tells times", judged, len(recorded))
	}
}

// moments returns the middle of the times of a case's events and lines, and the second before the last of them.
func moments(s *evidence.Snapshot) []time.Time {
	var all []time.Time
	for _, e := range s.Events() {
		all = append(all, e.Last)
	}
	for _, m := range s.Data().Matches {
		all = append(all, m.Ref.ObservedAt, m.Last)
	}
	all = slices.DeleteFunc(all, time.Time.IsZero)
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.DeleteFunc([]time.Time{all[len(all)/2], all[len(all)-1].Add(-time.Second)}, func(at time.Time) bool { return !at.Before(s.TakenAt()) })
}
