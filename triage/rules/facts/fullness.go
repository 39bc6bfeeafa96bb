package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Fullness reports whether a file system is short of bytes or of inodes, and by which thresholds of the kubelet.
type Fullness struct {
	Bytes, Inodes bool
	By            string
}

// FullnessOf judges by the thresholds that the kubelet was given, on what it watches: what it keeps itself (nodefs) and
// what the runtime keeps, if that is elsewhere (imagefs).
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

// NearlyFull reports whether a file system is a few points from where a kubelet evicts by default; one whose kubelet told its own
// threshold is judged by that alone.
func NearlyFull(fs nodereport.Filesystem, full Fullness) bool {
	return !full.Bytes && full.By == "" && fs.BytesUsedPercent > fullBytes-nearly && fs.BytesUsedPercent < fullBytes
}

const nearly = 3 // points: above it the collection of images keeps a disk that works

// Where nobody knows the kubelet's thresholds: it evicts below 10 % of the bytes or 5 % of the inodes by default.
const (
	fullBytes  = 90 // percent used
	fullInodes = 95
)

// Usage says how full a file system is.
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
