package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// pools groups the nodes by pool, in the order of their names; nodes without a pool are left out.
func pools(p *triage.Pass) (names []string, of map[string][]*evidence.Node) {
	of = map[string][]*evidence.Node{}
	for _, n := range p.Snapshot.Data().Nodes {
		if pool := triage.Pool(n); pool != "" {
			of[pool] = append(of[pool], n)
		}
	}
	return slices.Sorted(maps.Keys(of)), of
}

// cloudPool is the pool as the cloud shows it, or nil.
func cloudPool(p *triage.Pass, name string) *evidence.CloudPool {
	for _, r := range resources[*evidence.CloudPool](p) {
		if strings.EqualFold(r.Name, name) {
			return r
		}
	}
	return nil
}

// build is what an upgrade changes on a node: its image, or where no label tells, the kubelet's version.
func build(n *evidence.Node) string {
	if v := triage.NodeImage(n); v != "" {
		return v
	}
	return n.Node.Status.NodeInfo.KubeletVersion
}

// describeBuilds prints how many nodes have which build.
func describeBuilds(builds map[string]int) string {
	var out []string
	for _, b := range slices.Sorted(maps.Keys(builds)) {
		out = append(out, fmt.Sprintf("%s with %s", count(builds[b], "node"), b))
	}
	return strings.Join(out, ", ")
}

// upgradeReason is the annotation by which AKS tells the autoscaler why a node must stay: "upgrade".
const upgradeReason = "kubernetes.azure.com/azure-cluster-autoscaler-scale-down-disabled-reason"

// recentUpgrade is how long after its last event an upgrade may still be under way: longer than a drain may take.
const recentUpgrade = 2 * time.Hour

// upgradeSign returns what shows that the nodes are being upgraded, or "": AKS' annotation, its events, or
// the state of the pool in the cloud.
func upgradeSign(p *triage.Pass, pool string, nodes []*evidence.Node) (sign string, ref evidence.Ref) {
	var last *evidence.Event
	for _, n := range nodes {
		if n.Annotations[upgradeReason] == "upgrade" {
			return "annotation", nodeRef(n, ".metadata.annotations", "%s=upgrade", upgradeReason)
		}
		for _, e := range p.Snapshot.EventsOf(n.Subject()) {
			age, known := p.Age(e.Last)
			if (e.Reason == "Drain" || e.Reason == "Surge" || e.Reason == "Upgrade") && known && age < recentUpgrade &&
				(last == nil || e.Last.After(last.Last)) {
				last = e
			}
		}
	}
	if last != nil {
		return "event", eventRef(last)
	}
	if c := cloudPool(p, pool); c != nil && c.Stage == evidence.StageUpgrading {
		return "cloud", cloudRef(c, "provisioningState", c.State)
	}
	return "", evidence.Ref{}
}

// replacing tells whether an upgrade is just replacing the node's machine: not Ready is normal for minutes.
func replacing(p *triage.Pass, n *evidence.Node) bool {
	sign, _ := upgradeSign(p, triage.Pool(n), []*evidence.Node{n})
	age, known := p.Age(since(n))
	return n.Spec.Unschedulable && sign != "" && sign != "cloud" && known && age < 15*time.Minute
}

func cloudRef(of evidence.CloudResource, locator, text string) evidence.Ref {
	r, ref := of.Item(), of.Item().Ref
	ref.Locator, ref.Text = strings.TrimSpace(r.Type+" "+r.Name+" "+locator), text
	if ref.Source == "" {
		ref.Source = "cloud"
	}
	return ref
}

func kubelet(n *evidence.Node) string { return n.Node.Status.NodeInfo.KubeletVersion }

// cameUp is when the node was made, or became ready again.
func cameUp(n *evidence.Node) time.Time {
	up := n.CreationTimestamp.Time
	if c := n.Condition(corev1.NodeReady); c != nil && c.Status == corev1.ConditionTrue && c.LastTransitionTime.After(up) {
		up = c.LastTransitionTime.Time
	}
	return up.UTC()
}

// workers are the nodes of no pool that are not of the control plane.
func workers(p *triage.Pass) (out []*evidence.Node) {
	for _, n := range p.Snapshot.Data().Nodes {
		if _, master := n.Labels["node-role.kubernetes.io/control-plane"]; triage.Pool(n) == "" && !master {
			out = append(out, n)
		}
	}
	return out
}
