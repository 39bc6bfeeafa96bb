package anonymize

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Declare declares the names in the evidence.
func (n *Names) Declare(d *evidence.Data) {
	n.declareNodes(d)
	n.declareSpaces(d)
	n.declareWorkloads(d)
	n.declareVolumes(d)
	n.declareCloud(d)
	n.declareMarks(d)
	n.eachText(d, n.Learn)
}

func (n *Names) declareNodes(d *evidence.Data) {
	names := append(nodesOfObjects(d), nodesOfReports(d)...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		n.node(name)
	}
}

// nodesOfObjects returns the names of nodes in API objects.
func nodesOfObjects(d *evidence.Data) (names []string) {
	for _, node := range d.Nodes {
		names = append(names, node.Name, node.Labels["kubernetes.io/hostname"])
		for _, a := range node.Node.Status.Addresses {
			if a.Type != "InternalIP" && a.Type != "ExternalIP" {
				names = append(names, a.Address)
			}
		}
	}
	for _, l := range d.Leases {
		if l.Namespace == "kube-node-lease" {
			names = append(names, l.Name)
		}
	}
	for _, p := range d.Pods {
		names = append(names, p.Node)
	}
	for _, e := range d.Events {
		if e.Object.Kind == "Node" {
			names = append(names, e.Object.Name)
		}
		names = append(names, e.Host)
	}
	return names
}

// nodesOfReports returns the names of nodes in logs, metrics and the reports of the agent.
func nodesOfReports(d *evidence.Data) (names []string) {
	for _, k := range d.Kubelets {
		names = append(names, k.Node)
	}
	for _, u := range d.Usage {
		names = append(names, u.Node)
	}
	for _, r := range d.NodeReports {
		names = append(names, r.Node)
		if r.Machine != nil {
			names = append(names, r.Machine.Hostname)
		}
	}
	for _, m := range d.Matches {
		if m.Subject.Kind == "Node" {
			names = append(names, m.Subject.Name)
		}
		names = append(names, m.Captures["node"])
	}
	for _, l := range d.Lines {
		if l.Subject.Kind == "Node" {
			names = append(names, l.Subject.Name)
		}
	}
	return names
}

var (
	aksNode  = lazyregexp.New(`^aks-([a-z0-9]+)-(\d{6,10})-(?:vmss([0-9a-z]{6})|((?:vms)?)\d{1,4})$`)
	aksSet   = lazyregexp.New(`^aks-([a-z0-9]+)-(\d{6,10})-vmss$`)
	idOfEC2  = lazyregexp.New(`^i-[0-9a-f]{8,17}$`)
	dashedIP = lazyregexp.New(`^(?:[a-z0-9-]*-)?ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}$`)
	nodeName = lazyregexp.New(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
)

// node declares the name of a node or machine.
func (n *Names) node(name string) string {
	if !nodeName.MatchString(name) || isAddress(name) || isDefaultHost(name) {
		return name
	}
	if to := n.to[strings.ToLower(name)]; to != "" {
		return to
	}
	host, domain, dotted := strings.Cut(name, ".")
	var to string
	switch m := aksNode.FindStringSubmatch(host); {
	case dashedIP.MatchString(host):
		to = host // its address is replaced
	case m != nil && m[3] == "": // not in a scale set
		to = n.set(host, "machine", func(i int) string { return fmt.Sprintf("%s-%s-%08d-%s0", host[:3], m[1], i, m[4]) })
	case m != nil:
		to = n.scaleSet("aks-"+m[1]+"-"+m[2]+"-vmss") + m[3]
		n.as(host, to)
	default:
		switch r := role(host); r {
		case "":
			to = n.fresh(host, "node")
		case "preemptible": // default machine names of pools
			to = n.set(host, r, func(i int) string { return fmt.Sprintf("node-%s-%02d", r, i) })
		default:
			to = n.fresh(host, r)
		}
	}
	if !dotted {
		return to
	}
	return n.as(name, to+"."+n.domain(domain))
}

// isDefaultHost reports whether a machine has a name that identifies nothing: localhost, an instance ID of EC2, a virtual
// kubelet.
func isDefaultHost(name string) bool {
	host, _, _ := strings.Cut(name, ".")
	return host == "localhost" || idOfEC2.MatchString(host) || strings.HasPrefix(name, "virtual-k")
}

// scaleSet declares the scale set of a pool. Machine names start with its name.
func (n *Names) scaleSet(name string) string {
	m := aksSet.FindStringSubmatch(name)
	if m == nil {
		return n.fresh(name, "set")
	}
	return n.set(name, "vmss", func(i int) string { return fmt.Sprintf("aks-%s-%08d-vmss", m[1], i) })
}

// domain declares the domain of a host name.
func (n *Names) domain(domain string) string {
	for _, end := range cloudHosts {
		if strings.HasSuffix("."+domain, end) {
			return domain
		}
	}
	if publicHost(domain) {
		return domain
	}
	return n.set(domain, "domain", func(i int) string { return fmt.Sprintf("domain-%d.example", i) })
}

func (n *Names) declareSpaces(d *evidence.Data) {
	var names []string
	add := func(s string) { names = append(names, s) }
	for _, ns := range d.Namespaces {
		add(ns.Name)
	}
	for _, p := range d.Pods {
		add(p.Namespace)
	}
	for _, w := range d.Workloads {
		add(w.Namespace)
	}
	for _, e := range d.Events {
		add(e.Object.Namespace)
	}
	for _, b := range d.PDBs {
		add(b.Namespace)
	}
	for _, c := range d.Claims {
		add(c.Namespace)
	}
	for _, w := range d.Webhooks {
		ns, _, _ := strings.Cut(w.Service, "/")
		add(ns)
	}
	for _, m := range d.Matches {
		add(m.Subject.Namespace)
		add(m.Captures["namespace"])
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		n.namespace(name)
	}
}

func (n *Names) namespace(name string) string {
	if !nodeName.MatchString(name) {
		return name
	}
	n.spaces[name] = true
	if systemNamespace(name) {
		return name
	}
	return n.fresh(name, "ns")
}

func (n *Names) declareWorkloads(d *evidence.Data) {
	for _, w := range d.Workloads {
		base := w.Name
		switch {
		case w.Kind == "ReplicaSet" && w.Owner.Name != "":
			base = w.Owner.Name
		case w.Kind == "ReplicaSet":
			base = beforeHash(w.Name)
		case w.Kind == "Job" && w.Owner.Name != "":
			base = w.Owner.Name
		}
		n.owned(w.Namespace, base, w.Name, "app")
	}
	for _, p := range d.Pods {
		n.pod(p.Namespace, p.Name, p.Owner.Kind, p.Owner.Name, p.Node)
	}
	for _, e := range d.Events {
		n.object(e.Object.Kind, e.Object.Namespace, e.Object.Name)
	}
	for _, b := range d.PDBs {
		n.owned(b.Namespace, b.Name, b.Name, "budget")
	}
	for _, m := range d.Matches {
		n.object(m.Subject.Kind, m.Subject.Namespace, m.Subject.Name)
		if pod := m.Captures["pod"]; pod != "" {
			n.pod(m.Captures["namespace"], pod, "", "", "")
		}
	}
	for key := range maps.Keys(d.Endpoints) {
		ns, _, _ := strings.Cut(key, "/")
		n.namespace(ns)
	}
}

// object declares the subject of an event or a message.
func (n *Names) object(kind, ns, name string) {
	switch kind {
	case "Pod":
		n.pod(ns, name, "", "", "")
	case "Deployment", "StatefulSet", "DaemonSet", "CronJob", "ReplicationController":
		n.owned(ns, name, name, "app")
	case "ReplicaSet", "Job":
		n.owned(ns, beforeHash(name), name, "app")
	case "PersistentVolume":
		n.volume(name)
	case "PersistentVolumeClaim":
		n.claim(ns, name)
	case "PodDisruptionBudget":
		n.owned(ns, name, name, "budget")
	}
}

var (
	templated = lazyregexp.New(`^(.+)-[bcdfghjklmnpqrstvwxz0-9]{5,10}-[a-z0-9]{5}$`)
	generated = lazyregexp.New(`^(.+)-(?:[bcdfghjklmnpqrstvwxz0-9]{5}|[0-9]{1,3}|[0-9]{8,10}(?:-[a-z0-9]{5})?)$`)
	hashed    = lazyregexp.New(`^(.+)-(?:[bcdfghjklmnpqrstvwxz0-9]{5,10}|[0-9]{8,10})$`)
)

// beforeHash returns the owner name at the start of the name of a ReplicaSet or Job.
func beforeHash(name string) string {
	if m := hashed.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// pod declares a pod. Its name starts with the name of its owner, and the name of a mirror pod ends with its node.
func (n *Names) pod(ns, name, ownerKind, owner, node string) {
	if !nodeName.MatchString(name) {
		return
	}
	if base, isMirror := strings.CutSuffix(name, "-"+node); isMirror && node != "" {
		n.owned(ns, base, base, "app")
		n.as(name, n.Of(base)+"-"+n.Of(node))
		return
	}
	if ownerKind == "Node" {
		owner = ""
	}
	base, kind := podBase(name, ownerKind, owner)
	n.owned(ns, base, name, kind)
	if owner != "" {
		n.owned(ns, base, owner, kind)
	}
}

// podBase returns the name of the workload at the start of a pod name and its kind; the pod itself if it has none.
func podBase(name, ownerKind, owner string) (base, kind string) {
	if owner != "" && strings.HasPrefix(name, owner) {
		if ownerKind == "ReplicaSet" || ownerKind == "Job" {
			owner = beforeHash(owner)
		}
		return owner, "app"
	}
	for _, form := range []*lazyregexp.Regexp{templated, generated} {
		if m := form.FindStringSubmatch(name); m != nil {
			return m[1], "app"
		}
	}
	return name, "pod"
}

// owned declares a name that starts with another name and keeps the rest.
func (n *Names) owned(ns, base, name, kind string) {
	if base == "" || !userNamespace(ns) || component(base) || !nodeName.MatchString(name) {
		return
	}
	to := n.set(base, kind, func(i int) string {
		to := kind + "-" + letters(i)
		if r := role(base); r != "" {
			to += "-" + r
		}
		if digit(base[len(base)-1]) {
			to += "1"
		}
		return to
	})
	if name != base && strings.HasPrefix(name, base) {
		n.as(name, to+strings.TrimPrefix(name, base))
	}
}

// letters formats the number like spreadsheet columns. With digits app-1-0 would not look like a StatefulSet pod.
func letters(i int) string {
	out := ""
	for ; i > 0; i = (i - 1) / 26 {
		out = string(rune('a'+(i-1)%26)) + out
	}
	return out
}

var dynamicVolume = lazyregexp.New(`^pvc-[0-9a-f]{8}-[0-9a-f-]{27}$`)

func (n *Names) volume(name string) {
	if nodeName.MatchString(name) && !dynamicVolume.MatchString(name) {
		n.fresh(name, "volume")
	}
}

// claim declares a claim. The name of a StatefulSet claim ends with the pod name.
func (n *Names) claim(ns, name string) {
	if !nodeName.MatchString(name) || !userNamespace(ns) {
		return
	}
	for i := range name {
		if to := n.to[name[i:]]; to != "" && i > 0 && name[i-1] == '-' {
			n.as(name, name[:i]+to)
			return
		}
	}
	n.fresh(name, "claim")
}

func (n *Names) declareVolumes(d *evidence.Data) {
	for _, v := range d.Volumes {
		n.volume(v.Name)
		if c := v.Spec.ClaimRef; c != nil {
			n.claim(c.Namespace, c.Name)
		}
	}
	for _, c := range d.Claims {
		n.claim(c.Namespace, c.Name)
		n.volume(c.Spec.VolumeName)
	}
	for _, a := range d.VolumeAttachments {
		if v := a.Spec.Source.PersistentVolumeName; v != nil {
			n.volume(*v)
		}
	}
}

func (n *Names) declareCloud(d *evidence.Data) {
	for _, node := range d.Nodes {
		n.providerID(node.Spec.ProviderID)
		if g := node.Labels[evidence.LabelClusterGroup]; g != "" {
			n.group(g)
		}
	}
	for _, names := range d.CloudNames {
		for _, group := range []string{names["node-resource-group"], names["cluster-group"], names["vnet-group"]} {
			if group != "" {
				n.group(group)
			}
		}
		if cluster := names["cluster-name"]; cluster != "" {
			n.fresh(cluster, "cluster")
		}
	}
	for _, a := range d.CloudActivities {
		n.caller(a.Caller)
	}
	for _, c := range d.CSRs {
		n.caller(c.Spec.Username)
	}
	if d.Source.Kind == "cluster" && d.Source.Name != "" {
		n.fresh(d.Source.Name, "cluster")
	}
}

// caller declares a person by email address.
func (n *Names) caller(who string) {
	if name, at, ok := strings.Cut(who, "@"); ok && name != "" && strings.Contains(at, ".") {
		n.person(who)
	}
}

func (n *Names) person(who string) {
	n.set(who, "user", func(i int) string { return fmt.Sprintf("user-%d@example.com", i) })
}

// declareMarks declares the users and hosts in the marks of drains.
func (n *Names) declareMarks(d *evidence.Data) {
	declare := func(annotations map[string]string, key string) {
		m := evidence.ReadMark(annotations, key)
		if m == nil {
			return
		}
		if strings.Contains(m.By, "@") {
			n.person(m.By)
		}
		if nodeName.MatchString(m.Host) && m.Host != "localhost" {
			n.fresh(m.Host, "host")
		}
	}
	for _, o := range d.Nodes {
		declare(o.Annotations, evidence.MarkCordon)
	}
	for _, o := range d.PDBs {
		declare(o.Annotations, evidence.MarkSuspend)
	}
	for _, o := range d.Workloads {
		declare(o.Annotations, evidence.MarkSurge)
	}
}
