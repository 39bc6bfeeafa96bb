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

// Cluster is the nodes with the pods that are booked on them, as the scheduler sees both: pods that have ended
// do not count, pods that are being deleted do.
type Cluster struct {
	snapshot  *evidence.Snapshot
	scheduler *scheduler
	templates templates
	words     wording
	nominated nominator

	nodes  map[string]*framework.NodeInfo
	slots  map[string]int  // where verdicts keep what they know of a node; never used again
	filled int             // slots
	unread map[string]bool // nodes on which nothing is placed: their pods were not read
	unsure string          // why every answer is unknown; empty: none is
	lister lister          // of nodes, derived; nil list: to be made again
	next   int             // node at which Place begins to look

	// verdicts are what is known of a template; changes is what happened since, which every verdict can catch
	// up with; keepers are the indexes of those that brought a pod which keeps others away.
	verdicts map[*template]*verdict
	changes  []change
	keepers  []int
}

// change is a pod that came to a node or left it, or, without a pod, a node that came, changed or left.
type change struct {
	node  string
	pod   *template
	gone  bool
	shape bool // of a node: more than its taints
}

// New makes the Board of the nodes and pods of s.
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

// started builds the framework around the cluster.
func (c *Cluster) started() (placement.Board, error) {
	var err error
	if c.scheduler, err = newScheduler(c); err != nil {
		return nil, fmt.Errorf("set up the scheduler's plugins: %w", err)
	}
	return c, nil
}

// Clone returns a Board that can be changed without changing c.
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

// Node returns the node as it is now in c, or nil. It must not be changed: PutNode a copy.
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

// PutNode adds a node, or replaces one and keeps its pods: to cordon it, to taint it, to label it.
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

// RemoveNode takes a node out, with the pods on it.
func (c *Cluster) RemoveNode(name string) {
	delete(c.nodes, name)
	delete(c.slots, name)
	c.lister.list = nil
	c.note(change{node: name, gone: true, shape: true})
}

// Assume books the pod on the node, whether it fits or not: from now on it takes room there and counts for the
// constraints of others.
func (c *Cluster) Assume(p *evidence.Pod, node string) error {
	n := c.nodes[node]
	if n == nil {
		return fmt.Errorf("place pod %s: there is no node %s", p.Key(), node)
	}
	if p.Spec == nil {
		return fmt.Errorf("place pod %s: its spec is not known", p.Key())
	}
	t := c.templates.of(p)
	n.AddPodInfo(t.info)
	c.note(change{node: node, pod: t})
	return nil
}

// Forget takes the pod off the node: it is gone, not only being deleted.
func (c *Cluster) Forget(p *evidence.Pod, node string) error {
	n := c.nodes[node]
	if n == nil {
		return fmt.Errorf("remove pod %s: there is no node %s", p.Key(), node)
	}
	if p.Spec == nil {
		return fmt.Errorf("remove pod %s: its spec is not known", p.Key())
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

// podAffinity reports whether the pod is on the lists of those that plugins look through for affinity.
func podAffinity(p *corev1.Pod) bool {
	a := p.Spec.Affinity
	return a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil)
}

// maxChanges bounds the memory of changes: after that many a fresh look is no dearer.
const maxChanges = 1 << 16

// list returns the nodes in the order of their names.
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
