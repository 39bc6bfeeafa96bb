package evidence

import (
	"strings"
	"time"
)

// activities are the entries of the cloud's activity log by what they are looked up by: a log has thousands.
type activities struct {
	byID      map[string][]*CloudActivity
	byChain   map[string][]*CloudActivity
	byTime    map[int64][]*CloudActivity
	succeeded map[string]time.Time // newest success by doing
}

func indexActivities(list []*CloudActivity) activities {
	x := activities{
		byID: map[string][]*CloudActivity{}, byChain: map[string][]*CloudActivity{},
		byTime: map[int64][]*CloudActivity{}, succeeded: map[string]time.Time{},
	}
	for _, a := range list {
		if a.ID != "" {
			x.byID[a.ID] = append(x.byID[a.ID], a)
		}
		if chain := strings.ToLower(a.Chain); chain != "" {
			x.byChain[chain] = append(x.byChain[chain], a)
		}
		x.byTime[a.Time.UnixNano()] = append(x.byTime[a.Time.UnixNano()], a)
		if doing := a.doing(); strings.EqualFold(a.Status, "Succeeded") && a.Time.After(x.succeeded[doing]) {
			x.succeeded[doing] = a.Time
		}
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

// Story returns the entry and those of its story, in the order of the log: steps of the same operation, and operations that
// the same request set off.
func (s *Snapshot) Story(a *CloudActivity) []*CloudActivity {
	out := []*CloudActivity{a}
	for _, b := range s.log.byID[a.ID] {
		if b != a {
			out = append(out, b)
		}
	}
	for _, b := range s.log.byChain[strings.ToLower(a.Chain)] {
		if b != a && (a.ID == "" || b.ID != a.ID) {
			out = append(out, b)
		}
	}
	return out
}

// SucceededSince tells whether the operation of the entry worked on the same resource later.
func (s *Snapshot) SucceededSince(a *CloudActivity) bool {
	return s.log.succeeded[a.doing()].After(a.Time)
}
