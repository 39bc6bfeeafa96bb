package paste

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

// buildNode builds a node from the sections. A fragment may have no name.
func (d *description) buildNode() evidence.Subject {
	n := &evidence.Node{Node: &corev1.Node{}, Partial: true, Ref: d.ref()}
	n.Name = cmp.Or(d.name("Node"), d.nodeOfEvents())
	about := n.Subject()
	if n.Name == "" {
		about = evidence.Subject{}
	}
	n.Labels = pairs(d.find("Labels"))
	n.Annotations = pairs(d.find("Annotations"))
	for _, key := range []string{"Roles", "Role"} {
		if v := d.value(key); v != "" && n.Labels == nil {
			addRoles(n, v)
		}
	}
	if t, ok := parseRFC1123Z(d.value("CreationTimestamp")); ok {
		n.CreationTimestamp = metav1.Time{Time: t}
	}
	n.Spec.Unschedulable = d.value("Unschedulable") == "true"
	n.Spec.PodCIDR, n.Spec.ProviderID = d.value("PodCIDR"), d.value("ProviderID")
	if s := d.find("PodCIDRs"); s != nil && s.value != "" {
		n.Spec.PodCIDRs = strings.Split(s.value, ",")
	}
	if s := d.find("Taints"); s != nil {
		n.Spec.Taints = s.taints()
	}
	if s := d.find("Conditions"); s != nil {
		n.Node.Status.Conditions = d.nodeConditions(s)
	}
	d.nodeAddresses(n)
	n.Node.Status.Capacity = quantities(d.find("Capacity"))
	n.Node.Status.Allocatable = quantities(d.find("Allocatable"))
	d.nodeInfo(&n.Node.Status.NodeInfo)
	d.nodeLease(n.Name)
	d.nodePods(n)
	d.allocated(n)
	if (n.Name != "" || saysSomething(n)) && d.p.text.room("nodes", d.sections[0].at) {
		d.p.text.nodes = append(d.p.text.nodes, n)
	}
	return about
}

// saysSomething reports whether a fragment without a name contains data of a node.
func saysSomething(n *evidence.Node) bool {
	s := &n.Node.Status
	listed := len(s.Conditions) + len(n.Spec.Taints) + len(s.Capacity) + len(s.Allocatable) + len(s.Addresses) + len(n.Requests) + n.PodCount
	hasSpec := n.Spec.Unschedulable || n.Spec.PodCIDR != "" || n.Spec.ProviderID != ""
	return listed > 0 || hasSpec || s.NodeInfo != (corev1.NodeSystemInfo{})
}

func (s *section) taints() (list []corev1.Taint) {
	for _, text := range s.all() {
		for _, one := range strings.Split(text, ",") { // 1.5 printed them on one line
			if t, ok := parseTaint(one); ok {
				list = append(list, t)
			}
		}
	}
	return list
}

func (d *description) nodeAddresses(n *evidence.Node) {
	s := d.find("Addresses")
	if s == nil {
		return
	}
	for _, l := range s.lines {
		if typ, address, ok := splitKey(l.text); ok && address != "" && len(n.Node.Status.Addresses) < 100 {
			addAddress(n, corev1.NodeAddressType(typ), address)
		}
	}
}

// quantities parses "cpu: 4" lines.
func quantities(s *section) corev1.ResourceList {
	if s == nil {
		return nil
	}
	var out corev1.ResourceList
	for _, l := range s.lines {
		name, value, ok := splitKey(l.text)
		q, err := quantity.Parse(value)
		if !ok || err != nil || len(out) > 200 {
			continue
		}
		if out == nil {
			out = corev1.ResourceList{}
		}
		out[corev1.ResourceName(name)] = q
	}
	return out
}

// nodeInfo reads System Info, or its lines without the section.
func (d *description) nodeInfo(info *corev1.NodeSystemInfo) {
	fields := map[string]*string{
		"Machine ID": &info.MachineID, "System UUID": &info.SystemUUID, "Boot ID": &info.BootID,
		"Kernel Version": &info.KernelVersion, "OS Image": &info.OSImage, "Operating System": &info.OperatingSystem,
		"Architecture": &info.Architecture, "Container Runtime Version": &info.ContainerRuntimeVersion,
		"Kubelet Version": &info.KubeletVersion,
	}
	for key, to := range fields {
		*to = d.value(key)
	}
	if s := d.find("System Info"); s != nil {
		for _, l := range s.lines {
			if key, value, ok := splitKey(l.text); ok && fields[key] != nil {
				*fields[key] = value
			}
		}
	}
}

func (d *description) nodeLease(node string) {
	s := d.find("Lease")
	if s == nil || node == "" {
		return
	}
	lease := &evidence.Lease{Namespace: corev1.NamespaceNodeLease, Name: node}
	for _, l := range s.lines {
		key, value, _ := splitKey(l.text)
		at, _ := parseRFC1123Z(value)
		switch key {
		case "HolderIdentity":
			lease.Holder = cells{"": value}.get("")
		case "AcquireTime":
			lease.Acquired = at
		case "RenewTime":
			lease.Renewed = at
			d.p.text.seenAlive(at)
		}
	}
	if d.p.text.room("leases", s.at) {
		d.p.text.leases = append(d.p.text.leases, lease)
	}
}
