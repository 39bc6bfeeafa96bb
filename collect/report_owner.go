package collect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

// fromReport is what a report added to the evidence, so that it can be removed.
type fromReport struct {
	path    string // path of the report file, including archives
	claimed string // the node that the report names, if the transport names another
	matches []*evidence.Match
	kubelet *evidence.Kubelet
}

// brought returns what the report added; the caller holds the lock.
func (b *Builder) brought(r *nodereport.Report) *fromReport {
	if b.reports[r] == nil {
		b.reports[r] = &fromReport{}
	}
	return b.reports[r]
}

// savedArchive matches the path of files in an agent archive that drain and repair saved (nodereport.SavedAs).
var savedArchive = lazyregexp.New(`(?:^|/)saved-([A-Za-z0-9_-]+)-\d{8}T\d{6}Z/`)

// ownReports assigns each report to its machine. The transport is more reliable than the content. A report fetched from an agent
// belongs to that node, and a report in a fetched archive to the node in the archive name. In any other file, the report names its
// node, without proof. If the Node object shows another machine, the report is left out.
func (b *Builder) ownReports(d *evidence.Data) {
	nodes := map[string]*evidence.Node{}
	for _, n := range d.Nodes {
		nodes[n.Name] = n
	}
	out := map[*nodereport.Report]bool{}
	for _, r := range d.NodeReports {
		if r == nil {
			continue
		}
		if isNodeReport(r) { // else it is a pasted text, or holds only kept reports
			b.ownArchive(d, r)
			b.tellClaim(d, r, nodes)
			out[r] = b.foreign(d, r, r.Node, nodes)
		}
		r.Earlier = slices.DeleteFunc(r.Earlier, func(e *nodereport.Report) bool { return e != nil && b.foreign(d, e, r.Node, nodes) })
	}
	matches, drop := map[*evidence.Match]bool{}, map[*evidence.Kubelet]bool{}
	for r, is := range out {
		if !is {
			continue
		}
		for _, k := range d.Kubelets { // in a bundle, nothing else shows their origin
			drop[k] = drop[k] || k != nil && k.Node == r.Node && k.TakenAt.Equal(r.TakenAt)
		}
		if said := b.reports[r]; said != nil {
			for _, m := range said.matches {
				matches[m] = true
			}
		}
	}
	d.NodeReports = slices.DeleteFunc(d.NodeReports, func(r *nodereport.Report) bool { return out[r] })
	d.Matches = slices.DeleteFunc(d.Matches, func(m *evidence.Match) bool { return matches[m] })
	d.Kubelets = slices.DeleteFunc(d.Kubelets, func(k *evidence.Kubelet) bool { return drop[k] })
}

// ownArchive assigns a report in a fetched archive to the node in the archive name.
func (b *Builder) ownArchive(d *evidence.Data, r *nodereport.Report) {
	said := b.brought(r)
	m := savedArchive.FindStringSubmatch(said.path)
	if m == nil {
		return
	}
	named := func(node string) bool { return nodereport.SavedOf(node) == m[1] }
	if named(r.Node) {
		return
	}
	owner := m[1]
	for _, n := range d.Nodes {
		if named(n.Name) {
			owner = n.Name
		}
	}
	said.claimed, r.Node = r.Node, owner
	for _, match := range said.matches {
		if match.Subject.Kind == "Node" {
			match.Subject.Name = owner
		}
	}
	if said.kubelet != nil {
		said.kubelet.Node = owner
	}
}

// tellClaim adds a gap if a report names another node of the cluster than its own.
func (b *Builder) tellClaim(d *evidence.Data, r *nodereport.Report, nodes map[string]*evidence.Node) {
	said := b.reports[r]
	if said == nil || said.claimed == "" || said.claimed == r.Node || nodes[said.claimed] == nil {
		return
	}
	d.Gaps = append(d.Gaps, evidence.Gap{
		What: b.door.clean(r.Source), Why: fmt.Sprintf("the report claims to be of node/%s; it counts only for node/%s because of its source", said.claimed, r.Node),
	})
}

// foreign reports whether the Node object shows another machine than the report, and adds a gap.
func (b *Builder) foreign(d *evidence.Data, r *nodereport.Report, node string, nodes map[string]*evidence.Node) bool {
	why := ""
	switch {
	case r.Node != "" && r.Node != node: // among the earlier reports of another
		why = "it is kept as an earlier report of another node"
	case nodes[node] != nil && r.Machine != nil:
		why = otherMachine(r, nodes[node], d.Nodes)
	}
	if why == "" {
		return false
	}
	d.Gaps = append(d.Gaps, evidence.Gap{
		What: b.door.clean(r.Source),
		Why:  wording.Cut(b.door.clean(fmt.Sprintf("not used as a report of node/%s: %s", r.Node, why)), maxEvidence),
	})
	return true
}

// otherMachine describes how the machine of a report differs from the Node object; empty: no difference. The same boot ID is the
// same machine. Another boot ID may be a reboot.
func otherMachine(r *nodereport.Report, n *evidence.Node, all []*evidence.Node) string {
	m, info := r.Machine, n.Node.Status.NodeInfo
	if same(m.BootID, info.BootID) {
		return ""
	}
	switch {
	case differ(m.SystemUUID, info.SystemUUID):
		return "its system UUID differs from the Node object's"
	case differ(m.MachineID, info.MachineID):
		return "its machine ID differs from the Node object's"
	}
	for _, o := range all {
		if o.Name != n.Name && same(m.BootID, o.Node.Status.NodeInfo.BootID) {
			return "its boot ID is that of node/" + o.Name
		}
	}
	if differ(m.BootID, info.BootID) && reportedWithin(n, m.Booted, r.TakenAt) {
		return "the kubelet reported another boot ID while this node was running"
	}
	return ""
}

// clocksApart is how far the clocks of kubelet and report may differ before one time counts as earlier.
const clocksApart = time.Minute

// reportedWithin reports whether the kubelet posted the node status, and so the boot ID, between the two times.
func reportedWithin(n *evidence.Node, booted, taken time.Time) bool {
	if booted.IsZero() {
		return false
	}
	return slices.ContainsFunc(n.Node.Status.Conditions, func(c corev1.NodeCondition) bool {
		at := c.LastHeartbeatTime.Time
		return c.Status != corev1.ConditionUnknown && at.After(booted.Add(clocksApart)) && at.Before(taken.Add(-clocksApart))
	})
}

func same(a, b string) bool   { return a != "" && plainID(a) == plainID(b) }
func differ(a, b string) bool { return a != "" && b != "" && plainID(a) != plainID(b) }

// plainID normalizes an ID: systemd writes machine IDs without dashes, firmware UUIDs are upper case.
func plainID(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }
