package collect

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// listing is one list of objects, and what its items show about the request. kubectl prints the same list with names, with a
// selector, or without either (docs/decisions/0010-what-a-list-shows.md).
type listing struct {
	source string // document that holds it
	of     string // kind of the items, if the list or the document gives it
	meta   listMeta
	kinds  map[string]int // number of objects of each supported kind

	spaces map[string]string // one namespace of each kind
	spread bool              // a kind has objects of several namespaces: kubectl accepts no names then

	count  int
	shared map[string]string // labels that all objects have

	node    string // the node of the last scheduled pod
	nodes   bool   // pods run on several nodes
	running bool   // at least one pod is running
	normal  bool   // at least one event is of type Normal
}

// saw records an item before it is trimmed.
func (l *listing) saw(kind string, obj any) {
	l.kinds[kind]++
	meta, named := obj.(metav1.Object)
	if !named {
		return
	}
	if ns := meta.GetNamespace(); ns != "" {
		l.spread = l.spread || l.spaces[kind] != "" && l.spaces[kind] != ns
		l.spaces[kind] = ns
	}
	if l.count++; l.count == 1 {
		l.shared = meta.GetLabels()
	} else {
		l.shared = common(l.shared, meta.GetLabels())
	}
	switch o := obj.(type) {
	case *corev1.Pod:
		if n := o.Spec.NodeName; n != "" {
			l.nodes = l.nodes || l.node != "" && l.node != n
			l.node = n
		}
		l.running = l.running || o.Status.Phase == corev1.PodRunning
	case *corev1.Event:
		l.normal = l.normal || o.Type == corev1.EventTypeNormal
	}
}

// common returns the labels of a that b also has. It does not change a, which is part of an object.
func common(a, b map[string]string) map[string]string {
	if len(a) == 0 {
		return nil
	}
	out := map[string]string{}
	for k, v := range a {
		if have, ok := b[k]; ok && have == v {
			out[k] = v
		}
	}
	return out
}

// everywhere reports whether the list covers all namespaces and has no label selector.
func (l *listing) everywhere() bool {
	return l.spread && (l.count < 2 || len(l.shared) == 0)
}

// whole reports whether the list contains all objects of a kind, given the number of nodes in the evidence.
func (l *listing) whole(kind string, nodes int) bool {
	switch {
	case l.kinds[kind] == 0 || !l.everywhere():
		return false
	case len(l.kinds) > 1: // several kinds share no field, so there was no field selector
		return true
	case kind == "Pod": // no selector on the phase or node of the pods
		return l.running && (l.nodes || nodes < 2)
	case kind == "Event":
		return l.normal
	}
	return true
}

// settleLists derives from all lists which kinds are complete, and which were requested but are empty. The builder's lock is held.
func (b *Builder) settleLists() {
	d := &b.data
	b.settlePages()
	whole := map[string]bool{}
	listed := slices.ContainsFunc(b.listings, func(l *listing) bool { return l.kinds["Node"] > 0 })
	for _, t := range b.pasted {
		listed = listed || len(t.Nodes()) > 1
	}
	for _, l := range b.listings {
		for kind := range l.kinds {
			whole[kind] = whole[kind] || l.whole(kind, len(d.Nodes))
		}
	}
	for _, kind := range wholeKinds(func(o *evidence.Object) bool { return whole[o.Kind] }) {
		d.Coverage[kind] = evidence.Complete
	}
	if listed && onlyListed(d) {
		d.Coverage[evidence.Nodes] = max(d.Coverage[evidence.Nodes], evidence.Listed)
		if whole["Pod"] || whole["Lease"] && hasNodeLease(d) {
			d.Coverage[evidence.Nodes] = evidence.Complete // other nodes would have pods and leases
		}
	}
	for _, l := range b.listings {
		b.tellEmpty(l)
	}
}

// onlyListed reports whether the evidence mentions no node that it does not list.
func onlyListed(d *evidence.Data) bool {
	shown := map[string]bool{"": true}
	for _, n := range d.Nodes {
		shown[n.Name] = true
	}
	return !slices.ContainsFunc(d.Pods, func(p *evidence.Pod) bool { return !shown[p.Node] }) &&
		!slices.ContainsFunc(d.Leases, func(l *evidence.Lease) bool { return l.Namespace == corev1.NamespaceNodeLease && !shown[l.Name] })
}

func hasNodeLease(d *evidence.Data) bool {
	return slices.ContainsFunc(d.Leases, func(l *evidence.Lease) bool { return l.Namespace == corev1.NamespaceNodeLease })
}

// neverEmpty returns the kind of evidence of the objects, if every reachable cluster has some. An empty list of them shows that
// nothing was read.
func neverEmpty(kind string) evidence.Kind {
	if o := evidence.ObjectOf(kind); o != nil && o.Of().Row().Always {
		return o.Of()
	}
	return ""
}

// tellEmpty adds a gap for an empty list, unless another list of the kind has items.
func (b *Builder) tellEmpty(l *listing) {
	kind := neverEmpty(l.of)
	mayBeEmpty := l.of != "" && kind == ""
	readElsewhere := kind != "" && b.data.Coverage[kind] != evidence.NotRead
	if l.count > 0 || mayBeEmpty || readElsewhere {
		return
	}
	g := evidence.Gap{What: l.source, Why: "is an empty list: nothing was read"}
	if kind != "" {
		g = evidence.Gap{What: string(kind), Why: fmt.Sprintf("the list in %s is empty: none was read", l.source), How: shell.Format("kubectl get {kind} -A -o json", string(kind))}
	}
	b.addGap(g)
}
