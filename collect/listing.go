package collect

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// listing is one list of objects, with what its items tell of how it was asked for. kubectl prints the same list
// whether it was given names, a selector, or nothing (docs/decisions/0010-what-a-list-shows.md).
type listing struct {
	source string // document that holds it
	of     string // kind of the items, where the list or the document tells
	meta   listMeta
	kinds  map[string]int // objects of each kind that is read

	spaces map[string]string // a namespace of each kind
	spread bool              // a kind has objects of several namespaces: kubectl takes no names then

	count  int
	shared map[string]string // labels that all of them have

	node    string // the first that a pod is on
	nodes   bool   // pods of several nodes
	running bool   // one of the pods runs
	normal  bool   // one of the events is of what is usual
}

// saw takes an item, before it is trimmed.
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
	} else if len(l.shared) > 0 {
		shared := map[string]string{}
		for k, v := range l.shared {
			if have, ok := meta.GetLabels()[k]; ok && have == v {
				shared[k] = v
			}
		}
		l.shared = shared
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

// everywhere tells whether the list was read of all namespaces and without a selector of labels.
func (l *listing) everywhere() bool {
	return l.spread && (l.count < 2 || len(l.shared) == 0)
}

// whole tells whether the list shows all objects of a kind, in evidence with so many nodes.
func (l *listing) whole(kind string, nodes int) bool {
	switch {
	case l.kinds[kind] == 0 || !l.everywhere():
		return false
	case len(l.kinds) > 1: // no field is one of several kinds, so none was selected by
		return true
	case kind == "Pod": // nor by the state of the pods, or by their node
		return l.running && (l.nodes || nodes < 2)
	case kind == "Event":
		return l.normal
	}
	return true
}

// settleLists draws what the lists say together: which kinds are whole, and which were asked for and not there. The
// builder's lock is held.
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
			d.Coverage[evidence.Nodes] = evidence.Complete // others would have pods and leases
		}
	}
	for _, l := range b.listings {
		b.tellEmpty(l)
	}
}

// onlyListed tells whether nothing in the evidence is of a node that it does not show.
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

// neverEmpty is the kind of evidence that the objects belong to, if a cluster that can be asked has some: an empty list of
// them says that nothing was read.
func neverEmpty(kind string) evidence.Kind {
	if o := evidence.ObjectOf(kind); o != nil && o.Of().Row().Always {
		return o.Of()
	}
	return ""
}

// tellEmpty makes a gap of a list that shows nothing, unless another one does.
func (b *Builder) tellEmpty(l *listing) {
	kind := neverEmpty(l.of)
	if l.count > 0 || l.of != "" && kind == "" || kind != "" && b.data.Coverage[kind] != evidence.NotRead {
		return
	}
	g := evidence.Gap{What: l.source, Why: "is an empty list: nothing was read"}
	if kind != "" {
		g = evidence.Gap{What: string(kind), Why: fmt.Sprintf("the list in %s is empty: none was read", l.source), How: shell.Format("kubectl get {kind} -A -o json", string(kind))}
	}
	b.addGap(g)
}
