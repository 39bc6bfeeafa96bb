package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/wording"
)

func (p *nodePage) pods() {
	if len(p.d.Pods) == 0 {
		return
	}
	p.section(fmt.Sprintf("Unhealthy pods: %d", len(p.d.Pods)))
	p.podList(p.d.Pods)
}

// podList writes a line for each pod, or for the pods of one owner in the same state.
func (p *nodePage) podList(list []nodes.Pod) {
	groups := alikePods(list, p.wide())
	limit := p.limit(screenPods, len(groups))
	for _, g := range groups[:limit] {
		p.paragraph(shorten(p.podSays(g), p.excerpt()))
	}
	left := 0
	for _, g := range groups[limit:] {
		left += len(g)
	}
	p.left(left, paragraphs, "pod", "pods")
}

// alikePods joins pods that share one line; with one, each pod has its own.
func alikePods(list []nodes.Pod, one bool) [][]nodes.Pod {
	var out [][]nodes.Pod
	at := map[string]int{}
	for _, pod := range list {
		key := strings.Join([]string{pod.Namespace, pod.Owner, pod.Status, pod.Says}, "\x00")
		i, ok := at[key]
		if !ok || one || pod.Owner == "" {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], pod)
	}
	return out
}

func (p *nodePage) podSays(group []nodes.Pod) string {
	pod := group[0]
	body := fmt.Sprintf("%s/%s %d/%d %s", pod.Namespace, pod.Name, pod.Ready, pod.Total, pod.Status)
	if len(group) > 1 {
		body = fmt.Sprintf("%d pods of %s in %s, %s: %s", len(group), pod.Owner, pod.Namespace,
			wording.First(apply(group, func(p nodes.Pod) string { return p.Name }), 2), pod.Status)
	}
	if pod.Restarts > 0 {
		body += ", " + wording.Count(pod.Restarts, "restart")
	}
	if d := sinceShort(pod.Created, p.d.At); d != "" {
		body += ", " + d + " old"
	}
	if pod.Says != "" {
		body += "; " + pod.Says
	}
	return body
}

// system writes the pods that the node needs. Healthy ones are named together.
func (p *nodePage) system() {
	var well []string
	var ill []nodes.Pod
	for _, pod := range p.d.System {
		if pod.Well {
			well = append(well, pod.Name)
		} else {
			ill = append(ill, pod)
		}
	}
	if len(well)+len(ill)+len(p.d.Missing) == 0 {
		return
	}
	p.section("DaemonSets and system pods on it")
	p.podList(ill)
	if len(p.d.Missing) > 0 {
		p.paragraph("missing DaemonSet pods: " + strings.Join(p.d.Missing, ", "))
	}
	if len(well) > 0 {
		p.paragraph("well: " + wording.First(well, p.limit(6, len(well))))
	}
}

// screenResidents is the number of a node's pods on one screen.
const screenResidents = 6

// residents writes all pods on the node, with what decides their fate when the node goes away.
func (p *nodePage) residents() {
	if len(p.d.Residents) == 0 {
		return
	}
	t := residentGrid(p.d)
	t.most = screenResidents
	p.grid(t)
}

// residentGrid returns all pods on the node as a table.
func residentGrid(d *nodes.Detail) grid {
	t := grid{columns: []column{
		{"POD", always}, {"UNREACHABLE", always}, {"CPU", 1}, {"MEMORY", 2}, {"AGE", 3}, {"OWNER", 4}, {"USED CPU", 5}, {"USED MEMORY", 6}, {"NOT READY", 7},
		{"PRIORITY", 8}, {"RESTARTS", 9}, {"VOLUMES", 10},
	}}
	for _, r := range d.Residents {
		priority := "-"
		if r.Priority != nil {
			priority = strconv.Itoa(int(*r.Priority))
		}
		t.rows = append(t.rows, gridRow{cells: []string{
			r.Namespace + "/" + r.Name, dash(r.Unreachable), dash(r.CPU), dash(r.Memory), dash(sinceShort(r.Created, d.At)), dash(r.Owner),
			dash(r.UsedCPU), dash(r.UsedMemory), dash(r.NotReady), priority, strconv.Itoa(r.Restarts), none(strings.Join(r.Volumes, ", ")),
		}})
	}
	t.title = fmt.Sprintf("All pods on it: %d (UNREACHABLE: how long a pod stays bound to the node after the node becomes unreachable)", len(t.rows))
	return t
}
