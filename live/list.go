package live

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// list keeps one list of the API as evidence. It is the Sink of its watch.
type list struct {
	store  *Store
	target survey.Target
	beats  bool // heartbeats: they change all the time, and only their absence matters

	// Only the watch uses them. Templates are renewed after as many conversions as there are objects: those of deleted objects
	// would be kept.
	templates *evidence.Templates
	converted int

	// Under the lock of the store.
	items   map[string]evidence.Items // by the key of their object
	listed  bool                      // once
	failed  error                     // of the last request; nil: it succeeded
	follows bool                      // changes arrive
}

func newList(s *Store, t survey.Target) *list {
	return &list{store: s, target: t, beats: t.Part.Namespace == corev1.NamespaceNodeLease, templates: evidence.NewTemplates(), items: map[string]evidence.Items{}}
}

// current reports whether the list is complete and follows all changes. The lock is held.
func (l *list) current() bool {
	return l.listed && l.follows && (l.target.Keep == nil || len(l.items) <= maxEvents)
}

// behind reports whether the list will be current soon. A list that the server refuses or does not have will not be. The lock is
// held.
func (l *list) behind() bool {
	if l.listed && l.follows {
		return false
	}
	return !kube.Lasting(l.failed)
}

// Small converts an object to evidence. It returns the zero Items for an object that is not kept.
func (l *list) Small(object any) any {
	if l.target.Keep != nil && !l.target.Keep(object) {
		return evidence.Items{}
	}
	if l.converted > l.size()+10_000 {
		l.templates, l.converted = evidence.NewTemplates(), 0
	}
	l.converted++
	return l.templates.Convert(object)
}

func (l *list) size() int {
	l.store.mu.RLock()
	defer l.store.mu.RUnlock()
	return len(l.items)
}

// Replace stores the objects of a complete list in place of all others.
func (l *list) Replace(small map[string]any) {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	for key := range l.items {
		if _, is := small[key]; !is {
			l.drop(key)
		}
	}
	for key, items := range small {
		l.put(key, items.(evidence.Items))
	}
	l.listed = true
	l.store.checkTried()
	l.store.tell()
}

// Put stores an object that was created or changed.
func (l *list) Put(key string, small any) {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	items := small.(evidence.Items)
	_, known := l.items[key]
	l.put(key, items)
	kept := known || !items.Empty()
	if kept && !(known && l.beats) {
		l.store.tell()
	}
}

// Drop removes a deleted object.
func (l *list) Drop(key string) {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	if _, known := l.items[key]; known {
		l.drop(key)
		l.store.tell()
	}
}

// Follow notes whether changes arrive.
func (l *list) Follow(changes bool, err error) {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	l.follows, l.failed = changes, err
	l.store.checkTried()
}

func (l *list) put(key string, items evidence.Items) {
	l.drop(key)
	if items.Empty() {
		return
	}
	l.items[key] = items
	l.store.nodes.put(items)
}

func (l *list) drop(key string) {
	if items, known := l.items[key]; known {
		delete(l.items, key)
		l.store.nodes.drop(items)
	}
}
