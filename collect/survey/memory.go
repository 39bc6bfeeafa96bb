package survey

import (
	"fmt"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Memory keeps lists that no watch keeps up to date, for surveys of the same cluster that follow each other closely. A survey reads
// such a list again when it is older than the age. Methods are safe for concurrent use.
type Memory struct {
	age time.Duration

	mu    sync.Mutex
	lists map[string]remembered
}

// remembered is a list and the outcome of its reading.
type remembered struct {
	at      time.Time
	outcome outcome
	items   []evidence.Items
}

// NewMemory returns a Memory that keeps lists for the age.
func NewMemory(age time.Duration) *Memory {
	return &Memory{age: age, lists: map[string]remembered{}}
}

// recall returns a list that is not too old.
func (m *Memory) recall(key string) (remembered, bool) {
	if m == nil {
		return remembered{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r, known := m.lists[key]
	return r, known && time.Since(r.at) < m.age
}

// keep stores a list. Failures that may pass soon are not stored.
func (m *Memory) keep(key string, o outcome, items []evidence.Items) {
	reason := kube.ReasonOf(o.err)
	lasting := o.err == nil || reason == kube.NotFound || reason == kube.Forbidden
	if m == nil || !lasting {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lists[key] = remembered{at: time.Now(), outcome: o, items: items}
}

// remember adds a list from the Memory. It returns false if the list has to be read.
func (s *survey) remember(key string, o *outcome) bool {
	r, known := s.opt.Memory.recall(key)
	if !known {
		return false
	}
	s.put(r.items)
	*o = r.outcome
	s.count(o.kind, len(r.items))
	return true
}

func (s *survey) put(items []evidence.Items) {
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, i := range items {
			d.Put(i)
		}
	})
}

// keyOf names the part of a resource that is read.
func keyOf(resource string, q kube.Query) string {
	return fmt.Sprintf("%s %s %s %s", resource, q.Namespace, q.Labels, q.Fields)
}
