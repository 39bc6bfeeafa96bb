package live

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// maxEvents bounds the events that are kept. With more, a survey reads the newest from the server.
const maxEvents = 100_000

// Store keeps lists of a cluster as evidence, by object and by node. Its methods are safe for concurrent use. It implements
// survey.Lists.
type Store struct {
	wake chan struct{} // has one element after a change

	mu    sync.RWMutex
	lists map[listName]*list
	nodes index
	tried chan struct{} // closed when every list was read or has failed
}

// listName names a list as the survey does.
type listName struct{ resource, namespace, fields string }

// NewStore returns a store for the lists of the targets.
func NewStore(targets []survey.Target) *Store {
	s := &Store{wake: make(chan struct{}, 1), tried: make(chan struct{}), lists: map[listName]*list{}}
	s.nodes = newIndex(s.podAt)
	for _, t := range targets {
		s.lists[listName{t.Resource.String(), t.Part.Namespace, t.Part.Fields}] = newList(s, t)
	}
	return s
}

// Watch keeps the lists up to date until ctx ends.
func (s *Store) Watch(ctx context.Context, reader *kube.Reader) error {
	var wait sync.WaitGroup
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for _, l := range s.lists {
		wait.Go(func() {
			if err := l.target.Resource.Watch(ctx, reader, l.target.Part, l); err != nil {
				cancel(err)
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// Tried waits until every list was read once, or could not be read.
func (s *Store) Tried(ctx context.Context) {
	select {
	case <-s.tried:
	case <-ctx.Done():
	}
}

// Changes receives a value after objects changed. Heartbeats of nodes are no change.
func (s *Store) Changes() <-chan struct{} { return s.wake }

// Changed returns the nodes whose evidence changed since the last call, and the nodes that only sent a heartbeat, which may end a
// fault. Both are sorted.
func (s *Store) Changed() (nodes, beats []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.nodes.changed)) {
		if s.nodes.changed[name] {
			nodes = append(nodes, name)
		} else {
			beats = append(beats, name)
		}
	}
	clear(s.nodes.changed)
	return nodes, beats
}

// Behind returns the resources of lists that are not current now and will be later: their watch is interrupted. They are sorted. A
// list that the server refuses or does not have is not among them.
func (s *Store) Behind() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := map[string]bool{}
	for name, l := range s.lists {
		if l.behind() {
			out[name.resource] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// Add adds the objects of a list to d, in the order of their names. It returns false if the list is not current.
func (s *Store) Add(d *evidence.Data, resource, namespace string) (objects int, current bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	l := s.lists[listName{resource: resource, namespace: namespace}]
	if l == nil || !l.current() {
		return 0, false
	}
	for _, key := range slices.Sorted(maps.Keys(l.items)) {
		d.Put(l.items[key])
	}
	return len(l.items), true
}

// AddNode adds to b the part of the evidence that belongs to a node: its objects, its pods with their events, and their
// controllers. A kind whose lists are not all current is Partial.
func (s *Store) AddNode(b *collect.Builder, name string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { s.nodes.add(d, name) })
	for kind, coverage := range s.coverage() {
		b.Cover(kind, coverage)
	}
}

// podAt returns the pod with the name of a subject; nil: there is none, or the subject is no pod. The lock is held.
func (s *Store) podAt(subject evidence.Subject) *evidence.Pod {
	if subject.Kind != "Pod" {
		return nil
	}
	for name, l := range s.lists {
		if pod, is := l.items[subject.Namespace+"/"+subject.Name].First().(*evidence.Pod); is && name.resource == "pods" {
			return pod
		}
	}
	return nil
}

// coverage returns how much of each kind is in the store.
func (s *Store) coverage() map[evidence.Kind]evidence.Coverage {
	all := map[evidence.Kind]evidence.Coverage{}
	for name, l := range s.lists {
		o := evidence.ObjectNamed(strings.Split(name.resource, ".")[0])
		c := evidence.Partial
		if l.current() {
			c = evidence.Complete
		}
		if known, is := all[o.Of()]; is {
			c = min(c, known)
		}
		all[o.Of()] = c
	}
	return all
}

// tell wakes the reader of Changes.
func (s *Store) tell() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// checkTried notes that every list was read once, or failed. The lock is held.
func (s *Store) checkTried() {
	for _, l := range s.lists {
		if !l.listed && l.failed == nil {
			return
		}
	}
	select {
	case <-s.tried:
	default:
		close(s.tried)
	}
}
