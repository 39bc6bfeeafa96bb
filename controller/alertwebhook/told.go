package alertwebhook

import (
	"maps"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/controller/engine"
)

// The times of messages.
const (
	// growing is how long nodes that join a group are part of the message about it.
	growing = 5 * time.Minute
	// repeat is after how long the same is said again, if alerts still arrive. It is the default of Alertmanager.
	repeat = 4 * time.Hour
)

// told remembers what was said about which node. Without it, each repetition of an alert is a message.
type told struct {
	nodes  map[string]said
	groups map[string]time.Time // by cause, when it was last said of a group
}

type said struct {
	cause string
	at    time.Time
}

func newTold() *told { return &told{nodes: map[string]said{}, groups: map[string]time.Time{}} }

// messages returns what is new to say about the nodes of alerts.
func (t *told) messages(cluster string, j *engine.Judgement, alerts []alert, now time.Time) (out []Message) {
	known, nodes := namesOf(j.Snapshot), map[string]bool{}
	for _, a := range alerts {
		name := known.node(a)
		switch {
		case name == "":
		case a.Status == firing:
			nodes[name] = true
		default:
			t.forget(name)
		}
	}
	for _, m := range messages(cluster, j, slices.Sorted(maps.Keys(nodes))) {
		if t.fresh(&m, now) {
			out = append(out, m)
		}
	}
	t.clean(now)
	return out
}

// fresh reports whether a message says something new about one of its nodes, and remembers it.
func (t *told) fresh(m *Message, now time.Time) bool {
	unsaid := slices.ContainsFunc(m.all, func(name string) bool {
		last, before := t.nodes[name]
		return !before || last.cause != m.Cause || now.Sub(last.at) >= repeat
	})
	if !unsaid {
		return false
	}
	joined := m.Together && now.Sub(t.groups[m.Cause]) < growing
	for _, name := range m.all {
		t.nodes[name] = said{m.Cause, now}
	}
	if joined {
		return false
	}
	if m.Together {
		t.groups[m.Cause] = now
	}
	return true
}

// clean forgets what no longer keeps a message back.
func (t *told) clean(now time.Time) {
	maps.DeleteFunc(t.nodes, func(_ string, s said) bool { return now.Sub(s.at) >= repeat })
	maps.DeleteFunc(t.groups, func(_ string, at time.Time) bool { return now.Sub(at) >= growing })
}

// forget forgets what was said about a node whose alert is over.
func (t *told) forget(node string) { delete(t.nodes, node) }
