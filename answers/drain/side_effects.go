package drain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// sideEffects finds the side effects of cordoning and draining the nodes.
func (b *builder) sideEffects(pods []*candidate) {
	b.cordons()
	b.spread(pods)
	b.primaries(pods)
	b.deadCreation(pods)
}

// cordons finds nodes that are cordoned already, and a cluster without schedulable nodes.
func (b *builder) cordons() {
	if b.OpenNodes() == 0 && b.Covers(evidence.Nodes) == evidence.Complete {
		b.add("no other node is schedulable: evicted pods are Pending until one is")
	}
	for _, name := range b.opt.Nodes {
		if n := b.Node(name); n.Spec.Unschedulable {
			text := ""
			if at, by := n.CordonedBy(); by != "" {
				text = " by " + by
			} else if !at.IsZero() {
				text = " (since " + at.Format("2006-01-02 15:04:05Z") + ")"
			}
			b.add("node %s is already cordoned%s; the drain does not remove this cordon", name, text)
		}
	}
}

func (b *builder) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(b.plan.SideEffects, text) {
		b.plan.SideEffects = append(b.plan.SideEffects, text)
	}
}

// spread finds topology constraints that still count the closed nodes. By default they ignore a node's taints, so a domain with
// only closed nodes stays the emptiest one (kubernetes pkg/scheduler/framework/plugins/podtopologyspread/common.go, v1.36.3).
func (b *builder) spread(pods []*candidate) {
	for _, c := range pods {
		if !c.replaced() || c.pod.Spec == nil {
			continue
		}
		for _, t := range c.pod.Spec.TopologySpreadConstraints {
			honours := t.NodeTaintsPolicy != nil && *t.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor
			if t.WhenUnsatisfiable != corev1.DoNotSchedule || honours || !b.onlyClosed(t.TopologyKey) {
				continue
			}
			b.add("%s spreads by %s with maxSkew %d, and cordoned nodes count as empty: each other %s can have at most %d of its pods (nodeTaintsPolicy: Honor avoids this)",
				c.WorkloadName(c.pod), t.TopologyKey, t.MaxSkew, t.TopologyKey[strings.LastIndexByte(t.TopologyKey, '/')+1:], t.MaxSkew)
		}
	}
}

// onlyClosed reports whether a value of the label exists only on nodes of this plan.
func (b *builder) onlyClosed(key string) bool {
	values := map[string]bool{}
	for _, n := range b.opt.Nodes {
		if v := b.Node(n).Labels[key]; v != "" {
			values[v] = true
		}
	}
	for _, n := range b.Data().Nodes {
		if !slices.Contains(b.opt.Nodes, n.Name) {
			delete(values, n.Labels[key])
		}
	}
	return len(values) > 0
}

// primaries finds pods that are labelled as primary. Their operators may reject a switchover, or start it only when the pod is
// gone.
func (b *builder) primaries(pods []*candidate) {
	for _, c := range pods {
		if !c.moves() {
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(c.pod.Labels)) {
			if v := c.pod.Labels[k]; isRole(k) && slices.Contains([]string{"primary", "master", "leader"}, v) {
				b.add("pod %s is the %s of its group (label %s): writes stop until another one takes over; use its operator's switchover first if there is one", c.pod.Key(), v, k)
			}
		}
	}
}

// isRole reports whether a label key is the role of a pod in its group.
func isRole(key string) bool {
	name := key[strings.LastIndexByte(key, '/')+1:]
	return name == "role" || strings.HasSuffix(name, "Role") || strings.HasSuffix(name, "-role")
}

// deadCreation finds a webhook that blocks the creation of every replacement.
func (b *builder) deadCreation(pods []*candidate) {
	for _, c := range pods {
		if !c.replaced() {
			continue
		}
		if w := b.DeadWebhook(c.pod.Namespace, c.pod.Labels); w != nil {
			b.add("webhook %s (%s) has failurePolicy Fail, and its service %s has no ready endpoint: no replacement can be created in namespace %s", w.Name, w.Configuration, w.Service, c.pod.Namespace)
		}
	}
}
