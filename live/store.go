package live

import (
	"reflect"
	"slices"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Object is an API object in the cache of an informer. The store copies it before it changes anything.
type Object interface {
	metav1.Object
	runtime.Object
}

// Store indexes the objects of a cluster by node. Its methods are safe for concurrent use.
type Store struct {
	source     evidence.Source
	signatures *signatures.Set
	covers     []evidence.Kind

	mu          sync.RWMutex
	owner       map[key]owner            // of every object with an owner
	of          map[owner]map[key]Object // objects of a node, or of a pod that placed resolves to a node
	controllers map[types.UID]Object     // objects of no node; pods refer to them by UID
	placed      map[owner]string         // node of each pod
}

// key identifies an object. Its kind is the Go type because objects of informers have an empty TypeMeta.
type key struct {
	kind            reflect.Type
	namespace, name string
}

// owner is the node or the object that something belongs to. The zero value means none.
type owner struct{ kind, namespace, name string }

func ofNode(name string) owner { return owner{kind: "Node", name: name} }

// NewStore returns a store for a source that lists the given kinds completely.
func NewStore(source evidence.Source, set *signatures.Set, covers ...evidence.Kind) *Store {
	return &Store{
		source: source, signatures: set, covers: covers,
		owner: map[key]owner{}, of: map[owner]map[key]Object{}, controllers: map[types.UID]Object{}, placed: map[owner]string{},
	}
}

// Put adds or replaces an object and returns the nodes to judge again. There are two if a pod was recreated on another
// node.
func (s *Store) Put(o Object) (nodes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.remove(o)
	to := belongsTo(o)
	if to == (owner{}) {
		s.controllers[o.GetUID()] = o
		return named(before)
	}
	k := keyOf(o)
	s.owner[k] = to
	if s.of[to] == nil {
		s.of[to] = map[key]Object{}
	}
	s.of[to][k] = o
	if pod, is := o.(*corev1.Pod); is {
		s.placed[ofPod(pod)] = pod.Spec.NodeName
	}
	return named(before, s.nodeOf(to))
}

// Drop removes an object and returns the nodes to judge again.
func (s *Store) Drop(o Object) (nodes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return named(s.remove(o))
}

// remove removes an object and returns the node that it belonged to.
func (s *Store) remove(o Object) (node string) {
	k := keyOf(o)
	to := s.owner[k]
	node = s.nodeOf(to)
	delete(s.owner, k)
	delete(s.of[to], k)
	if len(s.of[to]) == 0 {
		delete(s.of, to)
	}
	delete(s.controllers, o.GetUID())
	if pod, is := o.(*corev1.Pod); is {
		delete(s.placed, ofPod(pod))
	}
	return node
}

// named returns the non-empty names without duplicates.
func named(nodes ...string) []string {
	slices.Sort(nodes)
	return slices.DeleteFunc(slices.Compact(nodes), func(n string) bool { return n == "" })
}

// nodeOf returns the node of an owner.
func (s *Store) nodeOf(to owner) string {
	if to.kind == "Node" {
		return to.name
	}
	return s.placed[to]
}

// Node returns the part of the evidence that belongs to a node, as of now.
func (s *Store) Node(name string, now time.Time) *evidence.Snapshot {
	b := collect.NewBuilder(s.source, s.signatures)
	b.TakenAt(now)
	s.mu.RLock()
	defer s.mu.RUnlock()
	asked := map[types.UID]bool{}
	for _, o := range s.of[ofNode(name)] {
		b.AddObject(o.DeepCopyObject())
		pod, is := o.(*corev1.Pod)
		if !is {
			continue
		}
		for _, e := range s.of[ofPod(pod)] {
			b.AddObject(e.DeepCopyObject())
		}
		if c := metav1.GetControllerOf(pod); c != nil && !asked[c.UID] && s.controllers[c.UID] != nil {
			asked[c.UID] = true
			b.AddObject(s.controllers[c.UID].DeepCopyObject())
		}
	}
	for _, k := range s.covers {
		b.Cover(k, evidence.Complete)
	}
	return b.Snapshot()
}

// belongsTo returns the node of an object, or the involved object of an event. Other objects have no owner.
func belongsTo(o Object) owner {
	switch o := o.(type) {
	case *corev1.Node:
		return ofNode(o.Name)
	case *corev1.Pod:
		return ofNode(o.Spec.NodeName)
	case *storagev1.CSINode:
		return ofNode(o.Name)
	case *storagev1.VolumeAttachment:
		return ofNode(o.Spec.NodeName)
	case *coordinationv1.Lease:
		if o.Namespace == corev1.NamespaceNodeLease {
			return ofNode(o.Name)
		}
	case *corev1.Event:
		ref := o.InvolvedObject
		if ref.Kind == "Node" {
			return ofNode(ref.Name)
		}
		return owner{ref.Kind, ref.Namespace, ref.Name}
	}
	return owner{}
}

func ofPod(pod *corev1.Pod) owner { return owner{"Pod", pod.Namespace, pod.Name} }

func keyOf(o Object) key { return key{reflect.TypeOf(o), o.GetNamespace(), o.GetName()} }
