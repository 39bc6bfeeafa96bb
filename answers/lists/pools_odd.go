package lists

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// judge records what is unusual about the pool, the worst first.
func (b base) judge(row *Pool, c *evidence.CloudPool, m *members) {
	say := func(format string, args ...any) { row.Odd = append(row.Odd, fmt.Sprintf(format, args...)) }
	if c != nil {
		b.judgeCloud(say, row, c)
	}
	for _, state := range nodes.States {
		var names []string
		for _, n := range m.judged {
			if n.State == state && state != nodes.Ready {
				names = append(names, n.Name)
			}
		}
		if len(names) > 0 {
			say("%s: %s", state.Says(), wording.Some(names))
		}
	}
	row.Causes = causesOf(m)
	if len(row.Causes) > 0 {
		say("causes: %s", wording.Some(row.Causes))
	}
	differ(say, m, "kubelet", "v"+row.Version)
	differ(say, m, "node image", row.Image)
	b.full(say, row, m)
}

// judgeCloud records what is unusual about the pool in the cloud.
func (b base) judgeCloud(say func(string, ...any), row *Pool, c *evidence.CloudPool) {
	switch {
	case c.Up.Off():
		say("stopped: %s", c.Power)
	case c.Failed():
		says := innermost(c.Errors)
		if says == "" {
			says = string(shell.Format("; reason: nodetriage operations --pool {pool}", c.Name))
		}
		say("last operation failed%s", says)
	case c.Changing():
		say("operation in progress: %s", c.State)
	}
	comparable := b.snap.Covers(evidence.Nodes) == evidence.Complete && !c.Up.Off()
	if wants := c.Count; comparable && wants.Known && wants.Value != row.Nodes {
		say("%s configured in the cloud, %s in the cluster", wording.Count(wants.Value, "VM"), wording.Count(row.Nodes, "node"))
	}
}

// innermost returns the innermost message of errors: that of the component that rejected the request.
func innermost(errors []evidence.CloudError) string {
	if len(errors) == 0 {
		return ""
	}
	e := last(errors)
	return ": " + wording.Cut(strings.TrimPrefix(strings.Join([]string{e.Code, e.Message}, ": "), ": "), 300)
}

// last returns the innermost error with a message, or else the innermost.
func last(errors []evidence.CloudError) evidence.CloudError {
	for _, e := range slices.Backward(errors) {
		if e.Message != "" {
			return e
		}
	}
	return errors[len(errors)-1]
}

// causesOf returns the causes on the pool and its nodes, the most frequent first, without their consequences.
func causesOf(m *members) []string {
	times := map[string]int{}
	count := func(list []nodes.Found) {
		for _, f := range list {
			if f.Follows == "" {
				times[f.Cause]++
			}
		}
	}
	count(m.found)
	for _, n := range m.judged {
		count(n.Findings)
	}
	out := slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	if out == nil {
		return []string{}
	}
	return out
}

// differ records which nodes have another version than the pool.
func differ(say func(string, ...any), m *members, trait, want string) {
	if want == "" || want == "v" {
		return
	}
	var names []string
	other := map[string]bool{}
	for _, n := range m.judged {
		// A pool that wants "1.33" accepts any patch version.
		if v := n.Traits[trait]; v != "" && v != want && !strings.HasPrefix(v, want+".") && !strings.HasPrefix(v, want+"-") {
			names = append(names, n.Name)
			other[v] = true
		}
	}
	if len(names) > 0 {
		say("%d of %s with %s %s instead of %s: %s", len(names), wording.Count(len(m.judged), "node"), trait, wording.Some(slices.Sorted(maps.Keys(other))), want, wording.Some(names))
	}
}

// full records that the autoscaler is at its limit although pods wait that would run there.
func (b base) full(say func(string, ...any), row *Pool, m *members) {
	atMaximum := row.Max != nil && row.Count != nil && *row.Count >= *row.Max
	if !atMaximum || row.Autoscaling != evidence.True || len(m.list) == 0 {
		return
	}
	waiting := 0
	for _, p := range b.snap.PodsOn("") {
		if p.Phase == corev1.PodPending && p.Spec != nil && mechanics.Allows(p.Spec, m.list[0].Node) {
			waiting++
		}
	}
	if waiting > 0 {
		say("at the autoscaler maximum of %s, with %s for this pool", wording.Count(*row.Max, "node"), wording.Count(waiting, "Pending pod"))
	}
}
