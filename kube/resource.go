package kube

import (
	"context"
	"errors"
)

// Resource is a class of API objects and how its answers are read.
type Resource[T any] struct {
	Group, Version, Name string
	Namespaced           bool
	metadata             bool // alone is asked for
	page                 int  // objects of a page; 0: as of most resources

	decoder func() func(object []byte, out *T) error // of the objects of one list, made anew for each: it may keep a state
	one     func(body []byte) (*T, error)
	key     func(*T) string // its place in the order of a list
}

// String is the name in RBAC rules and kubectl: "pods", "deployments.apps".
func (r Resource[T]) String() string {
	if r.Group == "" {
		return r.Name
	}
	return r.Name + "." + r.Group
}

// decodedBy returns the resource with another decoder of its lists.
func (r Resource[T]) decodedBy(decoder func() func([]byte, *T) error) Resource[T] {
	r.decoder = decoder
	return r
}

// inPages returns the resource with pages of so many objects.
func (r Resource[T]) inPages(of int) Resource[T] {
	r.page = of
	return r
}

// Source is a Resource of objects of any type.
type Source interface {
	String() string
	// List is the function List, whose objects are pointers.
	List(ctx context.Context, r *Reader, q Query, page func([]any) error) (all bool, err error)
}

// List is the function List for those who do not know the type of the objects: pointers to them.
func (r Resource[T]) List(ctx context.Context, reader *Reader, q Query, page func([]any) error) (all bool, err error) {
	return List(ctx, reader, r, q, func(objects []T) error {
		out := make([]any, len(objects))
		for i := range objects {
			out[i] = &objects[i]
		}
		return page(out)
	})
}

func (r Resource[T]) path(namespace, name string) string {
	path := "/apis/" + r.Group + "/" + r.Version
	if r.Group == "" {
		path = "/api/" + r.Version
	}
	if r.Namespaced && namespace != "" {
		path += "/namespaces/" + namespace
	}
	path += "/" + r.Name
	if name != "" {
		path += "/" + name
	}
	return path
}

type object[T any] interface {
	*T
	protoMessage
	GetNamespace() string
	GetName() string
}

// errNoObject is an answer that decodes without an error and is something else.
var errNoObject = errors.New("the answer is no object")

// Where the objects of a resource are.
const clusterWide, namespaced = false, true

// define makes a Resource of a generated type of k8s.io/api. Its lists come without managed fields: with them they take twice
// the time to decode.
func define[T any, PT object[T]](group, version, name string, inNamespace bool) Resource[T] {
	return Resource[T]{
		Group: group, Version: version, Name: name, Namespaced: inNamespace, decoder: managedDropper[T, PT],
		one: func(body []byte) (*T, error) {
			var t T
			if err := decode(body, PT(&t)); err != nil {
				return nil, err
			}
			if PT(&t).GetName() == "" {
				return nil, errNoObject
			}
			return &t, nil
		},
		key: func(t *T) string {
			if ns := PT(t).GetNamespace(); ns != "" {
				return ns + "/" + PT(t).GetName()
			}
			return PT(t).GetName()
		},
	}
}
