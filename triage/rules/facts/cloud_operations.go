package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// OperationTime is how long a pool operation without a drain may take. Creations take up to 8 minutes and reconciles up to 10;
// after an hour the service itself counts it as stalled.
const OperationTime = time.Hour

// OperationOn returns the start of an operation on the resource, or one below it, that has not ended, or nil.
func OperationOn(p *triage.Pass, r *evidence.CloudItem) *evidence.CloudActivity {
	ended := map[string]bool{}
	for _, a := range p.Snapshot.Data().CloudActivities {
		if s := strings.ToLower(a.Status); s == "succeeded" || s == "failed" || s == "canceled" {
			ended[a.ID] = true
		}
	}
	var first *evidence.CloudActivity
	for _, a := range p.Snapshot.Data().CloudActivities {
		if a.ID == "" || ended[a.ID] || !OnResource(a, r.ID) {
			continue
		}
		if first == nil || a.Time.Before(first.Time) {
			first = a
		}
	}
	return first
}

// OnResource reports whether an activity is about the resource of that id, or one below it.
func OnResource(a *evidence.CloudActivity, id string) bool {
	on, id := strings.ToLower(a.Resource), strings.ToLower(id)
	return id != "" && (on == id || strings.HasPrefix(on, id+"/"))
}
