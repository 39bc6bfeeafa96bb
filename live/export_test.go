package live

import (
	"reflect"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/nodetriage/nodetriage/evidence"
)

// Object is an API object of a test.
type Object interface {
	metav1.Object
	runtime.Object
}

// Put stores an object as the watch of its list does.
func (s *Store) Put(o Object) {
	l := s.listOf(o)
	l.Put(keyOf(o), l.Small(o.DeepCopyObject()))
}

// Drop removes an object as the watch of its list does.
func (s *Store) Drop(o Object) { s.listOf(o).Drop(keyOf(o)) }

// Listed makes all lists current, without further objects.
func (s *Store) Listed() {
	for _, l := range s.lists {
		l.Follow(true, nil)
		l.listed = true
	}
}

// Follow notes for the lists of a resource whether changes arrive.
func (s *Store) Follow(resource string, changes bool, err error) {
	for name, l := range s.lists {
		if name.resource == resource {
			l.Follow(changes, err)
		}
	}
}

func (s *Store) listOf(o Object) *list {
	namespace := ""
	if l, is := o.(*coordinationv1.Lease); is {
		namespace = l.Namespace
	}
	for name, l := range s.lists {
		object := evidence.ObjectNamed(strings.Split(name.resource, ".")[0])
		if reflect.TypeOf(object.New()) == reflect.TypeOf(o) && name.namespace == namespace {
			return l
		}
	}
	panic("no list for " + o.GetName())
}

func keyOf(o Object) string { return o.GetNamespace() + "/" + o.GetName() }
