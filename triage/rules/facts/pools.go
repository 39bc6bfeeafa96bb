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

// Pools groups the nodes by pool, sorted by name. Nodes without a pool are left out.
func Pools(p *triage.Pass) (names []string, of map[string][]*evidence.Node) {
	of = map[string][]*evidence.Node{}
	for _, n := range p.Snapshot.Nodes() {
		if pool := triage.Pool(n); pool != "" {
			of[pool] = append(of[pool], n)
		}
	}
	return slices.Sorted(maps.Keys(of)), of
}

// CloudPool returns the pool from the cloud state, or nil.
func CloudPool(p *triage.Pass, name string) *evidence.CloudPool {
	for _, r := range Resources[*evidence.CloudPool](p) {
		if strings.EqualFold(r.Name, name) {
			return r
		}
	}
	return nil
}

// Build returns what an upgrade changes on a node: its image, or the kubelet version if no label shows the image.
func Build(n *evidence.Node) string {
	if v := triage.NodeImage(n); v != "" {
		return v
	}
	return n.Node.Status.NodeInfo.KubeletVersion
}

// DescribeBuilds prints how many nodes have each build.
func DescribeBuilds(builds map[string]int) string {
	var out []string
	for _, b := range slices.Sorted(maps.Keys(builds)) {
		out = append(out, fmt.Sprintf("%s with %s", wording.Count(builds[b], "node"), b))
	}
	return strings.Join(out, ", ")
}

// upgradeReason is the annotation with which the service tells the autoscaler to keep a node: "upgrade".
const upgradeReason = evidence.AnnotationNoScaleDown

// RecentUpgrade is how long after its last event an upgrade may still be running: longer than a drain may take.
const RecentUpgrade = 2 * time.Hour

// upgradeEvents are the event reasons that the service writes for a node during an upgrade.
var upgradeEvents = map[string]bool{"Drain": true, "Surge": true, "Upgrade": true}

// UpgradeSign returns what shows that the nodes are being upgraded, or "": the service's annotation, its events, or the pool state
// in the cloud.
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

// Replacing reports whether an upgrade is replacing the node's machine. NotReady is normal for minutes then.
func Replacing(p *triage.Pass, n *evidence.Node) bool {
	sign, _ := UpgradeSign(p, triage.Pool(n), []*evidence.Node{n})
	own := sign != "" && sign != "cloud" // the cloud state is of the pool, and does not show which node is being upgraded
	age, known := p.Age(Since(n))
	return n.Spec.Unschedulable && own && known && age < 15*time.Minute
}

// KubeletVersion returns the kubelet version that the node reports.
func KubeletVersion(n *evidence.Node) string { return n.Node.Status.NodeInfo.KubeletVersion }

// CameUp returns when the node was created, or became Ready again.
func CameUp(n *evidence.Node) time.Time {
	up := n.CreationTimestamp.Time
	if c := n.Condition(corev1.NodeReady); c != nil && c.Status == corev1.ConditionTrue && c.LastTransitionTime.After(up) {
		up = c.LastTransitionTime.Time
	}
	return up.UTC()
}

// Workers returns the nodes without a pool that are not control plane nodes.
func Workers(p *triage.Pass) (out []*evidence.Node) {
	for _, n := range p.Snapshot.Nodes() {
		if _, master := n.Labels["node-role.kubernetes.io/control-plane"]; triage.Pool(n) == "" && !master {
			out = append(out, n)
		}
	}
	return out
}
