package paste

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// addNodes adds nodes, and completes partial nodes of other texts. Nodes without a name stay separate, because nothing shows
// whether two of them are the same.
func (t *Text) addNodes(d *evidence.Data) {
	at := map[string]*evidence.Node{}
	for _, n := range d.Nodes {
		at[n.Name] = n
	}
	for _, n := range t.nodes {
		known := at[n.Name]
		switch {
		case n.Name == "" || known == nil:
			d.Nodes = append(d.Nodes, n)
			at[n.Name] = n
		case known.Partial:
			completeNode(known, n)
		}
	}
}

// completeNode merges the later text into the known node.
func completeNode(n, later *evidence.Node) {
	setIf(&n.Status, later.Status)
	if later.CreationTimestamp.Time.After(n.CreationTimestamp.Time) && n.CreationTimestamp.IsZero() {
		n.CreationTimestamp = later.CreationTimestamp
	}
	for k, v := range later.Labels {
		setLabel(n, k, v)
	}
	if len(n.Annotations) == 0 {
		n.Annotations = later.Annotations
	}
	if len(later.Spec.Taints) > 0 {
		n.Spec.Taints = later.Spec.Taints
	}
	n.Spec.Unschedulable = n.Spec.Unschedulable && later.Status == "" || later.Spec.Unschedulable
	setIf(&n.Spec.PodCIDR, later.Spec.PodCIDR)
	setIf(&n.Spec.ProviderID, later.Spec.ProviderID)
	if len(later.Spec.PodCIDRs) > 0 {
		n.Spec.PodCIDRs = later.Spec.PodCIDRs
	}
	completeConditions(n, later)
	for _, a := range later.Node.Status.Addresses {
		if !slices.Contains(n.Node.Status.Addresses, a) {
			n.Node.Status.Addresses = append(n.Node.Status.Addresses, a)
		}
	}
	for _, list := range [][2]*corev1.ResourceList{
		{&n.Node.Status.Capacity, &later.Node.Status.Capacity}, {&n.Node.Status.Allocatable, &later.Node.Status.Allocatable},
		{&n.Requests, &later.Requests}, {&n.Limits, &later.Limits},
	} {
		if len(*list[1]) > 0 {
			*list[0] = *list[1]
		}
	}
	if later.PodsListed > 0 {
		n.PodsListed = later.PodsListed
	}
	if later.PodCount > 0 {
		n.PodCount = later.PodCount
	}
	a, b := &n.Node.Status.NodeInfo, &later.Node.Status.NodeInfo
	setIf(&a.KernelVersion, b.KernelVersion)
	setIf(&a.OSImage, b.OSImage)
	setIf(&a.ContainerRuntimeVersion, b.ContainerRuntimeVersion)
	setIf(&a.KubeletVersion, b.KubeletVersion)
	setIf(&a.OperatingSystem, b.OperatingSystem)
	setIf(&a.Architecture, b.Architecture)
	setIf(&a.MachineID, b.MachineID)
	setIf(&a.SystemUUID, b.SystemUUID)
	setIf(&a.BootID, b.BootID)
}

func setIf(to *string, value string) {
	if value != "" {
		*to = value
	}
}

// completeConditions merges the later conditions. A table shows Unknown as NotReady too. So its Ready does not replace a Ready
// condition that has a reason and agrees with it.
func completeConditions(n, later *evidence.Node) {
	for _, c := range later.Node.Status.Conditions {
		old := n.Condition(c.Type)
		switch {
		case old == nil:
			n.Node.Status.Conditions = append(n.Node.Status.Conditions, c)
		case c.Reason == "" && old.Reason != "" && (c.Status == corev1.ConditionTrue) == (old.Status == corev1.ConditionTrue):
		default:
			*old = c
		}
	}
}
