package rules

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// reportFilesystems judges the file systems that a node's own report or a pasted df shows: bytes and inodes
// of those that kubelet and runtime live on.
var reportFilesystems = &triage.Rule{
	ID:  "report-filesystems",
	Doc: "Reads df -h and df -i of the node: full file systems, full inode tables, read-only mounts.",
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, fs := range r.Filesystems {
				if !matters(fs) {
					continue
				}
				ref := reportRef(r, fs.Ref, "file system "+fs.Mount, "%s: %s", fs.Mount, usage(fs))
				confidence := triage.Likely
				if fs.BytesUsedPercent == 100 || fs.InodesUsedPercent == 100 {
					confidence = triage.Certain
				}
				if fs.BytesUsedPercent >= 90 {
					p.Found(triage.Claim{
						Says: "disk-pressure", Subject: subject, Confidence: confidence, Evidence: []evidence.Ref{ref}, Key: fs.Mount,
						Fill: map[string]string{"path": fs.Mount}, Summary: fmt.Sprintf("%s is %d %% full", fs.Mount, fs.BytesUsedPercent),
					})
				} else if fs.BytesUsedPercent >= 0 {
					p.RuleOut("disk-pressure", subject, fmt.Sprintf("%s is %d %% full", fs.Mount, fs.BytesUsedPercent))
				}
				if fs.InodesUsedPercent >= 95 {
					p.Found(triage.Claim{
						Says: "inode-exhaustion", Subject: subject, Confidence: confidence, Evidence: []evidence.Ref{ref}, Key: fs.Mount,
						Fill: map[string]string{"path": fs.Mount}, Summary: fmt.Sprintf("%d %% of the inodes of %s are used", fs.InodesUsedPercent, fs.Mount),
					})
				} else if fs.InodesUsedPercent >= 0 {
					p.RuleOut("inode-exhaustion", subject, fmt.Sprintf("%d %% of the inodes of %s are used", fs.InodesUsedPercent, fs.Mount))
				}
				if fs.ReadOnly {
					p.Found(triage.Claim{
						Says: "filesystem-readonly", Subject: subject, Confidence: triage.Likely, Evidence: []evidence.Ref{ref}, Key: fs.Mount,
						Summary: fs.Mount + " is mounted read-only",
					})
				}
			}
		})
	},
}

// matters tells whether a full file system at that mount hurts the node: read-only images (snaps, ISO) are
// always full, boot partitions stop nothing.
func matters(fs nodereport.Filesystem) bool {
	if strings.HasPrefix(fs.Device, "/dev/loop") || fs.Type == "squashfs" || fs.Type == "iso9660" || strings.HasPrefix(fs.Mount, "/snap/") {
		return false
	}
	for _, prefix := range []string{"/var", "/run", "/tmp", "/mnt", "/data", "/opt", "/etc"} {
		if fs.Mount == prefix || strings.HasPrefix(fs.Mount, prefix+"/") {
			return true
		}
	}
	return fs.Mount == "/"
}

func usage(fs nodereport.Filesystem) string {
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

// eachReport visits what nodes said about themselves, in the order of the evidence.
func eachReport(p *triage.Pass, visit func(evidence.Subject, *nodereport.Report)) {
	for _, r := range p.Snapshot.Data().NodeReports {
		subject := evidence.Subject{}
		if r.Node != "" {
			subject = evidence.NodeSubject(r.Node)
		}
		visit(subject, r)
	}
}

func reportRef(r *nodereport.Report, line, locator, format string, args ...any) evidence.Ref {
	ref := evidence.Ref{Source: r.Source, Locator: locator, Text: line, ObservedAt: r.TakenAt}
	if line == "" {
		ref.Text = fmt.Sprintf(format, args...)
	}
	if ref.Source == "" {
		ref.Source = "report of node/" + r.Node
	}
	return ref
}
