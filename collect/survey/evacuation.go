package survey

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Bounds for the reads before pods of some nodes move.
const (
	fewNodes   = 200 // maximum nodes of a cluster that is read completely
	candidates = 40  // nodes whose free capacity is read
	maxQueries = 300 // lists of pods that matter for the pods of the nodes
)

// Evacuation reads what decides where the pods of the named nodes can go, and what blocks them. Its cost grows with the number of
// nodes, not of pods. It reads all nodes, and the pods of the named nodes with their dependencies. It reads the pods that their
// PodDisruptionBudgets, controllers, affinities and spread constraints count, and all unscheduled pods. It reads the pods of some
// candidate nodes (Data.PodsReadOn). A small cluster is read completely.
//
// Coverage is of this scope. A name of no node is no error: nothing is read for it.
func Evacuation(ctx context.Context, r *kube.Reader, b *collect.Builder, names []string, opt Options) error {
	s := newSurvey(r, b, opt)
	if err := s.contact(ctx); errors.Is(err, errNoUse) {
		return nil
	} else if err != nil {
		return err
	}
	if s.small(ctx) {
		return s.cluster(ctx)
	}
	return newEvacuation(s, names).run(ctx)
}

// small reports whether the cluster has few enough nodes to read everything, or their number cannot be read.
func (s *survey) small(ctx context.Context) bool {
	count, err := kube.Count(ctx, s.reader, kube.Nodes)
	return err != nil || count >= 0 && count <= fewNodes
}

func newEvacuation(s *survey, names []string) *evacuation {
	return &evacuation{
		nodeSurvey: &nodeSurvey{survey: s, names: unique(names), seen: map[string]bool{}}, kept: map[string]bool{},
		moves: func(p *evidence.Pod) bool { return mechanics.Replaces(p) != mechanics.OnSameNode },
	}
}

func (e *evacuation) run(ctx context.Context) error {
	s := e.survey
	s.wait.Go(func() { e.read(ctx) })
	s.wait.Go(func() {
		readList(ctx, s, evidence.Leases, kube.Leases, kube.Query{Namespace: corev1.NamespaceNodeLease}, nil)
		s.builder.TakenAt(s.reader.ServerTime())
	})
	for _, name := range e.names {
		s.wait.Go(func() { e.nodeEvents(ctx, name) })
	}
	s.wait.Go(func() { e.events(ctx, "", fields.OneTermEqualSelector("reason", "FailedCreate")) })
	s.wait.Go(func() { e.readAll(ctx, evidence.Namespaces) })
	s.wait.Go(func() { e.system(ctx) })
	s.wait.Go(func() { s.controlPlaneLeases(ctx) })
	s.wait.Go(func() { s.priorityClasses(ctx) })
	s.wait.Go(func() { s.webhooks(ctx) })
	s.wait.Go(func() { s.policies(ctx) })
	s.wait.Go(func() { s.mutations(ctx) })
	return s.finish(ctx)
}

// readAll reads all objects of the kinds.
func (e *evacuation) readAll(ctx context.Context, kinds ...evidence.Kind) {
	for _, row := range evidence.Kinds() {
		for _, o := range row.Objects() {
			if slices.Contains(kinds, o.Of()) {
				e.wait.Go(func() { e.all(ctx, o) })
			}
		}
	}
}

// evacuation is a survey of nodes whose pods must move.
type evacuation struct {
	*nodeSurvey
	moves func(*evidence.Pod) bool // selects pods of the nodes
	stays bool                     // no pod moves, so free capacity is not read
	kept  map[string]bool          // pods by namespace/name, under the builder's lock
}

// read reads the nodes and the free capacity of some, and concurrently each pod that matters, once.
func (e *evacuation) read(ctx context.Context) {
	e.wait.Go(func() { e.room(ctx) })
	e.wait.Go(func() { _ = e.podsOf(ctx, onNode("")) })
	for _, name := range e.names {
		e.podsOn(ctx, name)
	}
	moving := e.moving()
	e.wait.Go(func() { e.podEvents(ctx, moving) })
	e.wait.Go(func() { e.storage(ctx, moving) })
	e.owners(ctx, moving)
	e.budgets(ctx, moving)
	var counted map[podQuery]bool
	e.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) { counted = countedWith(d, moving) })
	each(e.nodeSurvey, evidence.Pods, slices.SortedFunc(maps.Keys(counted), podQuery.compare), maxQueries, "lists of pods that count for its pods", func(q podQuery) {
		_ = e.podsOf(ctx, kube.Query{Namespace: q.namespace, Labels: q.selector, FromCache: true}) // a failure becomes a gap
	})
}

// room reads all nodes, and the pods of some candidate nodes.
func (e *evacuation) room(ctx context.Context) {
	readList(ctx, e.survey, evidence.Nodes, kube.Nodes, kube.Query{}, nil)
	if e.stays {
		return
	}
	var others []string
	e.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) { others = couldTake(d.Nodes, e.names) })
	for _, name := range others {
		e.wait.Go(func() { e.podsOn(ctx, name) })
	}
}

// podsOn reads all pods of the node.
func (e *evacuation) podsOn(ctx context.Context, node string) {
	if e.podsOf(ctx, onNode(node)) {
		e.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.PodsReadOn = append(d.PodsReadOn, node) })
	}
}

func onNode(name string) kube.Query {
	return kube.Query{Fields: fields.OneTermEqualSelector("spec.nodeName", name).String(), FromCache: true}
}

// podsOf reads pods that were not read before, and reports whether the list was complete.
func (e *evacuation) podsOf(ctx context.Context, q kube.Query) bool {
	o := list(ctx, e.survey, evidence.Pods, kube.Pods, q, func(p *corev1.Pod) bool {
		key := p.Namespace + "/" + p.Name
		if e.kept[key] {
			return false
		}
		e.kept[key] = true
		return true
	})
	e.note(o)
	return o.all
}

// moving returns the selected pods of the nodes.
func (e *evacuation) moving() (out []*evidence.Pod) {
	e.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, p := range d.Pods {
			if slices.Contains(e.names, p.Node) && e.moves(p) {
				out = append(out, p)
			}
		}
	})
	return out
}

// storage reads everything that volumes depend on, if a pod has any: the volume limit of a node depends on all its pods.
func (e *evacuation) storage(ctx context.Context, pods []*evidence.Pod) {
	kinds := []evidence.Kind{evidence.Claims, evidence.Volumes, evidence.VolumeAttachments, evidence.CSINodes, evidence.StorageClasses,
		evidence.CSIDrivers, evidence.StorageCapacities}
	if len(claimsOf(pods)) == 0 {
		for _, k := range kinds { // nothing to read, so nothing is missing
			e.note(outcome{kind: k, all: true})
		}
		return
	}
	e.readAll(ctx, kinds...)
}

// couldTake selects candidate nodes: half of them from the pools of the named nodes, the others from all pools in turn. It skips
// nodes that are not Ready or are cordoned.
func couldTake(nodes []*evidence.Node, names []string) []string {
	pools := map[string][]string{}
	var like, keys []string
	for _, n := range nodes {
		key, value := n.PoolLabel()
		pool := strings.Join([]string{key, value, n.Labels[corev1.LabelTopologyZone]}, "\x00")
		switch {
		case slices.Contains(names, n.Name):
			like = append(like, pool)
		case n.Ready() == evidence.True && !n.Spec.Unschedulable:
			pools[pool] = append(pools[pool], n.Name)
		}
	}
	for _, list := range pools {
		slices.Sort(list)
	}
	var out []string
	take := func(from []string, most int) {
		for len(out) < most {
			before := len(out)
			for _, pool := range from {
				if list := pools[pool]; len(list) > 0 && len(out) < most {
					out, pools[pool] = append(out, list[0]), list[1:]
				}
			}
			if len(out) == before {
				return
			}
		}
	}
	keys = slices.Sorted(maps.Keys(pools))
	take(unique(like), candidates/2)
	take(keys, candidates)
	return out
}

// podQuery lists pods in a namespace, or in all if it is empty.
type podQuery struct{ namespace, selector string }

func (q podQuery) compare(other podQuery) int {
	return slices.Compare([]string{q.namespace, q.selector}, []string{other.namespace, other.selector})
}

// countedWith returns queries for the pods that affect the given ones. These are the pods of the same PodDisruptionBudget or
// controller, and those that affinities and spread constraints select.
func countedWith(d *evidence.Data, pods []*evidence.Pod) map[podQuery]bool {
	out := map[podQuery]bool{}
	add := func(namespace string, s *metav1.LabelSelector) {
		if selector, err := metav1.LabelSelectorAsSelector(s); s != nil && err == nil {
			out[podQuery{namespace, selector.String()}] = true
		}
	}
	budgets := mechanics.NewBudgets(d.PDBs)
	workloads := map[evidence.Subject]*evidence.Workload{}
	for _, w := range d.Workloads {
		workloads[w.Subject()] = w
	}
	for _, p := range pods {
		for _, b := range budgets.Of(p) {
			add(b.Namespace, b.Spec.Selector)
		}
		for o := p.Owner; ; {
			w := workloads[evidence.Subject{Kind: o.Kind, Namespace: p.Namespace, Name: o.Name}]
			if w == nil {
				break
			}
			if s, err := metav1.ParseToLabelSelector(w.Selector); err == nil {
				add(w.Namespace, s)
			}
			o = w.Owner
		}
		if p.Spec == nil {
			continue
		}
		for _, t := range p.Spec.TopologySpreadConstraints {
			add(p.Namespace, t.LabelSelector)
		}
		for _, t := range requiredTerms(p.Spec.Affinity) {
			for _, namespace := range namespacesOf(t, p.Namespace) {
				add(namespace, t.LabelSelector)
			}
		}
	}
	return out
}

// namespacesOf returns the namespaces of a term; the empty one stands for all.
func namespacesOf(t corev1.PodAffinityTerm, own string) []string {
	switch {
	case t.NamespaceSelector != nil:
		return []string{""}
	case len(t.Namespaces) > 0:
		return t.Namespaces
	}
	return []string{own}
}

func requiredTerms(a *corev1.Affinity) (out []corev1.PodAffinityTerm) {
	if a != nil && a.PodAffinity != nil {
		out = append(out, a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
	}
	if a != nil && a.PodAntiAffinity != nil {
		out = append(out, a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
	}
	return out
}
