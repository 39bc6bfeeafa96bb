package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// roomAgain reports whether a report of the node that was made after a message of a shortage shows room on every file system that it has, that of
// the kubelet among them.
func roomAgain(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	if sig == nil || node == "" || m.Last.IsZero() || sig.Says != "inode-exhaustion" && sig.Says != "disk-pressure" {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		taken := r.TakenAt
		if taken.IsZero() {
			taken = p.Now // what was pasted was asked just before
		}
		if left, ok := kubeletsRoom(r, sig.Says == "inode-exhaustion"); ok && taken.After(m.Last) {
			return ending{left, taken}, true
		}
	}
	return ending{}, false
}

// kubeletsRoom says how much the kubelet's file system has left; false: that is not told, or some file system is short.
func kubeletsRoom(r *nodereport.Report, inodes bool) (says string, ok bool) {
	for _, fs := range r.Filesystems {
		full := FullnessOf(r, fs)
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

// moduleNotFound is what modprobe says of a module that it has no file for, be it in the kernel or not (kmod tools/modprobe.c).
var moduleNotFound = lazyregexp.New(`Module ([\w-]{2,60}) not found|Failed to find module '?([\w-]{2,60})`)

// inTheKernel reports whether a report of the node shows that the module which was searched for works: it was loaded since, or
// is a part of the kernel, of which modprobe knows nothing where the kernel's folder of modules is missing.
func inTheKernel(p *triage.Pass, m *evidence.Match) (ending, bool) {
	found := moduleNotFound.FindStringSubmatch(firstOf(m.LastText, m.Ref.Text))
	node := NodeOf(p.Snapshot, m.Subject)
	if found == nil || node == "" {
		return ending{}, false
	}
	name := strings.ReplaceAll(firstOf(found[1], found[2]), "-", "_")
	for _, r := range p.Snapshot.Reports(node) {
		i := slices.IndexFunc(r.Needs, func(n nodereport.Need) bool { return n.Kind == "module" && n.Name == name && n.State == "ok" })
		if i >= 0 && (m.Last.IsZero() || !r.TakenAt.Before(m.Last) || strings.HasSuffix(r.Needs[i].Ref, "is built in")) {
			return ending{r.Needs[i].Ref, r.TakenAt}, true
		}
	}
	return ending{}, false
}
