package evidence

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// activities indexes the activity log of the cloud because a log has thousands of entries.
type activities struct {
	byID      map[string][]*CloudActivity
	failures  map[string][]*CloudActivity // by story
	succeeded map[string]time.Time        // newest success by doing
	retried   map[string]int              // by story: the smallest depth of a failed operation that succeeded later
	failed    map[int64]FailedAt          // by time
}

// FailedAt summarises the failures of one moment because a log may have thousands.
type FailedAt struct {
	Over   bool   // one of them succeeded later
	Caller string // caller of one of them
}

func indexActivities(list []*CloudActivity) activities {
	x := activities{
		byID: map[string][]*CloudActivity{}, failures: map[string][]*CloudActivity{}, succeeded: map[string]time.Time{},
		retried: map[string]int{}, failed: map[int64]FailedAt{},
	}
	for _, a := range list {
		if a.ID != "" {
			x.byID[a.ID] = append(x.byID[a.ID], a)
		}
		if story := a.story(); story != "" && a.Failed() {
			x.failures[story] = append(x.failures[story], a)
		}
		if doing := a.doing(); strings.EqualFold(a.Status, "Succeeded") && a.Time.After(x.succeeded[doing]) {
			x.succeeded[doing] = a.Time
		}
	}
	for name, story := range x.failures {
		slices.SortStableFunc(story, func(a, b *CloudActivity) int {
			return cmp.Or(cmp.Compare(a.Depth(), b.Depth()), b.Time.Compare(a.Time), cmp.Compare(a.ID, b.ID))
		})
		if i := slices.IndexFunc(story, x.succeededSince); i >= 0 {
			x.retried[name] = story[i].Depth()
		}
	}
	for _, a := range list {
		if a.Failed() {
			at := x.failed[a.Time.UnixNano()]
			at.Over = at.Over || x.overcome(a)
			at.Caller = cmp.Or(a.Caller, at.Caller)
			x.failed[a.Time.UnixNano()] = at
		}
	}
	return x
}

func (x activities) succeededSince(a *CloudActivity) bool {
	return x.succeeded[a.doing()].After(a.Time)
}

func (x activities) overcome(failure *CloudActivity) bool {
	if x.succeededSince(failure) {
		return true
	}
	depth, retried := x.retried[failure.story()]
	return retried && depth < failure.Depth()
}

// doing is the operation and its resource.
func (a *CloudActivity) doing() string { return strings.ToLower(a.Operation + " " + a.Resource) }

// ActivitiesOf returns the activity log entries of one operation.
func (s *Snapshot) ActivitiesOf(id string) []*CloudActivity { return s.log.byID[id] }

// FailedAt returns the failures of that moment.
func (s *Snapshot) FailedAt(t time.Time) FailedAt { return s.log.failed[t.UnixNano()] }

// Failures returns the failed entries in the entry's story, from the requested operation to the deepest one: a cluster
// operation fails after the operations that it started, and repeats their errors. A story is one operation and all
// operations of the same request. Callers must not modify the list.
func (s *Snapshot) Failures(a *CloudActivity) []*CloudActivity {
	if story := a.story(); story != "" {
		return s.log.failures[story]
	}
	return []*CloudActivity{a}
}

// story returns the key that entries of one story share, or "" for a single entry.
func (a *CloudActivity) story() string { return cmp.Or(strings.ToLower(a.Chain), a.ID) }

// NewerThan reports whether the activity is later than other, or other is nil.
func (a *CloudActivity) NewerThan(other *CloudActivity) bool {
	return other == nil || a.Time.After(other.Time)
}

// Failed reports whether this step failed.
func (a *CloudActivity) Failed() bool { return strings.EqualFold(a.Status, "Failed") }

// Depth is the level of the operation's resource below the cluster, which is 0.
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

// SucceededSince reports whether the same operation on the same resource succeeded later.
func (s *Snapshot) SucceededSince(a *CloudActivity) bool { return s.log.succeededSince(a) }

// Overcome reports whether the failed operation, or the one that started it, succeeded later on the same resource.
func (s *Snapshot) Overcome(failure *CloudActivity) bool { return s.log.overcome(failure) }
