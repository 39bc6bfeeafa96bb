package endings

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// RoomAgain resolves a shortage of bytes or inodes if a later node report shows free space on all file systems, including the
// kubelet's.
var RoomAgain = &triage.Ending{
	ID:     "room-again",
	Doc:    "A later report of the node shows free space on all file systems.",
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

// kubeletsRoom describes what the kubelet's file system has left; false: unknown, or some file system is short.
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
			says, ok = fmt.Sprintf("%s has free space: %d %% of its %s are used", fs.Mount, used, what), true
		}
	}
	return says, ok
}

// kubeletHome is the default root directory of the kubelet.
const kubeletHome = "/var/lib/kubelet"
