package collect

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// onceEvents merges equal events of the same time, and keeps the positions of the duplicates.
func onceEvents(list []*evidence.Event) []*evidence.Event {
	type says struct {
		object                                evidence.Subject
		typ, reason, message, component, host string
		count                                 int
		first, last                           time.Time
	}
	seen := make(map[says]*evidence.Event, len(list))
	return slices.DeleteFunc(list, func(e *evidence.Event) bool {
		key := says{e.Object, e.Type, e.Reason, e.Message, e.Component, e.Host, e.Count, e.First, e.Last}
		if same := seen[key]; same != nil {
			alsoAt(same, e)
			return true
		}
		seen[key] = e
		return false
	})
}
