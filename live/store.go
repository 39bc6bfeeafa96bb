package live

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
)

// Object is an object of the API, as an informer keeps it: the store copies it before anything is made of it.
type Object interface {
	metav1.Object
	runtime.Object
}

// Store has the objects of a cluster by the node that they belong to. Its methods may be called concurrently.
type Store struct {
	source     evidence.Source
	signatures *signatures.Set
	covers     []evidence.Kind

	mu     sync.RWMutex
	owner  map[key]owner            // of every object that belongs to something
	of     map[owner]map[key]Object // what belongs to a node, or to an object whose node is looked up by that
	owners map[types.UID]Object     // controllers, by their UIDs
	placed map[owner]string         // pods and nodes that are there, with their nodes
}

// key is an object.
type key struct {
	kind            schema.GroupKind
	namespace, name string
}

// owner is the node or the object that something belongs to.
type owner struct{ kind, namespace, name string }

// NewStore makes a store of a source whose lists of those kinds are read whole.
func NewStore(source evidence.Source, set *signatures.Set, covers ...evidence.Kind) *Store {
	return &Store{
		source: source, signatures: set, covers: covers,
		owner: map[key]owner{}, of: map[owner]map[key]Object{}, owners: map[types.UID]Object{}, placed: map[owner]string{},
	}
}

// Put adds an object or replaces it, and returns the node whose judgement it changes; "" where it belongs to none.
func (s *Store) Put(o Object) (node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := keyOf(o)
	s.remove(k)
	to := belongsTo(o)
	s.owner[k] = to
	if s.of[to] == nil {
		s.of[to] = map[key]Object{}
	}
	s.of[to][k] = o
	switch o := o.(type) {
	case *corev1.Pod:
		s.placed[owner{"Pod", o.Namespace, o.Name}] = o.Spec.NodeName
	case *corev1.Node, *corev1.Event:
	default:
		s.owners[o.GetUID()] = o
	}
	return s.nodeOf(to)
}

// Drop forgets an object, and returns the node whose judgement that changes.
func (s *Store) Drop(o Object) (node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := keyOf(o)
	node = s.nodeOf(s.owner[k])
	s.remove(k)
	delete(s.owners, o.GetUID())
	if k.kind.Kind == "Pod" {
		delete(s.placed, owner{"Pod", k.namespace, k.name})
	}
	return node
}

func (s *Store) remove(k key) {
	to := s.owner[k]
	delete(s.owner, k)
	delete(s.of[to], k)
	if len(s.of[to]) == 0 {
		delete(s.of, to)
	}
}

// nodeOf is the node of what something belongs to.
func (s *Store) nodeOf(to owner) string {
	if to.kind == "Pod" {
		return s.placed[to]
	}
	return to.name
}

// Node returns the part of the evidence that belongs to a node, as of now.
func (s *Store) Node(name string, now time.Time) *evidence.Snapshot {
	b := collect.NewBuilder(s.source, s.signatures)
	b.TakenAt(now)
	s.mu.RLock()
	defer s.mu.RUnlock()
	add := func(to owner) []Object {
		var out []Object
		for _, o := range s.of[to] {
			out = append(out, o)
			b.AddObject(o.DeepCopyObject())
		}
		return out
	}
	controllers := map[types.UID]bool{}
	for _, o := range add(owner{kind: "Node", name: name}) {
		pod, is := o.(*corev1.Pod)
		if !is {
			continue
		}
		add(owner{"Pod", pod.Namespace, pod.Name})
		if c := metav1.GetControllerOf(pod); c != nil && !controllers[c.UID] && s.owners[c.UID] != nil {
			controllers[c.UID] = true
			b.AddObject(s.owners[c.UID].DeepCopyObject())
		}
	}
	for _, k := range s.covers {
		b.Cover(k, evidence.Complete)
	}
	return b.Snapshot()
}

// belongsTo is the node of nodes, pods and leases, the object of an event, and nothing of what else there is.
func belongsTo(o Object) owner {
	switch o := o.(type) {
	case *corev1.Pod:
		return owner{kind: "Node", name: o.Spec.NodeName}
	case *corev1.Event:
		ref := o.InvolvedObject
		if ref.Kind == "Node" {
			return owner{kind: "Node", name: ref.Name}
		}
		return owner{ref.Kind, ref.Namespace, ref.Name}
	}
	if o.GetNamespace() == corev1.NamespaceNodeLease || o.GetNamespace() == "" {
		return owner{kind: "Node", name: o.GetName()}
	}
	return owner{}
}

func keyOf(o Object) key {
	kind := schema.GroupKind{}
	switch o.(type) {
	case *corev1.Pod:
		kind.Kind = "Pod"
	case *corev1.Node:
		kind.Kind = "Node"
	case *corev1.Event:
		kind.Kind = "Event"
	default:
		kind = o.GetObjectKind().GroupVersionKind().GroupKind()
	}
	return key{kind, o.GetNamespace(), o.GetName()}
}
