package why

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// machineTaints are taints that the control plane sets on unhealthy nodes. They should not be tolerated or removed manually.
var machineTaints = []string{
	corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeMemoryPressure, corev1.TaintNodeDiskPressure,
	corev1.TaintNodePIDPressure, corev1.TaintNodeNetworkUnavailable, corev1.TaintNodeOutOfService,
}

// FurtherNode is the name of a node that does not exist yet, in the nodes of a Step.
const FurtherNode = "the new node"

// changes lists possible changes, the least risk first.
func (a *asker) changes(c placement.Board, p *evidence.Pod, r placement.Answer) []change {
	plugins := map[string][]string{}
	for _, f := range r.Refusals {
		plugins[f.Plugin] = append(plugins[f.Plugin], f.Node)
	}
	target := a.target(p)
	var out []change
	for _, name := range c.Nodes() {
		n := c.Node(name)
		out = append(out, uncordon(n)...)
		out = append(out, healthy(n)...)
	}
	out = nearFirst(out)
	out = append(out, lowerRequests(c, p, target, short(c, r))...)
	out = append(out, tolerations(c, p, target)...)
	nodes, rules := labels(c, p), []change(nil)
	if len(plugins) > 0 {
		rules = constraints(p, target)
	}
	if nobodyHas(c, p) { // the nodes that it requires are gone: its selector is wrong, not the existing nodes
		nodes, rules = rules, nodes
	}
	out = append(append(out, nodes...), rules...)
	if len(plugins) > 0 {
		out = append(out, a.further(c, r)...)
		out = append(out, withoutVolume(p)...)
	}
	for i := range out {
		a.reaches(p, target, &out[i])
	}
	return out
}

// nearFirst keeps a few of the changes to nodes. In a large cluster one cordoned node represents all.
func nearFirst(list []change) []change { return list[:min(len(list), maxChanges/3)] }

func uncordon(n *corev1.Node) []change {
	if !n.Spec.Unschedulable {
		return nil
	}
	open := n.DeepCopy()
	open.Spec.Unschedulable = false
	open.Spec.Taints = without(open.Spec.Taints, corev1.TaintNodeUnschedulable)
	return []change{{what: "uncordon node " + n.Name, commands: []shell.Text{shell.Format("kubectl uncordon {node}", n.Name)}, node: []*corev1.Node{open}}}
}

func healthy(n *corev1.Node) []change {
	well := n.DeepCopy()
	well.Spec.Taints = without(well.Spec.Taints, machineTaints...)
	if len(well.Spec.Taints) == len(n.Spec.Taints) {
		return nil
	}
	return []change{{what: "fix node " + n.Name, commands: []shell.Text{shell.Format("nodetriage diagnose {node}", n.Name)}, node: []*corev1.Node{well}, reads: true}}
}

func without(taints []corev1.Taint, keys ...string) []corev1.Taint {
	return slices.DeleteFunc(slices.Clone(taints), func(t corev1.Taint) bool { return slices.Contains(keys, t.Key) })
}

// short returns the nodes that refuse the pod only for lack of resources; all, if there is none.
func short(c placement.Board, r placement.Answer) []string {
	var out []string
	for _, f := range r.Refusals {
		if slices.ContainsFunc(f.Reasons, func(reason string) bool { return strings.HasPrefix(reason, "Insufficient ") }) {
			out = append(out, f.Node)
		}
	}
	if len(out) == 0 {
		return c.Nodes()
	}
	return out
}

// lowerRequests tries, for each scarce resource, the value that was probably meant, then the largest request that fits on one of the
// nodes.
func lowerRequests(c placement.Board, p *evidence.Pod, target target, nodes []string) []change {
	want := evidence.Requests(p.Spec)
	var out []change
	for _, name := range slices.Sorted(maps.Keys(want)) {
		need := want[name]
		best := mostBelow(c, nodes, name, need)
		container, ok := largest(p.Spec, name)
		if best.IsZero() || !ok {
			continue
		}
		request := container.Resources.Requests[name].DeepCopy()
		cut := need.DeepCopy()
		cut.Sub(best)
		if request.Cmp(cut) <= 0 {
			continue
		}
		request.Sub(cut)
		was := human(container.Resources.Requests, name)
		if meant := probablyMilli(name, container.Resources.Requests[name]); meant != "" {
			say := fmt.Sprintf("set the %s request of container %s to %s, if this was meant and not %s cores", name, container.Name, meant, was)
			out = append(out, requesting(target, container.Name, name, meant, say))
		}
		text := rounded(name, request)
		most := resource.MustParse(text)
		say := fmt.Sprintf("lower the %s request of container %s from %s to %s, the most that fits", name, container.Name, was, most.String())
		out = append(out, requesting(target, container.Name, name, text, say))
	}
	return out
}

// mostBelow returns the most of a resource that is free on one of the nodes, below what is needed.
func mostBelow(c placement.Board, nodes []string, name corev1.ResourceName, need resource.Quantity) (best resource.Quantity) {
	for _, node := range nodes {
		free := c.Free(node)[name]
		if free.Cmp(need) < 0 && free.Cmp(best) > 0 && free.Sign() > 0 {
			best = free
		}
	}
	return best
}

// requesting sets the request of a container.
func requesting(target target, container string, name corev1.ResourceName, quantity, say string) change {
	request := resource.MustParse(quantity)
	return change{
		what: say, commands: target.resources(container, name, quantity),
		pod: func(s *corev1.PodSpec) {
			for i := range s.Containers {
				if s.Containers[i].Name == container {
					s.Containers[i].Resources.Requests[name] = request
				}
			}
		},
	}
}

// largest returns the container with the largest request of the resource.
func largest(spec *corev1.PodSpec, name corev1.ResourceName) (best corev1.Container, found bool) {
	for _, c := range spec.Containers {
		q, ok := c.Resources.Requests[name]
		if top := best.Resources.Requests[name]; ok && (!found || q.Cmp(top) > 0) {
			best, found = c, true
		}
	}
	return best, found
}

// rounded rounds a quantity down to a common unit.
func rounded(name corev1.ResourceName, q resource.Quantity) string {
	switch name {
	case corev1.ResourceCPU:
		return fmt.Sprintf("%dm", q.MilliValue())
	case corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
		if mi := q.Value() >> 20; mi > 0 {
			return fmt.Sprintf("%dMi", mi)
		}
	}
	return fmt.Sprint(q.Value())
}

// manyCores is a number of cores that hardly any container needs.
const manyCores = 100

// probablyMilli returns a request of very many whole cores as thousandths of a core, which were probably meant; "" for others.
func probablyMilli(name corev1.ResourceName, q resource.Quantity) string {
	if name != corev1.ResourceCPU || q.MilliValue() < manyCores*1000 || q.MilliValue()%1000 != 0 {
		return ""
	}
	return fmt.Sprintf("%dm", q.Value())
}

func human(l corev1.ResourceList, name corev1.ResourceName) string {
	q := l[name]
	return q.String()
}

// tolerations tries each taint that was set on purpose.
func tolerations(c placement.Board, p *evidence.Pod, target target) []change {
	var out []change
	seen := map[corev1.Taint]bool{}
	for _, name := range c.Nodes() {
		for _, t := range c.Node(name).Spec.Taints {
			kind := corev1.Taint{Key: t.Key, Value: t.Value, Effect: t.Effect}
			if seen[kind] || !mechanics.KeepsAway(&t) || t.Key == corev1.TaintNodeUnschedulable || slices.Contains(machineTaints, t.Key) {
				continue
			}
			seen[kind] = true
			x := corev1.Toleration{Key: t.Key, Operator: corev1.TolerationOpEqual, Value: t.Value, Effect: t.Effect}
			if t.Value == "" {
				x.Operator = corev1.TolerationOpExists
			}
			out = append(out, change{
				what: "add a toleration for the taint " + kind.ToString(), commands: target.toleration(p, x), direct: target.fixed(),
				pod: func(s *corev1.PodSpec) { s.Tolerations = append(s.Tolerations, x) },
			})
		}
	}
	return out
}

// nobodyHas reports whether the pod's selector requires a label that no node has.
func nobodyHas(c placement.Board, p *evidence.Pod) bool {
	for k, v := range p.Spec.NodeSelector {
		if !slices.ContainsFunc(c.Nodes(), func(name string) bool { return c.Node(name).Labels[k] == v }) {
			return true
		}
	}
	return false
}

// labels tries the labels of the node selector, on the first node without them.
func labels(c placement.Board, p *evidence.Pod) []change {
	var out []change
	for _, name := range c.Nodes() {
		n := c.Node(name)
		if mechanics.Allows(p.Spec, n) {
			continue
		}
		labelled := n.DeepCopy()
		var set []string
		for _, k := range slices.Sorted(maps.Keys(p.Spec.NodeSelector)) {
			if v := p.Spec.NodeSelector[k]; n.Labels[k] != v {
				if mechanics.KeptLabel(k) {
					set = nil
					break
				}
				if labelled.Labels == nil {
					labelled.Labels = map[string]string{}
				}
				labelled.Labels[k] = v
				set = append(set, k+"="+v)
			}
		}
		if len(set) == 0 || len(out) == 3 {
			continue
		}
		out = append(out, change{
			what: "label node " + name + " " + strings.Join(set, " "), node: []*corev1.Node{labelled},
			commands: []shell.Text{shell.Format("kubectl label --overwrite node {node} ", name) + shell.Words("label", set...)},
		})
	}
	return out
}

// withoutSelector tries to remove the node selector, except the operating system and the architecture, which the pod needs.
func withoutSelector(p *evidence.Pod, target target) []change {
	var drop []string
	for _, k := range slices.Sorted(maps.Keys(p.Spec.NodeSelector)) {
		if !mechanics.OfSystem(k) {
			drop = append(drop, k)
		}
	}
	switch len(drop) {
	case 0:
		return nil
	case len(p.Spec.NodeSelector):
		return []change{{what: "remove the node selector", commands: target.withoutSelector(), pod: func(s *corev1.PodSpec) { s.NodeSelector = nil }}}
	}
	return []change{{
		what: "remove " + strings.Join(drop, ", ") + " from the node selector", commands: target.withoutSelector(drop...),
		pod: func(s *corev1.PodSpec) {
			maps.DeleteFunc(s.NodeSelector, func(k, _ string) bool { return !mechanics.OfSystem(k) })
		},
	}}
}

// withoutAffinity returns the required node affinity reduced to the operating system and the architecture, and its description;
// "" if it requires nothing else.
func withoutAffinity(spec *corev1.PodSpec) (what string, still *corev1.NodeAffinity) {
	const preferred = "make the required node affinity preferred"
	var kept []corev1.NodeSelectorTerm
	var keys []string
	other := false
	for _, term := range mechanics.RequiredAffinity(spec).NodeSelectorTerms {
		system := slices.DeleteFunc(slices.Clone(term.MatchExpressions), func(r corev1.NodeSelectorRequirement) bool { return !mechanics.OfSystem(r.Key) })
		other = other || len(system) < len(term.MatchExpressions)+len(term.MatchFields)
		if len(system) == 0 {
			return preferred, nil // this term may allow any operating system
		}
		kept = append(kept, corev1.NodeSelectorTerm{MatchExpressions: system})
		for _, r := range system {
			if !slices.Contains(keys, r.Key) {
				keys = append(keys, r.Key)
			}
		}
	}
	if !other {
		return "", nil
	}
	return preferred + ", except " + strings.Join(keys, ", "), &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: kept}}
}

// constraints tries to remove each of the pod's own constraints.
func constraints(p *evidence.Pod, target target) []change {
	var out []change
	add := func(what string, pod func(*corev1.PodSpec)) {
		out = append(out, change{what: what, commands: target.edit(), pod: pod})
	}
	out = append(out, withoutSelector(p, target)...)
	if x := p.Spec.Affinity; x != nil {
		if mechanics.RequiredAffinity(p.Spec) != nil && mechanics.Replaces(p) != mechanics.OnSameNode { // that affinity is set by its controller
			if what, still := withoutAffinity(p.Spec); what != "" {
				add(what, func(s *corev1.PodSpec) { s.Affinity.NodeAffinity = still })
			}
		}
		if x.PodAffinity != nil && len(x.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0 {
			add("make the required pod affinity preferred", func(s *corev1.PodSpec) { s.Affinity.PodAffinity = nil })
		}
		if x.PodAntiAffinity != nil && len(x.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0 {
			add("make the required pod anti-affinity preferred", func(s *corev1.PodSpec) { s.Affinity.PodAntiAffinity = nil })
		}
	}
	for i, t := range p.Spec.TopologySpreadConstraints {
		if t.WhenUnsatisfiable == corev1.DoNotSchedule {
			add(fmt.Sprintf("set whenUnsatisfiable of the topology spread over %s to ScheduleAnyway", t.TopologyKey), func(s *corev1.PodSpec) {
				s.TopologySpreadConstraints[i].WhenUnsatisfiable = corev1.ScheduleAnyway
			})
		}
	}
	if slices.ContainsFunc(p.Spec.Containers, hostPorts) {
		add("remove the host ports", func(s *corev1.PodSpec) {
			for i := range s.Containers {
				s.Containers[i].Ports = nil
			}
		})
	}
	return out
}

func hostPorts(c corev1.Container) bool {
	return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.HostPort != 0 })
}

// further tries an additional node like an existing one, empty and healthy, as an autoscaler or a new machine adds it. It tries
// one per kind of node.
func (a *asker) further(c placement.Board, r placement.Answer) []change {
	var out []change
	seen := map[string]bool{}
	for _, f := range r.Refusals {
		n := c.Node(f.Node)
		_, pool := (&evidence.Node{Node: n}).PoolLabel()
		if seen[pool] || len(seen) == 4 {
			continue
		}
		seen[pool] = true
		more := n.DeepCopy()
		more.Name = FurtherNode
		if _, ok := more.Labels[corev1.LabelHostname]; ok {
			more.Labels[corev1.LabelHostname] = "further-node"
		}
		more.Spec.Unschedulable = false
		more.Spec.Taints = without(more.Spec.Taints, append([]string{corev1.TaintNodeUnschedulable}, machineTaints...)...)
		what, commands := a.more(n)
		out = append(out, change{what: what, commands: commands, node: []*corev1.Node{more}})
	}
	return out
}

// withoutVolume reports whether only a claim blocks the pod.
func withoutVolume(p *evidence.Pod) []change {
	var out []change
	for i, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		claim := v.PersistentVolumeClaim.ClaimName
		out = append(out, change{
			what:     "fix claim " + claim + " (the pod fits without it)",
			commands: []shell.Text{shell.Format("kubectl -n {namespace} describe pvc {claim}", p.Namespace, claim)},
			reads:    true,
			pod: func(s *corev1.PodSpec) {
				s.Volumes[i].VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
			},
		})
	}
	return out
}
