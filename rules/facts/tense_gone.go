package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
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
