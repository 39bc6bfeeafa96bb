package rules

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/nodereport"
)

// fullness tells whether a file system is short of bytes or of inodes, and by which thresholds of the kubelet.
type fullness struct {
	bytes, inodes bool
	by            string
}

// fullnessOf judges by the thresholds that the kubelet was given, on what it watches: what it keeps itself (nodefs) and
// what the runtime keeps, if that is elsewhere (imagefs).
func fullnessOf(r *nodereport.Report, fs nodereport.Filesystem) fullness {
	out := fullness{bytes: fs.BytesUsedPercent >= fullBytes, inodes: fs.InodesUsedPercent >= fullInodes}
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
	if t, configured := hardThreshold(settings, signals+".available"); configured && fs.Bytes > 0 {
		out.bytes, out.by = fs.BytesFree < t.of(fs.Bytes), "; the kubelet's "+t.String()
	}
	if t, configured := hardThreshold(settings, signals+".inodesFree"); configured && fs.Inodes > 0 {
		out.inodes = fs.InodesFree < t.of(fs.Inodes)
	}
	return out
}
