package paste

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

// nodeRow reads "kubectl get nodes". NotReady becomes Ready=False although it may be Unknown: the table does not distinguish them,
// and the node is marked partial.
func nodeRow(t *table, c cells, l line) bool {
	name, status := c["NAME"], c["STATUS"]
	if !isName(name) || !isNodeStatus(status) || !isAge(c["AGE"]) {
		return false
	}
	if !t.p.text.room("nodes", l) {
		return true
	}
	n := tableNode(t.p, trimKind(name), status, l)
	t.p.text.setAge(&n.CreationTimestamp.Time, c["AGE"])
	info := &n.Node.Status.NodeInfo
	info.KubeletVersion = c.get("VERSION")
	info.OSImage, info.KernelVersion = c.get("OSIMAGE"), c.get("KERNELVERSION")
	info.ContainerRuntimeVersion = c.get("CONTAINERRUNTIME")
	addAddress(n, corev1.NodeInternalIP, c.get("INTERNALIP"))
	addAddress(n, corev1.NodeExternalIP, c.get("EXTERNALIP"))
	addLabels(n, c.get("LABELS"))
	addRoles(n, c.get("ROLES"))
	for _, key := range t.ask.labels {
		if v := c.get(columnKey(key[strings.LastIndexByte(key, '/')+1:])); v != "" {
			setLabel(n, key, v)
		}
	}
	return true
}

// tableNode builds a node from the STATUS column and adds it to the text.
func tableNode(p *page, name, status string, l line) *evidence.Node {
	n := &evidence.Node{Node: &corev1.Node{}, Status: status, Partial: true, Ref: p.ref(l)}
	n.Name = name
	for _, s := range strings.Split(status, ",") {
		ready := corev1.ConditionTrue
		switch s {
		case "SchedulingDisabled":
			n.Spec.Unschedulable = true
			continue
		case "NotReady":
			ready = corev1.ConditionFalse
		case "Ready":
		default: // "Unknown": there is no Ready condition
			continue
		}
		n.Node.Status.Conditions = append(n.Node.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeReady, Status: ready})
	}
	p.text.nodes = append(p.text.nodes, n)
	return n
}

// isNodeStatus reports whether a cell is a valid STATUS of nodes (printNode of kubernetes
// pkg/printers/internalversion/printers.go).
func isNodeStatus(s string) bool {
	if s == "" {
		return false
	}
	for _, part := range strings.Split(s, ",") {
		switch part {
		case "Ready", "NotReady", "Unknown", "SchedulingDisabled":
		default:
			return false
		}
	}
	return true
}

func addAddress(n *evidence.Node, typ corev1.NodeAddressType, address string) {
	if address != "" {
		n.Node.Status.Addresses = append(n.Node.Status.Addresses, corev1.NodeAddress{Type: typ, Address: address})
	}
}

func setLabel(n *evidence.Node, key, value string) {
	if n.Labels == nil {
		n.Labels = map[string]string{}
	}
	n.Labels[key] = value
}

// addLabels parses "a=b,c=d".
func addLabels(n *evidence.Node, list string) {
	for _, kv := range strings.Split(list, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok && k != "" {
			setLabel(n, k, v)
		}
	}
}

func addRoles(n *evidence.Node, roles string) {
	for _, role := range strings.Split(roles, ",") {
		if role != "" {
			setLabel(n, "node-role.kubernetes.io/"+role, "")
		}
	}
}

// nodeTaintsRow reads -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints.
func nodeTaintsRow(t *table, c cells, l line) bool {
	taints, ok := printedTaints(c["TAINTS"])
	if !isName(c["NAME"]) || !ok && c["TAINTS"] != "<none>" {
		return false
	}
	if k := t.ask.kind(); k != "" && k != "Node" || !t.p.text.room("nodes", l) {
		return true
	}
	t.p.namedNode(c["NAME"], l).Spec.Taints = taints
	return true
}

// namedNode adds a node that a table only names.
func (p *page) namedNode(name string, l line) *evidence.Node {
	n := &evidence.Node{Node: &corev1.Node{}, Partial: true, Ref: p.ref(l)}
	n.Name = name
	p.text.nodes = append(p.text.nodes, n)
	return n
}

// topNodeRow reads "kubectl top nodes", which names nodes.
func topNodeRow(t *table, c cells, l line) bool {
	if !isName(c["NAME"]) {
		return false
	}
	cpu, err1 := quantity.Parse(c["CPU(CORES)"])
	memory, err2 := quantity.Parse(c["MEMORY(BYTES)"])
	unknown := c["CPU(CORES)"] == "<unknown>" // the metrics server has no data from this node
	if (err1 != nil || err2 != nil) && !unknown {
		return false
	}
	if t.p.text.room("nodes", l) {
		t.p.namedNode(c["NAME"], l)
	}
	if !unknown && t.p.text.room("usage", l) {
		t.p.text.usage = append(t.p.text.usage, &evidence.Usage{
			Node: c["NAME"], CPU: cpu.MilliValue(), Memory: memory.Value(),
			CPUPercent: percent(c["CPU(%)"], c["CPU%"]), MemoryPercent: percent(c["MEMORY(%)"], c["MEMORY%"]),
		})
	}
	return true
}

// percent parses "97%"; 0 if there is none.
func percent(cells ...string) int {
	for _, c := range cells {
		if n, err := strconv.Atoi(strings.TrimSuffix(c, "%")); err == nil && n > 0 {
			return n
		}
	}
	return 0
}

// topPodRow reads "kubectl top pods", and sums the containers of a pod if it lists them.
func topPodRow(t *table, c cells, l line) bool {
	name := c["POD"]
	if name == "" {
		name = c["NAME"]
	}
	if !isName(name) {
		return false
	}
	cpu, err1 := quantity.Parse(c["CPU(CORES)"])
	memory, err2 := quantity.Parse(c["MEMORY(BYTES)"])
	if err1 != nil || err2 != nil {
		return false
	}
	u := &evidence.PodUsage{Namespace: c["NAMESPACE"], Name: name, CPU: cpu.MilliValue(), Memory: memory.Value()}
	if u.Namespace == "" {
		u.Namespace = t.ask.namespace
	}
	if list := t.p.text.podUsage; c["POD"] != "" && len(list) > 0 {
		if before := list[len(list)-1]; before.Name == u.Name && before.Namespace == u.Namespace {
			before.CPU, before.Memory = before.CPU+u.CPU, before.Memory+u.Memory
			return true
		}
	}
	if t.p.text.room("podusage", l) {
		t.p.text.podUsage = append(t.p.text.podUsage, u)
	}
	return true
}

// isName reports whether a cell can be the name of an object, possibly redacted by the user.
func isName(s string) bool {
	return s != "" && len(s) <= 253 && !strings.ContainsAny(s, " \t|\"'`{}[](),;") && s != "<none>"
}

// trimKind removes the kind that kubectl writes before a name if it lists several kinds: pod/x, daemonset.apps/x.
func trimKind(name string) string {
	kind, rest, ok := strings.Cut(name, "/")
	if ok && evidence.KindNamed(kind) != "" {
		return rest
	}
	return name
}
