package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Pools groups the nodes by pool, in the order of their names; nodes without a pool are left out.
func Pools(p *triage.Pass) (names []string, of map[string][]*evidence.Node) {
	of = map[string][]*evidence.Node{}
	for _, n := range p.Snapshot.Nodes() {
		if pool := triage.Pool(n); pool != "" {
			of[pool] = append(of[pool], n)
		}
	}
	return slices.Sorted(maps.Keys(of)), of
}

// CloudPool is the pool as the cloud shows it, or nil.
func CloudPool(p *triage.Pass, name string) *evidence.CloudPool {
	for _, r := range Resources[*evidence.CloudPool](p) {
		if strings.EqualFold(r.Name, name) {
			return r
		}
	}
	return nil
}

// Build is what an upgrade changes on a node: its image, or where no label tells, the kubelet's version.
func Build(n *evidence.Node) string {
	if v := triage.NodeImage(n); v != "" {
		return v
	}
	return n.Node.Status.NodeInfo.KubeletVersion
}

// DescribeBuilds prints how many nodes have which build.
func DescribeBuilds(builds map[string]int) string {
	var out []string
	for _, b := range slices.Sorted(maps.Keys(builds)) {
		out = append(out, fmt.Sprintf("%s with %s", wording.Count(builds[b], "node"), b))
	}
	return strings.Join(out, ", ")
}

// upgradeReason is the annotation by which the service tells the autoscaler why a node must stay: "upgrade".
const upgradeReason = evidence.AnnotationNoScaleDown

// RecentUpgrade is how long after its last event an upgrade may still be under way: longer than a drain may take.
const RecentUpgrade = 2 * time.Hour

// upgradeEvents are the reasons of the events that the service writes of a node that it upgrades.
var upgradeEvents = map[string]bool{"Drain": true, "Surge": true, "Upgrade": true}

// UpgradeSign returns what shows that the nodes are being upgraded, or "": the service's annotation, its events, or
// the state of the pool in the cloud.
func UpgradeSign(p *triage.Pass, pool string, nodes []*evidence.Node) (sign string, ref evidence.Ref) {
	var last *evidence.Event
	for _, n := range nodes {
		if n.Annotations[upgradeReason] == "upgrade" {
			return "annotation", NodeRef(n, ".metadata.annotations", "%s=upgrade", upgradeReason)
		}
		for _, e := range p.Snapshot.EventsOf(n.Subject()) {
			age, known := p.Age(e.Last)
			if upgradeEvents[e.Reason] && known && age < RecentUpgrade && e.NewerThan(last) {
				last = e
			}
		}
	}
	if last != nil {
		return "event", EventRef(last)
	}
	if c := CloudPool(p, pool); c != nil && c.Stage == evidence.StageUpgrading {
		return "cloud", CloudRef(c, "provisioningState", c.State)
	}
	return "", evidence.Ref{}
}

// Replacing reports whether an upgrade is just replacing the node's machine: not Ready is normal for minutes.
func Replacing(p *triage.Pass, n *evidence.Node) bool {
	sign, _ := UpgradeSign(p, triage.Pool(n), []*evidence.Node{n})
	own := sign != "" && sign != "cloud" // the cloud tells of a pool, and not which of its nodes has its turn
	age, known := p.Age(Since(n))
	return n.Spec.Unschedulable && own && known && age < 15*time.Minute
}

// KubeletVersion is that which the node reports.
func KubeletVersion(n *evidence.Node) string { return n.Node.Status.NodeInfo.KubeletVersion }

// CameUp is when the node was made, or became ready again.
func CameUp(n *evidence.Node) time.Time {
	up := n.CreationTimestamp.Time
	if c := n.Condition(corev1.NodeReady); c != nil && c.Status == corev1.ConditionTrue && c.LastTransitionTime.After(up) {
		up = c.LastTransitionTime.Time
	}
	return up.UTC()
}

// Workers are the nodes of no pool that are not of the control plane.
func Workers(p *triage.Pass) (out []*evidence.Node) {
	for _, n := range p.Snapshot.Nodes() {
		if _, master := n.Labels["node-role.kubernetes.io/control-plane"]; triage.Pool(n) == "" && !master {
			out = append(out, n)
		}
	}
	return out
}
