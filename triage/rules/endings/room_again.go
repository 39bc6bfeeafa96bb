package endings

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// RoomAgain ends a shortage of bytes or inodes where a report of the node, made later, shows room on every file system that it has,
// that of the kubelet among them.
var RoomAgain = &triage.Ending{
	ID:     "room-again",
	Doc:    "A later report of the node shows room on all its file systems.",
	Ends:   []string{"room"},
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		for _, r := range p.Snapshot.Reports(f.Node) {
			taken := facts.TimeOf(p, r)
			if left, ok := kubeletsRoom(r, f.Says == "inode-exhaustion"); ok && taken.After(f.Last) {
				return triage.End{By: left, At: taken}, true
			}
		}
		return triage.End{}, false
	},
}

// kubeletsRoom says how much the kubelet's file system has left; false: that is not told, or some file system is short.
func kubeletsRoom(r *nodereport.Report, inodes bool) (says string, ok bool) {
	for _, fs := range r.Filesystems {
		full := facts.FullnessOf(r, fs)
		used, what := fs.BytesUsedPercent, "bytes"
		if inodes {
			used, what, full.Bytes = fs.InodesUsedPercent, "inodes", full.Inodes
		}
		if full.Bytes {
			return "", false
		}
		if used >= 0 && (fs.Mount == kubeletHome || slices.Contains(fs.Holds, kubeletHome)) {
			says, ok = fmt.Sprintf("%s has room: %d %% of its %s are used", fs.Mount, used, what), true
		}
	}
	return says, ok
}

// kubeletHome is where the kubelet keeps its own, unless it was told otherwise.
const kubeletHome = "/var/lib/kubelet"
