package scheduler

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Cluster has the nodes with their pods, as the scheduler sees them: completed pods do not count, terminating pods do.
type Cluster struct {
	snapshot  *evidence.Snapshot
	scheduler *scheduler
	templates templates
	words     wording
	nominated nominator

	nodes  map[string]*framework.NodeInfo
	slots  map[string]int  // index of a node in verdicts; never reused
	filled int             // number of used slots
	unread map[string]bool // nodes without pods in the evidence, on which nothing is placed
	unsure string          // why every answer is unknown; empty: none is
	lister lister          // cached node lists; nil list: stale
	next   int             // node at which Place starts

	// verdicts are cached results by template. changes are the later changes, which verdicts apply on demand. keepers
	// are the indexes of changes that added a pod with anti-affinity.
	verdicts map[*template]*verdict
	changes  []change
	keepers  []int
}

// change is a pod that was added or removed, or, without a pod, a node that was added, changed or removed.
type change struct {
	node  string
	pod   *template
	gone  bool
	shape bool // of a node: more than its taints changed
}

// New returns the Board of the nodes and pods of s.
func New(s *evidence.Snapshot) (placement.Board, error) {
	c := &Cluster{
		snapshot: s, templates: templates{}, words: wordingOf(s.Data().Server.Version),
		nominated: nominator{}, nodes: map[string]*framework.NodeInfo{}, slots: map[string]int{}, unread: map[string]bool{}, verdicts: map[*template]*verdict{},
		unsure: placement.Unsure(s),
	}
	for _, n := range s.Data().Nodes {
		c.add(n.Name).SetNode(n.Node)
		if s.Data().PodsReadOn != nil && !slices.Contains(s.Data().PodsReadOn, n.Name) {
			c.unread[n.Name] = true
		}
	}
	for _, p := range s.Data().Pods {
		if p.Finished() || p.Spec == nil {
			continue
		}
		if n := c.nodes[p.Node]; n != nil {
			n.AddPodInfo(c.templates.of(p).info)
		} else if p.Node == "" && p.Nominated != "" {
			c.nominated[p.Nominated] = append(c.nominated[p.Nominated], c.templates.of(p).info)
		}
	}
	return c.started()
}

// started builds the scheduling framework for the cluster.
func (c *Cluster) started() (placement.Board, error) {
	var err error
	if c.scheduler, err = newScheduler(c); err != nil {
		return nil, fmt.Errorf("set up the scheduler's plugins: %w", err)
	}
	return c, nil
}

// Clone returns an independent copy.
func (c *Cluster) Clone() (placement.Board, error) {
	out := &Cluster{
		snapshot: c.snapshot, templates: maps.Clone(c.templates), words: c.words, nominated: c.nominated,
		nodes: make(map[string]*framework.NodeInfo, len(c.nodes)), slots: maps.Clone(c.slots), filled: c.filled, unread: c.unread, unsure: c.unsure, verdicts: map[*template]*verdict{},
	}
	for name, n := range c.nodes {
		out.nodes[name] = n.SnapshotConcrete()
	}
	return out.started()
}

// Nodes returns the names of the nodes, in order.
func (c *Cluster) Nodes() []string { return slices.Sorted(maps.Keys(c.nodes)) }

// Node returns the current node in c, or nil. Callers must not modify it but call PutNode with a copy.
func (c *Cluster) Node(name string) *corev1.Node {
	if n := c.nodes[name]; n != nil {
		return n.Node()
	}
	return nil
}

func (c *Cluster) add(name string) *framework.NodeInfo {
	info := framework.NewNodeInfo()
	c.nodes[name], c.slots[name] = info, c.filled
	c.filled++
	return info
}

// PutNode adds a node, or replaces it and keeps its pods, for example to cordon, taint or label it.
func (c *Cluster) PutNode(n *corev1.Node) {
	info := c.nodes[n.Name]
	shape := info == nil || !maps.Equal(info.Node().Labels, n.Labels)
	if info == nil {
		info = c.add(n.Name)
		c.lister.list = nil
	}
	info.SetNode(n)
	c.note(change{node: n.Name, shape: shape})
}

// RemoveNode removes a node and its pods.
func (c *Cluster) RemoveNode(name string) {
	delete(c.nodes, name)
	delete(c.slots, name)
	c.lister.list = nil
	c.note(change{node: name, gone: true, shape: true})
}

// Assume assigns the pod to the node without checks. It then uses resources there and counts for the constraints of
// other pods.
func (c *Cluster) Assume(p *evidence.Pod, node string) error {
	n := c.nodes[node]
	if n == nil {
		return fmt.Errorf("place pod %s: there is no node %s", p.Key(), node)
	}
	if p.Spec == nil {
		return fmt.Errorf("place pod %s: its spec is unknown", p.Key())
	}
	t := c.templates.of(p)
	n.AddPodInfo(t.info)
	c.note(change{node: node, pod: t})
	return nil
}

// Forget removes the pod from the node: it is deleted, not only terminating.
func (c *Cluster) Forget(p *evidence.Pod, node string) error {
	n := c.nodes[node]
	if n == nil {
		return fmt.Errorf("remove pod %s: there is no node %s", p.Key(), node)
	}
	if p.Spec == nil {
		return fmt.Errorf("remove pod %s: its spec is unknown", p.Key())
	}
	t := c.templates.of(p)
	if err := n.RemovePod(logr.Discard(), t.pod); err != nil {
		return fmt.Errorf("remove pod %s from node %s: it is not there", p.Key(), node)
	}
	c.note(change{node: node, pod: t, gone: true})
	return nil
}

func (c *Cluster) note(ch change) {
	if ch.pod == nil || len(ch.pod.info.RequiredAntiAffinityTerms) > 0 || podAffinity(ch.pod.pod) {
		c.lister.stale = true
	}
	if ch.pod != nil && !ch.gone && len(ch.pod.info.RequiredAntiAffinityTerms) > 0 {
		c.keepers = append(c.keepers, len(c.changes))
	}
	c.changes = append(c.changes, ch)
	if len(c.changes) > maxChanges {
		c.changes, c.keepers = nil, nil
		clear(c.verdicts)
	}
}

// podAffinity reports whether the pod is in the affinity lists of plugins.
func podAffinity(p *corev1.Pod) bool {
	a := p.Spec.Affinity
	return a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil)
}

// maxChanges bounds the memory of changes. After that many, a full evaluation costs the same.
const maxChanges = 1 << 16

// list returns the nodes sorted by name.
func (c *Cluster) list() []fwk.NodeInfo {
	if c.lister.list == nil {
		names := c.Nodes()
		c.lister.stale = true
		c.lister.list = make([]fwk.NodeInfo, len(names))
		c.lister.slots = make([]int, len(names))
		for i, n := range names {
			c.lister.list[i], c.lister.slots[i] = c.nodes[n], c.slots[n]
		}
	}
	return c.lister.list
}
