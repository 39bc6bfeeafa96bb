package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Filesystems checks the file systems in a node report or in pasted df output: bytes and inodes of those that kubelet and runtime
// use.
var Filesystems = &triage.Rule{
	ID:    "report-filesystems",
	Doc:   "Reads df -h, df -i and mounts of the node: full file systems, full inode tables, read-only mounts.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			bytes, inodes := nodereport.Filesystem{BytesUsedPercent: -1}, nodereport.Filesystem{InodesUsedPercent: -1}
			full := facts.Fullness{}
			for _, fs := range r.Filesystems {
				if !matters(fs) {
					continue
				}
				if fs.BytesUsedPercent > bytes.BytesUsedPercent {
					bytes = fs
				}
				if fs.InodesUsedPercent > inodes.InodesUsedPercent {
					inodes = fs
				}
				f := facts.FullnessOf(r, fs)
				full.Bytes, full.Inodes = full.Bytes || f.Bytes, full.Inodes || f.Inodes
				judgeFilesystem(p, subject, r, fs, f)
			}
			if n := bytes.BytesUsedPercent; n >= 0 && !full.Bytes && !facts.NearlyFull(bytes, full) {
				p.RuleOut("disk-pressure", subject, fmt.Sprintf("the fullest file system (%s) is %d %% full", bytes.Mount, n))
			}
			if n := inodes.InodesUsedPercent; n >= 0 && !full.Inodes {
				p.RuleOut("inode-exhaustion", subject, fmt.Sprintf("at most %d %% of the inodes are used (%s)", n, inodes.Mount))
			} else if n < 0 && bytes.BytesUsedPercent >= 0 {
				p.Unknown("the inodes of "+facts.TheNode(r.Node), "df -h does not show them", "df -i")
			}
		})
	},
}

func judgeFilesystem(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, fs nodereport.Filesystem, full facts.Fullness) {
	c := triage.Claim{
		Subject: subject, Certainty: triage.Likely, Key: fs.Mount, Fill: map[string]string{"path": fs.Mount},
		Evidence: []evidence.Ref{facts.ReportRef(r, fs.Ref, "file system "+fs.Mount, "%s: %s%s", fs.Mount, facts.Usage(fs), full.By)},
	}
	if fs.BytesUsedPercent == 100 || fs.InodesUsedPercent == 100 {
		c.Certainty = triage.Certain
	}
	if facts.NearlyFull(fs, full) {
		near := c
		near.Says, near.Certainty, near.Severity = "disk-pressure", triage.Possible, catalog.Warning
		near.Summary = fmt.Sprintf("%s is %d %% full (kubelet defaults: image garbage collection from 85 %%, pod eviction below 10 %% free)", fs.Mount, fs.BytesUsedPercent)
		p.Found(near)
	}
	if full.Bytes {
		c.Says, c.Summary = "disk-pressure", fmt.Sprintf("%s is %d %% full", fs.Mount, fs.BytesUsedPercent)
		if u := facts.RotationFailed(r, fs); u != nil {
			c.Summary += ", and logrotate fails"
			c.Evidence = append(slices.Clip(c.Evidence), facts.ReportRef(r, u.Ref, u.Name, "Active: %s (%s)", u.Active, u.Sub))
		}
		p.Found(facts.Largest(c, r, fs, func(s nodereport.Size) uint64 { return s.Bytes }))
	}
	if full.Inodes {
		c.Says, c.Summary = "inode-exhaustion", fmt.Sprintf("%d %% of the inodes of %s are used", fs.InodesUsedPercent, fs.Mount)
		p.Found(facts.Largest(c, r, fs, func(s nodereport.Size) uint64 { return s.Inodes }))
	}
	if fs.ReadOnly && (slices.Contains(written, fs.Mount) || slices.ContainsFunc(fs.Holds, inVar)) {
		c.Says, c.Certainty, c.Summary = "filesystem-readonly", triage.Likely, fs.Mount+" is mounted read-only"
		p.Found(c)
	}
}

// written are mounts that a node always writes to. The root is not included: several operating systems for clusters keep it
// read-only by design.
var written = []string{
	"/var", "/var/lib", "/var/log", "/var/lib/kubelet", "/var/lib/containerd", "/var/lib/docker", "/var/lib/containers",
	"/var/lib/rancher", "/var/lib/etcd", "/mnt", "/data",
}

// inVar reports whether a folder is under /var, where kubelet, runtime and logs are.
func inVar(folder string) bool { return strings.HasPrefix(folder, "/var/") }

// matters reports whether a full file system at that mount affects the node. Read-only images (snaps, ISO) are always full, boot
// partitions stop nothing, and pod volumes only affect their pods.
func matters(fs nodereport.Filesystem) bool {
	if fs.Type == "squashfs" || fs.Type == "iso9660" || strings.Contains(fs.Mount, "/pods/") || strings.Contains(fs.Mount, "/plugins/") {
		return false
	}
	if len(fs.Holds) > 0 {
		return true
	}
	if slices.Contains(written, fs.Mount) {
		return true // on any file system
	}
	if strings.HasPrefix(fs.Device, "/dev/loop") || fs.Device == "overlay" || fs.Device == "shm" {
		return false
	}
	for _, prefix := range []string{"/var", "/run", "/tmp", "/mnt", "/data", "/opt"} {
		if fs.Mount == prefix || strings.HasPrefix(fs.Mount, prefix+"/") {
			return true
		}
	}
	return fs.Mount == "/"
}
