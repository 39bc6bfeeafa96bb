//go:build linux

package story

import (
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

var zero = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func seconds(n int) time.Time { return zero.Add(time.Duration(n) * time.Second) }

func found(cause, node, certainty string) Finding {
	return Finding{Cause: cause, Certainty: certainty, Subject: Subject{Kind: "Node", Name: node}}
}

func broken(findings ...Finding) Answer {
	return Answer{Verdict: "broken", Exit: 3, Findings: findings}
}

// A disk is full from second 10 to 40, visible at 20. containerd is stopped on the same node from 50 to 90, visible at
// 60. On another node the kubelet port is closed from 50 on.
func TestJudge(t *testing.T) {
	disk := &Fault{Node: "a", Truth: scenario.Truth{Class: "inode-exhaustion", Wider: []string{"disk-pressure"}}, Began: seconds(10), Told: seconds(20), Healed: seconds(40)}
	runtime := &Fault{Node: "a", Truth: scenario.Truth{Class: "runtime-down", Not: []string{"kubelet-bug"}}, Began: seconds(50), Told: seconds(60), Healed: seconds(90)}
	port := &Fault{Node: "b", Truth: scenario.Truth{Class: "kubelet-port-unreachable"}, Began: seconds(50), Told: seconds(60), Healed: seconds(90)}
	healthy := Answer{Verdict: "healthy"}
	over := Answer{Verdict: "healthy", Over: []Finding{found("disk-pressure", "a", ""), found("runtime-down", "a", "")}}
	one, two, three := []*Fault{disk}, []*Fault{disk, runtime}, []*Fault{runtime, port}
	for name, c := range map[string]struct {
		faults []*Fault
		at     int
		answer Answer
		want   Mark
	}{
		"before":                         {one, 5, healthy, Well},
		"false alarm before":             {one, 5, broken(found("dns", "a", "likely")), Wrong},
		"not told yet":                   {one, 15, healthy, Early},
		"guessed before it is told":      {one, 15, broken(found("inode-exhaustion", "a", "likely")), Right},
		"told and healthy":               {one, 25, healthy, False},
		"told and unknown":               {one, 25, Answer{Verdict: "unknown", Exit: 5}, Unknown},
		"says less":                      {one, 25, broken(found("disk-pressure", "a", "certain")), Unknown},
		"right":                          {one, 25, broken(found("inode-exhaustion", "a", "certain")), Right},
		"on another node":                {one, 25, broken(found("inode-exhaustion", "b", "likely")), Wrong},
		"second":                         {one, 25, broken(found("node-lost", "a", "likely"), found("inode-exhaustion", "a", "certain")), Second},
		"certain and wrong":              {one, 25, broken(found("node-lost", "a", "certain")), Certain},
		"ends":                           {one, 45, broken(found("inode-exhaustion", "a", "certain")), Ending},
		"ends, and another is named":     {one, 45, broken(found("node-lost", "a", "likely")), Wrong},
		"still told":                     {one, 101, broken(found("inode-exhaustion", "a", "certain")), Still},
		"still not healthy":              {one, 101, Answer{Verdict: "warning", Exit: 4}, Still},
		"ended":                          {one, 60, healthy, Well},
		"ended and told as such":         {one, 60, over, Over},
		"old one, new one not told":      {two, 55, broken(found("inode-exhaustion", "a", "certain")), Ending},
		"old one, new one told":          {two, 65, broken(found("inode-exhaustion", "a", "certain")), Certain},
		"old one above the new one":      {two, 65, broken(found("inode-exhaustion", "a", "likely"), found("runtime-down", "a", "certain")), Second},
		"new one above the old one":      {two, 65, broken(found("runtime-down", "a", "certain"), found("inode-exhaustion", "a", "likely")), Right},
		"what it never is":               {two, 65, broken(found("runtime-down", "a", "certain"), found("kubelet-bug", "a", "likely")), Wrong},
		"both over":                      {two, 100, over, Over},
		"one of two":                     {three, 65, broken(found("runtime-down", "a", "certain")), Part},
		"two of two":                     {three, 65, broken(found("kubelet-port-unreachable", "b", "likely"), found("runtime-down", "a", "certain")), Right},
		"no answer":                      {one, 25, Answer{Error: "killed"}, Failed},
		"named for a pod of the node":    {one, 25, broken(Finding{Cause: "inode-exhaustion", Subject: Subject{Kind: "Pod", Namespace: "shop", Name: "web"}}), Right},
		"named for a pod of another one": {one, 25, broken(Finding{Cause: "inode-exhaustion", Subject: Subject{Kind: "Pod", Namespace: "shop", Name: "db"}}), Wrong},
	} {
		l := &Look{At: seconds(c.at), Answers: map[Way]Answer{Live: c.answer}, Pods: map[string]string{"shop/web": "a", "shop/db": "b"}}
		if got := Judge(c.faults, l, Live); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// A node report shows problems that are visible on the node, independently of the API.
func TestJudgeReport(t *testing.T) {
	f := &Fault{Node: "a", Truth: scenario.Truth{Class: "shim-died"}, Began: seconds(0)}
	for at, want := range map[int]Mark{10: Early, 20: False} {
		l := &Look{At: seconds(at), Answers: map[Way]Answer{Report: {Verdict: "healthy"}, Live: {Verdict: "healthy"}}}
		if got := Judge([]*Fault{f}, l, Report); got != want {
			t.Errorf("with node report after %d s: %s, not %s", at, got, want)
		}
		if got := Judge([]*Fault{f}, l, Live); got != Early {
			t.Errorf("live after %d s: %s, not %s", at, got, Early)
		}
	}
}

// A past problem may be reported as resolved: next to a current fault, and on a healthy cluster.
func TestJudgePasses(t *testing.T) {
	shim := &Fault{Node: "a", Truth: scenario.Truth{Class: "shim-died"}, Passes: true, Began: seconds(0), Told: seconds(1)}
	port := &Fault{Node: "a", Truth: scenario.Truth{Class: "kubelet-port-unreachable"}, Began: seconds(0), Told: seconds(1)}
	over := []Finding{found("shim-died", "a", "")}
	alone, both := []*Fault{shim}, []*Fault{port, shim}
	for name, c := range map[string]struct {
		faults []*Fault
		answer Answer
		want   Mark
	}{
		"told as over":                       {alone, Answer{Verdict: "healthy", Over: over}, Right},
		"not told":                           {alone, Answer{Verdict: "healthy"}, False},
		"told as over, another broken":       {both, Answer{Verdict: "broken", Exit: 3, Findings: []Finding{found("kubelet-port-unreachable", "a", "likely")}, Over: over}, Right},
		"not told, another broken":           {both, broken(found("kubelet-port-unreachable", "a", "likely")), Part},
		"told as over, another not told":     {both, Answer{Verdict: "healthy", Over: over}, False},
		"what lasts is not told by its past": {[]*Fault{port}, Answer{Verdict: "healthy", Over: []Finding{found("kubelet-port-unreachable", "a", "")}}, False},
	} {
		l := &Look{At: seconds(9), Answers: map[Way]Answer{Live: c.answer}}
		if got := Judge(c.faults, l, Live); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// A relapse is reported as the current state, not as the past.
func TestJudgeRelapse(t *testing.T) {
	first := &Fault{Node: "a", Truth: scenario.Truth{Class: "runtime-down"}, Began: seconds(0), Told: seconds(5), Healed: seconds(40)}
	again := &Fault{Node: "a", Truth: first.Truth, Began: seconds(50), Told: seconds(55), Healed: seconds(90)}
	named, healthy := broken(found("runtime-down", "a", "certain")), Answer{Verdict: "healthy"}
	over := Answer{Verdict: "healthy", Over: []Finding{found("runtime-down", "a", "")}}
	for name, c := range map[string]struct {
		at     int
		answer Answer
		want   Mark
	}{
		"between, named":          {45, named, Ending},
		"between, over":           {45, over, Over},
		"again, not told yet":     {52, over, Early},
		"again":                   {60, named, Right},
		"again, and told as over": {60, over, False},
		"again, and healthy":      {60, healthy, False},
		"at the end":              {95, named, Ending},
		"after the end":           {151, named, Still},
		"both over":               {151, over, Over},
	} {
		l := &Look{At: seconds(c.at), Answers: map[Way]Answer{Live: c.answer}}
		if got := Judge([]*Fault{first, again}, l, Live); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// A node is diagnosed by name while no fault affects it, and is HEALTHY.
func TestOthers(t *testing.T) {
	faults := []*Fault{{Node: "a", Began: seconds(10), Healed: seconds(40)}, {Node: "b", Began: seconds(50)}}
	for at, want := range map[int][]string{5: nil, 20: {"a"}, 45: {"a"}, 60: {"a", "b"}, 101: {"b"}} {
		if got := (&Look{At: seconds(at)}).concerned(faults); !slices.Equal(got, want) {
			t.Errorf("after %d s faults concern %v, not %v", at, got, want)
		}
	}
	for name, c := range map[string]struct {
		answer Answer
		want   Mark
	}{
		"healthy":            {Answer{Verdict: "healthy"}, Well},
		"what is over":       {Answer{Verdict: "healthy", Over: []Finding{found("runtime-down", "c", "")}}, Well},
		"not known":          {Answer{Verdict: "unknown", Exit: 5}, Wrong},
		"another's":          {broken(found("runtime-down", "a", "likely")), Wrong},
		"another's, certain": {broken(found("runtime-down", "a", "certain")), Certain},
		"no answer":          {Answer{Error: "killed"}, Failed},
	} {
		if got := JudgeOther(c.answer); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}

// A diagnosis of one node through the API does not cover another node. A node report always covers its own node.
func TestJudgeAsked(t *testing.T) {
	port := &Fault{Node: "a", Asked: true, Truth: scenario.Truth{Class: "kubelet-port-unreachable"}}
	plugin := &Fault{Node: "b", Truth: scenario.Truth{Class: "cni-binary-missing"}, Began: seconds(0), Told: seconds(1)}
	for way, want := range map[Way]Mark{Live: Early, Bundle: Early, Dump: Early, Report: False} {
		l := &Look{At: seconds(30), Answers: map[Way]Answer{way: {Verdict: "healthy"}}}
		if got := Judge([]*Fault{plugin, port}, l, way); got != want {
			t.Errorf("%s: %s, not %s", way, got, want)
		}
	}
}

// Two kinds of evidence of one moment are compared by cause, subject, certainty and verdict.
func TestDifferences(t *testing.T) {
	a := broken(found("runtime-down", "a", "certain"), found("node-lost", "b", "likely"))
	b := broken(found("node-lost", "b", "likely"), found("runtime-down", "a", "likely"))
	l := &Look{Same: true, Answers: map[Way]Answer{Live: a, Bundle: a, Dump: b}}
	if got := l.Differences(); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if l.Same = false; len(l.Differences()) != 0 {
		t.Errorf("the moment changed, and %q", l.Differences())
	}
}

// A dump cannot contain findings that depend on the answer of a kubelet: without this answer the bundle gives the same
// result.
func TestUnheard(t *testing.T) {
	port, disk, healthy := found("kubelet-port-unreachable", "a", "likely"), found("disk-pressure", "a", "certain"), Answer{Verdict: "healthy"}
	likely, possible := broken(found("runtime-down", "a", "likely")), broken(found("runtime-down", "a", "possible"))
	for name, c := range map[string]struct {
		bundle, unasked, dump Answer
		want                  bool
	}{
		"by a kubelet alone":        {broken(port), healthy, healthy, true},
		"by something else":         {broken(port, disk), broken(disk), healthy, false},
		"the same":                  {broken(disk), broken(disk), broken(disk), false},
		"a kubelet makes less sure": {possible, likely, likely, true},
	} {
		l := &Look{Same: true, Answers: map[Way]Answer{Bundle: c.bundle, Dump: c.dump}, Unasked: &c.unasked}
		if got := l.Unheard(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A component that heal restarts is down for a moment, and no longer.
func TestJudgeRestart(t *testing.T) {
	f := &Fault{Node: "a", Truth: scenario.Truth{Class: "clock-skew"}, Restarts: []string{"kubelet-stopped"}, Began: seconds(0), Told: seconds(1), Healed: seconds(40)}
	for at, want := range map[int]Mark{43: Ending, 60: Wrong} {
		l := &Look{At: seconds(at), Answers: map[Way]Answer{Bundle: broken(found("kubelet-stopped", "a", "likely"))}}
		if got := Judge([]*Fault{f}, l, Bundle); got != want {
			t.Errorf("after %d s: %s, not %s", at, got, want)
		}
	}
}

// A kubelet that refuses to start is stopped. This is less specific than the cause, and not an effect of the break.
func TestJudgeSaysLess(t *testing.T) {
	swap := &Fault{Node: "a", Truth: scenario.Truth{Class: "swap-enabled", Wider: []string{"kubelet-stopped"}}, Restarts: []string{"kubelet-stopped"}, Began: seconds(0), Told: seconds(1)}
	image := &Fault{Node: "b", Truth: scenario.Truth{Class: "sandbox-image-unavailable"}, Began: seconds(0), Told: seconds(1)}
	l := &Look{At: seconds(5), Answers: map[Way]Answer{Live: broken(found("sandbox-image-unavailable", "b", "certain"), found("kubelet-stopped", "a", "likely"))}}
	if got := Judge([]*Fault{swap, image}, l, Live); got != Right {
		t.Errorf("%s, not right", got)
	}
}

// An effect of a fault of the story is not an extra finding.
func TestExtra(t *testing.T) {
	f := &Fault{Node: "a", Truth: scenario.Truth{Class: "clock-skew"}, Began: seconds(0)}
	follows, alone := found("kubelet-client-cert-expired", "a", "certain"), found("runtime-down", "a", "likely")
	follows.ExplainedBy = "clock-skew"
	l := &Look{At: seconds(9), Answers: map[Way]Answer{Live: broken(found("clock-skew", "a", "certain"), follows, alone)}}
	if got := Extra([]*Fault{f}, l, Live); len(got) != 1 || got[0].Cause != alone.Cause {
		t.Errorf("%v", got)
	}
}
