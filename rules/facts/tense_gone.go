package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// limitLifted reports whether a report of the node, made after the kernel killed a unit at its memory limit, shows that the unit was
// started since and has no limit any more. With the limit still there it is only a matter of time.
func limitLifted(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	unit := m.Captures["unit"]
	if sig == nil || sig.Says != "service-memory-limit" || node == "" || unit == "" || strings.HasSuffix(unit, ".slice") || m.Last.IsZero() {
		return ending{}, false
	}
	unit = strings.TrimSuffix(unit, ".service") + ".service"
	for _, r := range p.Snapshot.Reports(node) {
		for _, u := range r.Units {
			if u.Name == unit && u.Active == "active" && u.MemoryMax == 0 && u.Since.After(m.Last) {
				return ending{unit + " runs without a memory limit since " + stamp(u.Since), u.Since}, true
			}
		}
	}
	return ending{}, false
}

// threadsAgain reports whether a report of the node shows that the unit whose process could not make a thread or a process was started
// since, and that neither it nor the node is near a limit.
func threadsAgain(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	if sig == nil || sig.Says != "pid-exhaustion" && sig.Says != "cannot-fork" || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		if r.Tasks == nil || scarce(r.Tasks.Current, r.Tasks.Max) {
			continue
		}
		for _, u := range r.Units {
			if u.Name == string(m.Speaker)+".service" && u.Active == "active" && u.Since.After(m.Last) && r.TakenAt.Sub(u.Since) > settled && u.Tasks > 0 && !scarce(u.Tasks, u.TasksMax) {
				return ending{fmt.Sprintf("%s runs since %s with %s, of the node's %d of %d", u.Name, stamp(u.Since), wording.Count(u.Tasks, "thread"), r.Tasks.Current, r.Tasks.Max), u.Since}, true
			}
		}
	}
	return ending{}, false
}

// scarce reports whether more than four fifths of what there may be are in use; no limit is 0.
func scarce(used, most int) bool { return most > 0 && used*5 > most*4 }

// noShimLeft reports whether a report of the node that was made after a message shows no more shims than sandboxes: none was left behind.
func noShimLeft(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	if sig == nil || sig.Says != "shim-leak" || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		rt := r.Runtime
		if rt != nil && rt.Shims != nil && rt.Sandboxes != nil && r.TakenAt.After(m.Last) && *rt.Shims <= len(rt.Sandboxes) {
			return ending{wording.Count(*rt.Shims, "shim") + " for " + wording.Count(len(rt.Sandboxes), "sandbox"), r.TakenAt}, true
		}
	}
	return ending{}, false
}

// settled is how long, at the least, a kubelet must run before it counts as one that stays up: most that fail do so within a minute.
const settled = 2 * time.Minute

// loopsNoMore reports whether a report of the node shows that a kubelet which was started over and over runs since its last start,
// for much longer than it did before, or was stopped since, so that systemd starts it no more.
func loopsNoMore(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	if sig == nil || sig.Says != "kubelet-crash-looping" || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		i := slices.IndexFunc(r.Units, func(u nodereport.Unit) bool {
			_, looping := SaidByUnit(u.Name)
			stopped := u.Active == "inactive" && u.Restarts == 0
			return looping == sig.Says && u.Since.After(m.Last) && (stopped || u.Active == "active" && r.TakenAt.Sub(u.Since) > again(m))
		})
		if i >= 0 {
			u := r.Units[i]
			return ending{fmt.Sprintf("%s is %s since %s", u.Name, u.Active, stamp(u.Since)), u.Since}, true
		}
	}
	return ending{}, false
}
