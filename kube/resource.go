package kube

import (
	"context"
	"errors"
)

// Resource is a type of API objects and the way to decode its responses.
type Resource[T any] struct {
	Group, Version, Name string
	Namespaced           bool
	metadata             bool // only metadata is requested
	page                 int  // objects per page; 0: the default

	decoder func() func(object []byte, out *T) error // decoder for the objects of one list; each list gets a new one because it may have state
	one     func(body []byte) (*T, error)
	key     func(*T) string // position in the order of a list
}

// String returns the name in RBAC rules and kubectl: "pods", "deployments.apps".
func (r Resource[T]) String() string {
	if r.Group == "" {
		return r.Name
	}
	return r.Name + "." + r.Group
}

// decodedBy returns the resource with another decoder for lists.
func (r Resource[T]) decodedBy(decoder func() func([]byte, *T) error) Resource[T] {
	r.decoder = decoder
	return r
}

// inPages returns the resource with the given page size.
func (r Resource[T]) inPages(of int) Resource[T] {
	r.page = of
	return r
}

// Source is a Resource of any type.
type Source interface {
	String() string
	// List calls the function List. The objects are pointers.
	List(ctx context.Context, r *Reader, q Query, page func([]any) error) (all bool, err error)
	// Watch keeps sink up to date until ctx ends.
	Watch(ctx context.Context, r *Reader, part Part, sink Sink) error
}

// List calls the function List for callers that do not know the type of the objects. The objects are pointers.
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

// errNoObject means that the response decodes without an error but is not an object.
var errNoObject = errors.New("the answer is no object")

// Scope of a resource.
const clusterWide, namespaced = false, true

// define returns a Resource for a generated type of k8s.io/api. Its lists drop managed fields, which double the time to
// decode.
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
