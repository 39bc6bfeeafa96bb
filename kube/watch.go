package kube

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
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

// Lasting reports whether the failure of a watch is lasting: the server does not have the resource, or the user has no permission.
func Lasting(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err)
}

// Part is the part of a resource that is watched. The zero Part is all of it.
type Part struct {
	Namespace string
	Fields    string // field selector
}

// Watch keeps sink up to date with the objects of a part of the resource until ctx ends. It reads them as a
// stream where the server supports it, and then follows their changes. It retries after a failure, with pauses of up to 30 s
// (Reflector of client-go). Objects have the same bounds as those of a list.
func (r Resource[T]) Watch(ctx context.Context, reader *Reader, part Part, sink Sink) error {
	w := &watcher{reader: reader, part: part, sink: sink, resource: r.String(), path: r.path(part.Namespace, "")}
	w.decode = func(body []byte) (any, error) { return r.one(body) }
	w.list = func(ctx context.Context, each func(object any) error) (string, error) {
		l := newLister(reader, r, Query{Namespace: part.Namespace, Fields: part.Fields})
		_, err := l.list(ctx, func(objects []T) error {
			for i := range objects {
				if err := each(&objects[i]); err != nil {
					return err
				}
			}
			return nil
		})
		return l.version, err
	}
	return w.run(ctx)
}

// watcher watches a resource of any type. It has no type parameter because it would be compiled for each type.
type watcher struct {
	reader         *Reader
	part           Part
	sink           Sink
	resource, path string
	decode         func(body []byte) (any, error)
	// list passes all objects to each, and returns the resource version from which a watch continues.
	list func(ctx context.Context, each func(object any) error) (version string, err error)
}

func (w *watcher) run(ctx context.Context) error {
	into := &store{sink: w.sink}
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			all, err := w.listed(ctx)
			if err != nil {
				w.sink.Follow(false, err)
				return nil, err
			}
			return all, nil
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			opened, err := w.open(ctx, o)
			if err != nil {
				w.sink.Follow(false, err)
				return nil, err
			}
			// A stream that begins with all objects replaces the list at their end. Until then the list is an old one.
			into.initial = o.SendInitialEvents != nil && *o.SendInitialEvents
			if !into.initial {
				w.sink.Follow(true, nil)
			}
			return &stream{opened, w.sink}, nil
		},
	}
	reflector := cache.NewReflectorWithOptions(source, &kept{}, into, cache.ReflectorOptions{Name: w.resource})
	reflector.RunWithContext(klog.NewContext(ctx, logr.Discard()))
	return nil
}

// listed returns all objects in their small form. The pages are made small one by one, so that the full objects are never in
// memory at the same time.
func (w *watcher) listed(ctx context.Context) (*metav1.List, error) {
	all := &metav1.List{}
	version, err := w.list(ctx, func(object any) error {
		k, err := keep(object, w.sink)
		all.Items = append(all.Items, runtime.RawExtension{Object: k})
		return err
	})
	all.ResourceVersion = version
	return all, err
}

// open starts a watch.
func (w *watcher) open(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	query := queryOf(o)
	if w.part.Fields != "" {
		query.Set("fieldSelector", w.part.Fields)
	}
	resp, err := w.reader.send(ctx, request{verb: "watch", resource: w.resource, object: w.part.Namespace, path: w.path, query: query, accept: acceptStream})
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, refusedWatch(resp)
	}
	changes := &changes{frames: newFrames(resp), decode: w.decode, sink: w.sink}
	report := apierrors.NewClientErrorReporter(http.StatusInternalServerError, "watch", "ClientWatchDecoding")
	return watch.NewStreamWatcherWithLogger(logr.Discard(), changes, report), nil
}

// queryOf returns the parameters that a reflector sets for a watch.
func queryOf(o metav1.ListOptions) url.Values {
	query := url.Values{"watch": {"true"}}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("resourceVersion", o.ResourceVersion)
	set("resourceVersionMatch", string(o.ResourceVersionMatch))
	if o.AllowWatchBookmarks {
		set("allowWatchBookmarks", "true")
	}
	if o.SendInitialEvents != nil {
		set("sendInitialEvents", strconv.FormatBool(*o.SendInitialEvents))
	}
	if o.TimeoutSeconds != nil {
		set("timeoutSeconds", strconv.FormatInt(*o.TimeoutSeconds, 10))
	}
	return query
}

// refusedWatch returns the error of a response in the form that the reflector understands: it lists where the server does not
// stream lists, and starts again where a version is gone.
func refusedWatch(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxError))
	if status := decodeStatus(body); status != nil {
		return &apierrors.StatusError{ErrStatus: *status}
	}
	return apierrors.NewGenericServerResponse(resp.StatusCode, "watch", schema.GroupResource{}, "", bound(string(body)), 0, true)
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

// store passes what a reflector stores to a Sink.
type store struct {
	sink    Sink
	initial bool // the open stream has not sent all objects yet
}

// kept is the small form of an object with the metadata that the reflector reads.
type kept struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	small any
}

// DeepCopyObject makes kept a runtime.Object. It is read-only after its creation.
func (k *kept) DeepCopyObject() runtime.Object { return k }

func keep(object any, sink Sink) (*kept, error) {
	o, is := object.(metav1.Object)
	if !is {
		return nil, fmt.Errorf("watched object has no metadata: %T", object)
	}
	return &kept{ObjectMeta: keptMetadata(o), small: sink.Small(object)}, nil
}

// keptMetadata returns the metadata that the reflector reads. A bookmark has an annotation at the end of the initial objects.
func keptMetadata(o metav1.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: o.GetNamespace(), Name: o.GetName(), ResourceVersion: o.GetResourceVersion()}
}

func (s *store) Replace(objects []any, _ string) error {
	all := make(map[string]any, len(objects))
	for _, o := range objects {
		k := o.(*kept)
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
	k := object.(*kept)
	s.sink.Put(keyOf(k), k.small)
	return nil
}

func (s *store) Delete(object any) error {
	s.sink.Drop(keyOf(object.(*kept)))
	return nil
}

func (*store) Resync() error { return nil }

func keyOf(o metav1.Object) string { return cache.MetaObjectToName(o).String() }
