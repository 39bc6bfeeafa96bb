package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Fullness reports whether a file system is short of bytes or inodes, and by which kubelet threshold.
type Fullness struct {
	Bytes, Inodes bool
	By            string
}

// FullnessOf applies the configured kubelet thresholds to the file systems that it watches: its own (nodefs) and that of the
// runtime if it is separate (imagefs).
func FullnessOf(r *nodereport.Report, fs nodereport.Filesystem) Fullness {
	out := Fullness{Bytes: fs.BytesUsedPercent >= fullBytes, Inodes: fs.InodesUsedPercent >= fullInodes}
	if r.Kubelet == nil {
		return out
	}
	settings := r.Kubelet.Settings
	holds := func(fs nodereport.Filesystem, folders ...string) bool {
		return slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(fs.Holds, f) })
	}
	home := cmp.Or(settings["rootDir"], "/var/lib/kubelet")
	signals := ""
	if slices.ContainsFunc(r.Filesystems, func(f nodereport.Filesystem) bool { return holds(f, home) && f.Device == fs.Device }) {
		signals = "nodefs"
	} else if holds(fs, "/var/lib/containerd", "/var/lib/containers", "/var/lib/docker") {
		signals = "imagefs"
	}
	if t, configured := HardThreshold(settings, signals+".available"); configured && fs.Bytes > 0 {
		out.Bytes, out.By = fs.BytesFree < t.Of(fs.Bytes), "; the kubelet's "+t.String()
	}
	if t, configured := HardThreshold(settings, signals+".inodesFree"); configured && fs.Inodes > 0 {
		out.Inodes = fs.InodesFree < t.Of(fs.Inodes)
	}
	return out
}

// NearlyFull reports whether a file system is a few points below the default eviction threshold. If the kubelet reports its
// threshold, only that counts.
func NearlyFull(fs nodereport.Filesystem, full Fullness) bool {
	return !full.Bytes && full.By == "" && fs.BytesUsedPercent > fullBytes-nearly && fs.BytesUsedPercent < fullBytes
}

const nearly = 3 // points; above it, image garbage collection keeps the disk usable

// Used if the kubelet's thresholds are unknown: by default it evicts below 10 % of the bytes or 5 % of the inodes.
const (
	fullBytes  = 90 // percent used
	fullInodes = 95
)

// Usage describes how full a file system is.
func Usage(fs nodereport.Filesystem) string {
	var parts []string
	if fs.BytesUsedPercent >= 0 {
		parts = append(parts, fmt.Sprintf("%d %% of bytes used", fs.BytesUsedPercent))
	}
	if fs.InodesUsedPercent >= 0 {
		parts = append(parts, fmt.Sprintf("%d %% of inodes used", fs.InodesUsedPercent))
	}
	if fs.ReadOnly {
		parts = append(parts, "read-only")
	}
	return strings.Join(parts, ", ")
}
