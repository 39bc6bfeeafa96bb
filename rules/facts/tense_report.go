package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
)

// pluginNotFound is what says that a network plugin is in none of some folders (containernetworking/cni pkg/invoke/find.go, v1.3).
var pluginNotFound = lazyregexp.New(`failed to find plugin \\*"([^"\\]{1,100})\\*" in path \[([^\]]{1,300})\]`)

// refutedByReport reports whether a report of the node that was made after a message shows the network plugin that the message
// missed.
func refutedByReport(p *triage.Pass, m *evidence.Match) (ending, bool) {
	found := pluginNotFound.FindStringSubmatch(firstOf(m.LastText, m.Ref.Text))
	node := NodeOf(p.Snapshot, m.Subject)
	if found == nil || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		if c := r.CNI; c != nil && r.TakenAt.After(m.Last) && slices.Contains(strings.Fields(found[2]), c.BinDir) && slices.Contains(c.Binaries, found[1]) && !LacksPlugin(c) {
			return ending{"plugin " + found[1] + " is in " + c.BinDir + " again", r.TakenAt}, true
		}
	}
	return ending{}, false
}
