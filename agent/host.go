package agent

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Host is the machine during one snapshot.
type Host struct {
	root       string
	now        time.Time
	since      time.Time // start time for logs
	signatures *signatures.Set
	system     system
	absent     *absent
	before     *before
	timeouts   timeouts
	paced      bool // one of many snapshots, so no test traffic is sent

	kubelet func() settings // computed at the first use
}

func newHost(opt Options, sys system, out *absent) *Host {
	h := &Host{root: filepath.Clean(opt.Root), now: sys.now(), signatures: opt.Signatures, system: sys, absent: out, before: &before{}, timeouts: defaultTimeouts, paced: opt.Pace > 0}
	h.since = h.now.Add(-opt.Since)
	h.kubelet = sync.OnceValue(func() settings { return findSettings(h) })
	return h
}

// nodeName returns the node name of the machine, if it is known.
func (h *Host) nodeName() string {
	if name := h.kubelet().node; name != "" {
		return name
	}
	return strings.ToLower(h.hostname())
}

func (h *Host) hostname() string {
	return cmp.Or(h.text("/proc/sys/kernel/hostname"), h.text("/etc/hostname"))
}

func sortEntries(entries []fs.DirEntry) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
}

// machineRoot reports whether the folder is the root of a running machine, the local one or the host of this container.
// Only then do system calls describe the same machine as the files.
func machineRoot(root string) bool {
	if filepath.Clean(root) == "/" {
		return true
	}
	theirs, err := os.ReadFile(filepath.Join(root, "proc/sys/kernel/random/boot_id"))
	if err != nil {
		return false
	}
	ours, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return err == nil && string(ours) == string(theirs)
}
