package kube

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Sink receives the objects of a watched resource. A Watch calls its methods one at a time. A key is namespace/name.
type Sink interface {
	// Small converts an object to the part that is kept. It takes ownership of the object.
	Small(object any) any
	// Replace receives all objects after they were listed.
	Replace(small map[string]any)
	// Put receives an object that was created or changed.
	Put(key string, small any)
	// Drop receives the key of a deleted object.
	Drop(key string)
	// Follow reports whether changes arrive from now on. err is the failure of a request, or nil.
	Follow(changes bool, err error)
}

// Part is the part of a resource that is watched. The zero Part is all of it.
type Part struct {
	Namespace string
	Fields    string // field selector
}

// Watch keeps sink up to date with the objects of a part of the resource until ctx ends. It reads them as a
// stream where the server supports it, and then follows their changes. It retries after a failure, with pauses of up to 30 s
// (Reflector of client-go).
func (r Resource[T]) Watch(ctx context.Context, reader *Reader, part Part, sink Sink) error {
	return reader.watch(ctx, schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Name}, part, new(T), sink)
}

// watch is Watch for objects of the type of example. It is no method of Resource, which would be compiled for each type.
func (r *Reader) watch(ctx context.Context, resource schema.GroupVersionResource, part Part, example any, sink Sink) error {
	client, err := r.typed(resource.GroupVersion())
	if err != nil {
		return err
	}
	ask := func(o metav1.ListOptions) *rest.Request {
		o.FieldSelector = part.Fields
		return client.Get().NamespaceIfScoped(part.Namespace, part.Namespace != "").Resource(resource.Resource).VersionedParams(&o, scheme.ParameterCodec)
	}
	into := &store{sink: sink}
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			list, err := ask(o).Do(ctx).Get()
			if err != nil {
				sink.Follow(false, err)
			}
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.Watch = true
			w, err := ask(o).Watch(ctx)
			if err != nil {
				sink.Follow(false, err)
				return nil, err
			}
			// A stream that begins with all objects replaces the list at their end. Until then the list is an old one.
			into.initial = o.SendInitialEvents != nil && *o.SendInitialEvents
			if !into.initial {
				sink.Follow(true, nil)
			}
			return &stream{w, sink}, nil
		},
	}
	reflector := cache.NewReflectorWithOptions(source, example, into, cache.ReflectorOptions{Name: resource.Resource})
	reflector.RunWithContext(klog.NewContext(ctx, logr.Discard()))
	return nil
}

// typed returns a client for the types of k8s.io/api in this version. Its requests have no timeout: a watch has no end.
func (r *Reader) typed(version schema.GroupVersion) (*rest.RESTClient, error) {
	config := rest.CopyConfig(r.config)
	config.GroupVersion, config.APIPath = &version, "/apis"
	if version.Group == "" {
		config.APIPath = "/api"
	}
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, accept
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.UserAgent = r.agent
	config.QPS = -1 // reflectors pause by themselves
	client, err := rest.RESTClientForConfigAndClient(config, r.client)
	if err != nil {
		return nil, fmt.Errorf("prepare client for %s: %w", version, err)
	}
	return client, nil
}

// stream is an open watch. The reflector stops it when it ends, for any reason.
type stream struct {
	watch.Interface
	sink Sink
}

func (s *stream) Stop() {
	s.sink.Follow(false, nil)
	s.Interface.Stop()
}

// store passes what a reflector stores to a Sink. Objects of a stream are made small before the list is complete, so that they are
// never in memory in full at the same time.
type store struct {
	sink    Sink
	initial bool // the open stream has not sent all objects yet
}

// kept is the small form of an object with the metadata that the reflector reads.
type kept struct {
	metav1.ObjectMeta
	small any
}

func (s *store) Transformer() cache.TransformFunc {
	return func(object any) (any, error) { return s.keep(object) }
}

func (s *store) keep(object any) (*kept, error) {
	switch o := object.(type) {
	case *kept:
		return o, nil
	case metav1.Object:
		read := metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: o.GetName(), ResourceVersion: o.GetResourceVersion()}
		return &kept{read, s.sink.Small(object)}, nil
	}
	return nil, fmt.Errorf("watched object has no metadata: %T", object)
}

func (s *store) Replace(objects []any, _ string) error {
	all := make(map[string]any, len(objects))
	for _, o := range objects {
		k, err := s.keep(o)
		if err != nil {
			return err
		}
		all[keyOf(k)] = k.small
	}
	s.sink.Replace(all)
	if s.initial {
		s.initial = false
		s.sink.Follow(true, nil)
	}
	return nil
}

func (s *store) Add(object any) error { return s.Update(object) }

func (s *store) Update(object any) error {
	k, err := s.keep(object)
	if err == nil {
		s.sink.Put(keyOf(k), k.small)
	}
	return err
}

func (s *store) Delete(object any) error {
	o, is := object.(metav1.Object)
	if is {
		s.sink.Drop(keyOf(o))
	}
	return nil
}

func (*store) Resync() error { return nil }

func keyOf(o metav1.Object) string { return cache.MetaObjectToName(o).String() }
