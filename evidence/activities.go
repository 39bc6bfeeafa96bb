package evidence

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// activities are the entries of the cloud's activity log by what they are looked up by: a log has thousands.
type activities struct {
	byID      map[string][]*CloudActivity
	byTime    map[int64][]*CloudActivity
	failures  map[string][]*CloudActivity // by story
	succeeded map[string]time.Time        // newest success by doing
}

func indexActivities(list []*CloudActivity) activities {
	x := activities{
		byID: map[string][]*CloudActivity{}, byTime: map[int64][]*CloudActivity{},
		failures: map[string][]*CloudActivity{}, succeeded: map[string]time.Time{},
	}
	for _, a := range list {
		if a.ID != "" {
			x.byID[a.ID] = append(x.byID[a.ID], a)
		}
		if story := a.story(); story != "" && a.Failed() {
			x.failures[story] = append(x.failures[story], a)
		}
		x.byTime[a.Time.UnixNano()] = append(x.byTime[a.Time.UnixNano()], a)
		if doing := a.doing(); strings.EqualFold(a.Status, "Succeeded") && a.Time.After(x.succeeded[doing]) {
			x.succeeded[doing] = a.Time
		}
	}
	for _, story := range x.failures {
		slices.SortStableFunc(story, func(a, b *CloudActivity) int {
			return cmp.Or(cmp.Compare(a.Depth(), b.Depth()), b.Time.Compare(a.Time), cmp.Compare(a.ID, b.ID))
		})
	}
	return x
}

// doing is what was done to what.
func (a *CloudActivity) doing() string { return strings.ToLower(a.Operation + " " + a.Resource) }

// ActivitiesOf returns the entries of an activity log that are steps of one operation.
func (s *Snapshot) ActivitiesOf(id string) []*CloudActivity { return s.log.byID[id] }

// ActivitiesAt returns the entries of that moment.
func (s *Snapshot) ActivitiesAt(t time.Time) []*CloudActivity {
	return s.log.byTime[t.UnixNano()]
}

// Failures returns the failed entries of the entry's story, what was asked for first and the deepest last: a cluster's
// operation fails after what it set off, and repeats that. A story is the steps of one operation and the operations that
// the same request set off. The list is the index's own.
func (s *Snapshot) Failures(a *CloudActivity) []*CloudActivity {
	if story := a.story(); story != "" {
		return s.log.failures[story]
	}
	return []*CloudActivity{a}
}

// story is what entries of one story share; "" where the entry stands alone.
func (a *CloudActivity) story() string { return cmp.Or(strings.ToLower(a.Chain), a.ID) }

// Failed reports whether this step failed.
func (a *CloudActivity) Failed() bool { return strings.EqualFold(a.Status, "Failed") }

// Depth is how far below the request an operation is, by what it works on: 0 is the cluster itself.
func (a *CloudActivity) Depth() int {
	switch on := strings.ToLower(a.Resource); {
	case strings.Contains(on, "/agentpools/"):
		return 1
	case strings.Contains(on, "/managedclusters/"):
		return 0
	case strings.Contains(on, "/virtualmachines/"):
		return 3
	}
	return 2
}

// SucceededSince reports whether the operation of the entry worked on the same resource later.
func (s *Snapshot) SucceededSince(a *CloudActivity) bool {
	return s.log.succeeded[a.doing()].After(a.Time)
}
