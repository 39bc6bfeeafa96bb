package triage

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Impact is the state of nodes, workloads and pods as the evidence shows it, for any cause. If the report is about some
// nodes, it covers those nodes and the workloads with pods on them.
type Impact struct {
	Nodes []NodeState `json:"nodes"` // the worst state first; no node is counted twice
	// Node is set if the report is about one node.
	Node      *NodeFacts      `json:"node,omitempty"`
	Workloads []ShortWorkload `json:"workloads"` // with fewer ready pods than desired: those without any first
	Checked   map[string]int  `json:"checked"`   // number of workloads with known counts, by kind
	// Pods are the numbers of pods. It is empty if the evidence has no pods and cannot show that there are none.
	Pods map[PodState]int `json:"pods"`
	// Unready are the first pods that are not ready: those of kube-system first, then those that are pending.
	Unready []evidence.Subject `json:"unready,omitempty"`
}

// maxUnready limits the names of pods that are not ready.
const maxUnready = 20

// NodeState is a state and how many nodes have it: unreachable, NotReady, the type of a condition that reports a problem,
// unhealthy (a finding of severity error or critical is about the node), unknown, cordoned, Ready.
type NodeState struct {
	State string `json:"state"`
	Count int    `json:"count"`
}

// NodeFacts are facts of one node.
type NodeFacts struct {
	Name    string     `json:"name"`
	State   string     `json:"state"`
	Since   *time.Time `json:"since,omitempty"` // when it got into the state
	Kubelet string     `json:"kubelet,omitempty"`
	Runtime string     `json:"runtime,omitempty"`
	// Closed reports whether a cordon or a taint keeps new pods away.
	Closed bool `json:"closed,omitempty"`
}

// ShortWorkload is a workload with fewer ready pods than desired.
type ShortWorkload struct {
	evidence.Subject
	Ready   int `json:"ready"`
	Desired int `json:"desired"`
}

// PodState is a state of pods in an Impact. Completed pods are not counted.
type PodState string

// The states of pods. PodOther is any state that keeps the pod from being ready.
const (
	PodRunning PodState = "running" // and ready
	PodPending PodState = "pending" // not bound to a node
	PodOther   PodState = "notReady"
)

// States of nodes in an Impact that are not the type of a condition.
const (
	nodeUnreachable = "unreachable"
	nodeNotReady    = "NotReady"
	nodeFaulty      = "unhealthy"
	nodeUnknown     = "unknown"
	nodeCordoned    = "cordoned"
	nodeReady       = "Ready"
)

// impactOf returns nil if the evidence has no nodes, no workloads and no pods.
func impactOf(in Input, findings []Finding) *Impact {
	i := &Impact{Nodes: []NodeState{}, Workloads: []ShortWorkload{}, Checked: map[string]int{}, Pods: map[PodState]int{}}
	i.nodes(in, findings)
	owners := i.pods(in)
	i.workloads(in, owners)
	if len(i.Nodes)+len(i.Checked)+len(i.Pods) == 0 {
		return nil
	}
	return i
}

func (i *Impact) nodes(in Input, findings []Finding) {
	faulty := faultyNodes(in.Snapshot, findings)
	at := map[string]int{}
	for _, n := range in.Snapshot.Data().Nodes {
		if !in.covers(n.Name) {
			continue
		}
		state := stateOf(n, faulty)
		if k, known := at[state]; known {
			i.Nodes[k].Count++
		} else {
			at[state] = len(i.Nodes)
			i.Nodes = append(i.Nodes, NodeState{state, 1})
		}
		if len(in.Nodes) == 1 {
			i.Node = nodeFacts(n, state)
		}
	}
	slices.SortStableFunc(i.Nodes, func(a, b NodeState) int { return cmp.Compare(nodeStateRank(a.State), nodeStateRank(b.State)) })
}

// covers reports whether the report is about the node.
func (in Input) covers(node string) bool {
	return len(in.Nodes) == 0 || slices.Contains(in.Nodes, node)
}

func stateOf(n *evidence.Node, faulty map[string]bool) string {
	switch {
	case n.Silent():
		return nodeUnreachable
	case n.NotReady():
		return nodeNotReady
	}
	for k := range n.Node.Status.Conditions {
		if c := &n.Node.Status.Conditions[k]; evidence.Bad(c) == evidence.True {
			return string(c.Type)
		}
	}
	switch {
	case faulty[n.Name]:
		return nodeFaulty
	case n.Condition(corev1.NodeReady) == nil:
		return nodeUnknown
	case n.Spec.Unschedulable:
		return nodeCordoned
	}
	return nodeReady
}

func nodeStateRank(state string) int {
	const conditions = 2
	order := []string{nodeUnreachable, nodeNotReady, "", nodeFaulty, nodeUnknown, nodeCordoned, nodeReady}
	if at := slices.Index(order, state); at >= 0 {
		return at
	}
	return conditions
}

func nodeFacts(n *evidence.Node, state string) *NodeFacts {
	f := &NodeFacts{Name: n.Name, State: state, Kubelet: n.Node.Status.NodeInfo.KubeletVersion, Runtime: n.Node.Status.NodeInfo.ContainerRuntimeVersion}
	if since := stateSince(n, state); !since.IsZero() {
		f.Since = &since
	}
	f.Closed = n.Spec.Unschedulable || slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return mechanics.KeepsAway(&t) })
	return f
}

// stateSince returns when a node got into a state; zero: the node does not say it.
func stateSince(n *evidence.Node, state string) time.Time {
	kind := corev1.NodeConditionType(state)
	switch state {
	case nodeCordoned:
		at, _ := n.CordonedBy()
		return at
	case nodeUnreachable, nodeNotReady, nodeReady:
		kind = corev1.NodeReady
	}
	if c := n.Condition(kind); c != nil && !c.LastTransitionTime.IsZero() {
		return c.LastTransitionTime.UTC()
	}
	return time.Time{}
}

// faultyNodes returns the nodes that a finding of severity error or critical is about, directly or through a pod on them. A
// finding that is only possible does not count.
func faultyNodes(s *evidence.Snapshot, findings []Finding) map[string]bool {
	out := map[string]bool{}
	for _, f := range findings {
		if f.Severity.Rank() > catalog.Error.Rank() || f.Certainty == Possible {
			continue
		}
		for _, about := range f.Subjects {
			switch about.Kind {
			case "Node":
				out[about.Name] = true
			case "Pod":
				if p := s.Pod(about.Namespace, about.Name); p != nil {
					out[p.Node] = true
				}
			}
		}
	}
	return out
}

// pods returns the pods that the report is about.
func (in Input) pods() []*evidence.Pod {
	if len(in.Nodes) == 0 {
		return in.Snapshot.Data().Pods
	}
	var out []*evidence.Pod
	for _, name := range slices.Compact(slices.Sorted(slices.Values(in.Nodes))) {
		out = append(out, in.Snapshot.PodsOn(name)...)
	}
	return out
}

// pods counts the pods and returns their workloads.
func (i *Impact) pods(in Input) map[*evidence.Workload]bool {
	owners := map[*evidence.Workload]bool{}
	if in.Snapshot.Covers(evidence.Pods) == evidence.Complete {
		i.Pods[PodRunning] = 0
	}
	var unready []*evidence.Pod
	for _, p := range in.pods() {
		if !p.Stated() {
			continue
		}
		if !p.Finished() && !p.Works() {
			unready = append(unready, p)
		}
		if w := in.Snapshot.TopOwnerOf(p); w != nil {
			owners[w] = true // also of an evicted pod, which is Succeeded if its containers exit with 0
		}
		switch {
		case p.Finished():
		case p.Works():
			i.Pods[PodRunning]++
		case p.Node == "" && p.Phase == corev1.PodPending:
			i.Pods[PodPending]++
		default:
			i.Pods[PodOther]++
		}
	}
	i.name(unready)
	return owners
}

// name stores the names of pods that are not ready.
func (i *Impact) name(pods []*evidence.Pod) {
	rank := func(p *evidence.Pod) int {
		switch {
		case p.Namespace == "kube-system":
			return 0
		case p.Node != "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(pods, func(a, b *evidence.Pod) int { return cmp.Compare(rank(a), rank(b)) })
	for _, p := range pods[:min(len(pods), maxUnready)] {
		i.Unready = append(i.Unready, evidence.PodSubject(p.Namespace, p.Name))
	}
}

// workloads lists the workloads with fewer ready pods than desired. A Job has no desired number of ready pods.
func (i *Impact) workloads(in Input, owners map[*evidence.Workload]bool) {
	for _, w := range in.Snapshot.Data().Workloads {
		known := w.Replicas >= 0 && w.Ready >= 0
		if w.Kind == "Job" || !known || in.Snapshot.ControllerOf(w) != nil {
			continue
		}
		if len(in.Nodes) > 0 && !owners[w] {
			continue
		}
		i.Checked[w.Kind]++
		if w.Ready < w.Replicas {
			i.Workloads = append(i.Workloads, ShortWorkload{w.Subject(), w.Ready, w.Replicas})
		}
	}
	slices.SortStableFunc(i.Workloads, func(a, b ShortWorkload) int {
		return cmp.Or(cmp.Compare(min(a.Ready, 1), min(b.Ready, 1)), cmp.Compare(b.Desired-b.Ready, a.Desired-a.Ready),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}
