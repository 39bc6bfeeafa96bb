package doubts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Unmounted doubts the error of a device that went away while the kernel unmounted its file system: no workload uses that device.
var Unmounted = &triage.Doubt{
	ID:     "unmounted",
	Doc:    "The kernel was unmounting the file system of the device, and all nodes are Ready.",
	AtMost: triage.Possible,
	Reads:  []evidence.Kind{evidence.Nodes},
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		if !ofDevice[f.Says] || !allReady(p) {
			return false
		}
		return slices.ContainsFunc(p.Snapshot.MatchesOf("kernel-ext4-unmount-failed"), func(m *evidence.Match) bool {
			return m.Ref.Source == f.Ref.Source && namesDevice(f, m.Captures["device"])
		})
	},
}

// ofDevice are the causes whose kernel messages name a block device.
var ofDevice = map[string]bool{"disk-hardware-failure": true, "filesystem-readonly": true}

// namesDevice reports whether the first and the last line of a message name the device.
func namesDevice(f *triage.Failure, device string) bool {
	lines := []string{f.Ref.Text, f.LastText}
	return device != "" && !slices.ContainsFunc(lines, func(line string) bool { return line != "" && !strings.Contains(line, device) })
}

// allReady reports whether the evidence has nodes and all are Ready. A dump may show their state before its logs.
func allReady(p *triage.Pass) bool {
	nodes := p.Snapshot.Nodes()
	return len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return n.Ready() != evidence.True })
}
