package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/wording"
)

var podColumns = []column{{"POD", always}, {"NODE", always}, {"STATUS", always}, {"AGE", 1}, {"RESTARTS", 2}, {"OWNER", 3}}

// podRow returns a row for a pod, or for several pods or nodes.
func podRow(p lists.Pod, name, node string, now *time.Time) gridRow {
	return gridRow{cells: []string{p.Namespace + "/" + name, none(node), p.Status, podAge(p, now), strconv.Itoa(p.Restarts), dash(p.Owner)}}
}

// podGrid returns the table of pods with the same reason. others: there are more groups.
func podGrid(g lists.PodGroup, others bool, now *time.Time) grid {
	t := grid{title: fmt.Sprintf("%d  %s", g.Count, g.Reason), columns: podColumns}
	if g.Acts != "" {
		t.says = "Who acts: " + g.Acts
	} else if others {
		t.most = leastRows // of running pods
	}
	said := ""
	for _, pod := range g.Pods {
		r := podRow(pod, pod.Name, pod.Node, now)
		if pod.Says != "" && pod.Says != said { // many pods of a group have the same message
			r.odd = []string{pod.Says}
			said = pod.Says
		}
		t.rows = append(t.rows, r)
	}
	if len(g.Pods) > listRows {
		t.alike = alikePodRows(g.Pods, now)
	}
	return t
}

// kin are pods of one owner in the same state.
type kin struct {
	first lists.Pod // the pod that is in this state for the longest time
	pods  int
	nodes map[string]bool
}

// alikePodRows returns one row for the pods of an owner in the same state, the largest group first. It shows only the first
// pod's message, because messages differ in numbers.
func alikePodRows(pods []lists.Pod, now *time.Time) (rows []gridRow) {
	index := map[string]*kin{}
	var all []*kin
	for _, pod := range pods {
		key := strings.Join([]string{pod.Namespace, cmp.Or(pod.Owner, pod.Name), pod.Status}, "\x00")
		k := index[key]
		if k == nil {
			k = &kin{first: pod, nodes: map[string]bool{}}
			index[key] = k
			all = append(all, k)
		}
		k.pods++
		if pod.Since != nil && (k.first.Since == nil || pod.Since.Before(*k.first.Since)) {
			k.first = pod
		}
		if pod.Node != "" {
			k.nodes[pod.Node] = true
		}
	}
	slices.SortStableFunc(all, func(a, b *kin) int { return cmp.Compare(b.pods, a.pods) })
	for i, k := range all {
		name, node := k.first.Name, k.first.Node
		if k.pods > 1 {
			name = wording.Count(k.pods, "pod")
		}
		if len(k.nodes) > 1 {
			node = wording.Count(len(k.nodes), "node")
		}
		r := podRow(k.first, name, node, now)
		if i == 0 && k.first.Says != "" {
			r.odd = []string{k.first.Says}
		}
		rows = append(rows, r)
	}
	return rows
}

func podAge(p lists.Pod, now *time.Time) string {
	if p.Since == nil && p.Age != "" {
		return p.Age
	}
	return ageOf(p.Since, now)
}
