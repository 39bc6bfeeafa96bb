package facts

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/nodereport"
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

// Where nobody knows the kubelet's thresholds: it evicts below 10 % of the bytes or 5 % of the inodes by default.
const (
	fullBytes  = 90 // percent used
	fullInodes = 95
)
