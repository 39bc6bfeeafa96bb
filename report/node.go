package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form of a node.
const (
	screenPods   = 8
	screenEvents = 8
)

// Node writes one node in detail for a terminal.
func Node(w io.Writer, d *nodes.Detail, style Style) error { return nodeOn.text(w, d, style) }

// NodeMarkdown writes it for a ticket.
func NodeMarkdown(w io.Writer, d *nodes.Detail) error { return nodeOn.markdown(w, d) }

var nodeOn paged[nodes.Detail] = func(c canvas, d *nodes.Detail) {
	p := nodePage{c, d}
	p.head()
	if p.wide() {
		p.labels()
	}
	if p.wide() || len(d.Findings) == 0 {
		p.findings()
	}
	p.conditions()
	p.taints()
	p.resources()
	p.pods()
	p.system()
	p.residents()
	p.events()
	if p.wide() {
		writeOver(p, p.d.Over, p.d.At)
	}
	p.foot()
	writeKnowledge(p, p.d.Knowledge)
}

type nodePage struct {
	canvas
	d *nodes.Detail
}

func (p *nodePage) head() {
	n := p.d.Node
	rest := n.Name
	if when := since(n.Since, p.d.At); when != "" {
		rest += ", " + when
	}
	p.title(strings.ToUpper(n.State.Says()), stateColor(n.State), rest)
	source := "from " + p.d.Source
	if p.d.At != nil {
		source += ", as of " + wording.Instant(*p.d.At)
	}
	p.note(source)
	if n.Reason != "" {
		p.labelled("Message", n.Reason)
	}
	if !p.wide() {
		p.found()
	}
	p.labelled("Group", groupName(nodes.Group{Pool: n.Pool, Zone: n.Zone})+": "+wording.Count(p.d.Group.Nodes, "node")+", "+states(p.d.Group.States))
	if !p.wide() {
		p.room()
	}
	p.labelled("Runs", p.identity())
	if len(n.Differs) > 0 {
		p.labelled("Unlike", "most of its group: "+traits(n.Differs))
	}
	p.labelled("Heartbeat", p.heartbeat())
	if n.Cordon != nil {
		p.cordon()
	}
	p.certificates()
	if k := p.d.Kubelet; k != nil {
		p.labelled("Kubelet", kubeletSays(k, p.d.At))
		if says := disksSay(k.Disks, p.wide()); says != "" {
			p.labelled("Disks", says)
		}
	}
	p.machine()
	if several := faultCount(p.d.Faults); several != "" {
		p.labelled("Faults", several)
	}
	if len(p.d.Over) > 0 && !p.wide() {
		p.labelled("Over", overLine(p.d.Over, p.d.At))
	}
}

// cordon shows since when and by whom the node is cordoned, or how to find that out.
func (p *nodePage) cordon() {
	n := p.d.Node
	text := cordonSays(n.Cordon, p.d.At)
	if n.Cordon.By != "" {
		p.labelled("Cordon", text)
		return
	}
	p.labelled("Cordon", text+"; by whom is not in the evidence. The field managers of the node show it:")
	p.command(string(shell.Format("kubectl get node {node} -o yaml --show-managed-fields", n.Name)))
}

// certificates shows when the first certificate expires, and on a wide page all of them.
func (p *nodePage) certificates() {
	list := p.d.Certificates
	for i, c := range list[:p.limit(1, len(list))] {
		text := c.Name + " until " + wording.Instant(c.Until)
		if p.d.At != nil {
			if left := c.Until.Sub(*p.d.At); left > 0 {
				text += " (" + wording.Duration(left) + " left)"
			} else {
				text += " (expired " + wording.Duration(-left) + " ago)"
			}
		}
		p.labelled(first(i, "Certs"), text)
	}
}

func (p *nodePage) identity() string {
	n := p.d.Node
	parts := []string{}
	if t := traits(n.Traits); t != "" {
		parts = append(parts, t)
	}
	for _, k := range sortedKeys(p.d.Addresses) {
		if k != "Hostname" || p.d.Addresses[k] != n.Name {
			parts = append(parts, k+" "+p.d.Addresses[k])
		}
	}
	if d := sinceShort(n.Created, p.d.At); d != "" {
		parts = append(parts, d+" old")
	}
	if p.wide() && p.d.ProviderID != "" {
		parts = append(parts, p.d.ProviderID)
	}
	if p.wide() && p.d.PodCIDR != "" {
		parts = append(parts, "pods from "+p.d.PodCIDR)
	}
	if len(parts) == 0 {
		return "the evidence does not say"
	}
	return strings.Join(parts, ", ")
}

func (p *nodePage) heartbeat() string {
	n := p.d.Node
	switch {
	case n.Heartbeat == nil:
		return "not seen"
	case p.d.At == nil:
		return wording.Instant(*n.Heartbeat)
	case n.Overdue:
		return sinceShort(n.Heartbeat, p.d.At) + " ago, overdue"
	case n.Late:
		return sinceShort(n.Heartbeat, p.d.At) + " ago, late: a kubelet renews its lease every 10s"
	}
	return sinceShort(n.Heartbeat, p.d.At) + " ago, on time"
}

func (p *nodePage) findings() {
	if len(p.d.Findings) == 0 {
		if says := readInPart(p.d.ReadInPart); says != "" {
			p.section("Nothing was found in what was read")
			p.paragraph(says)
			return
		}
		if p.d.Verdict == triage.Healthy {
			p.section("Nothing was found on it")
		} else {
			p.section("No cause was found")
		}
		return
	}
	p.section("Found")
	for i, f := range p.d.Findings {
		facts := joined(", ", string(f.Severity), string(f.Certainty), lasting(f.Since, f.LastSeen, p.d.At))
		body := fmt.Sprintf("%s (%s): %s", f.Cause, facts, f.Summary)
		if f.ExplainedBy != "" {
			body += "; caused by " + f.ExplainedBy
		}
		p.numbered(i+1, body)
	}
}

// found names the first finding and the command for its fix, before what describes the node.
func (p *nodePage) found() {
	if len(p.d.Findings) == 0 {
		return
	}
	f := p.d.Findings[0]
	says := fmt.Sprintf("%s (%s, %s): %s", f.Cause, f.Severity, f.Certainty, f.Summary)
	if more := len(p.d.Findings) - 1; more > 0 {
		says += "; " + wording.Counted(more, "more finding", "more findings")
	}
	p.labelled("Found", says)
	p.command(string(shell.Format("nodetriage diagnose {node}", p.d.Node.Name)))
}

// conditions writes the significant conditions on one line each. It joins the conditions that are normal, and those that are
// stale for the same reason.
func (p *nodePage) conditions() {
	if len(p.d.Conditions) == 0 {
		return
	}
	p.section("Conditions")
	for _, j := range []nodes.Judgement{nodes.Bad, nodes.Stale, nodes.NotJudged, nodes.Good} {
		together := map[string][]string{}
		for _, c := range p.d.Conditions {
			name := c.Type + "=" + c.Status
			switch {
			case c.Judgement != j:
			case !p.wide() && (j == nodes.Stale || j == nodes.Good):
				together[c.Says] = append(together[c.Says], name)
			default:
				p.judged(judged{word: string(j), color: judgementColor(j), text: p.conditionSays(c)})
			}
		}
		for _, says := range sortedKeys(together) {
			body := strings.Join(together[says], ", ")
			if j == nodes.Stale {
				body += "; " + says
			}
			p.judged(judged{word: string(j), color: judgementColor(j), text: body})
		}
	}
}

func (p *nodePage) conditionSays(c nodes.Condition) string {
	body := c.Type + "=" + c.Status
	if d := sinceShort(c.Since, p.d.At); d != "" {
		body += " for " + d
	}
	if d := sinceShort(c.Heard, p.d.At); d != "" && c.Judgement != nodes.Good {
		body += ", confirmed " + d + " ago"
	}
	if c.Judgement != nodes.Bad || c.Type == "Ready" {
		body += "; " + c.Says
	}
	if says := strings.TrimSpace(c.Reason + " " + c.Message); says != "" {
		body += "; " + says
	}
	return body
}

func judgementColor(j nodes.Judgement) string {
	switch j {
	case nodes.Bad:
		return red
	case nodes.Stale:
		return yellow
	}
	return ""
}

func (p *nodePage) taints() {
	if len(p.d.Taints) == 0 {
		return
	}
	p.section("Taints")
	for i, t := range p.d.Taints {
		if i > 0 && t.Key == p.d.Taints[i-1].Key && t.Value == p.d.Taints[i-1].Value {
			continue
		}
		body := t.Key
		if t.Value != "" {
			body += "=" + t.Value
		}
		for j, same := range p.d.Taints[i:] {
			if same.Key != t.Key || same.Value != t.Value {
				break
			}
			body += [2]string{":", ", "}[min(j, 1)] + same.Effect
		}
		if d := sinceShort(t.Since, p.d.At); d != "" {
			body += " for " + d
		}
		if t.Says != "" {
			body += "; " + t.Says
		}
		p.paragraph(body)
	}
}

// room says in a row what is free on the node.
func (p *nodePage) room() {
	var free []string
	for _, r := range p.d.Resources {
		if r.Free != "" && r.Allocatable != "" {
			free = append(free, r.Free+" of "+r.Allocatable+" "+r.Name)
		}
	}
	if len(free) > 0 {
		p.labelled("Free", strings.Join(free, ", "))
	}
}

func (p *nodePage) resources() {
	if len(p.d.Resources) == 0 {
		return
	}
	p.section("Resources")
	var kept []string
	var rows [][]string
	for _, r := range p.d.Resources {
		asked := r.Requested
		if r.Share != nil {
			asked += fmt.Sprintf(" (%d%%)", *r.Share)
		}
		used := r.Used
		if r.UsedShare != nil {
			used += fmt.Sprintf(" (%d%%)", *r.UsedShare)
		}
		rows = append(rows, []string{r.Name, dash(r.Capacity), dash(r.Allocatable), dash(asked), dash(r.Free), dash(used)})
		if r.Reserved != "" {
			text := r.Name + " " + r.Reserved
			if r.ReservedBy != "" {
				text += " (" + r.ReservedBy + ")"
			}
			kept = append(kept, text)
		}
	}
	p.table([]string{"NAME", "CAPACITY", "ALLOCATABLE", "REQUESTED", "FREE", "USED NOW"}, rows)
	if len(kept) > 0 {
		p.paragraph("reserved, not for pods: " + strings.Join(kept, "; "))
	}
	from := p.d.Resources[0].UsedFrom
	p.paragraph(useSays(from))
	if from == "" {
		p.command(installMetrics)
	}
}

// How to get the usage of nodes and pods.
const (
	noMetrics      = "kubectl get apiservice v1beta1.metrics.k8s.io shows whether it is served; metrics-server provides it"
	installMetrics = "kubectl apply -f https://github.com/kubernetes-sigs/metrics-server/releases/latest/download/components.yaml"
)

// useSays returns the source of the usage, or how to find out.
func useSays(from string) string {
	switch from {
	case "metrics API":
		return "use is that of the metrics API"
	case "kubelet":
		return "use is the kubelet's own summary; the metrics API has none of this node"
	}
	return "usage unknown: the metrics API is not available or was not read; " + noMetrics
}

// labels are only in the wide form.
func (p *nodePage) labels() {
	if len(p.d.Labels) == 0 {
		return
	}
	p.section("Labels")
	for _, l := range p.d.Labels {
		text := labelText(l)
		if l.Says != "" {
			text += "  (" + l.Says + ")"
		}
		p.paragraph(text)
	}
}

func labelText(l nodes.Label) string {
	if l.Value == "" {
		return l.Key
	}
	return l.Key + "=" + l.Value
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func (p *nodePage) events() {
	if len(p.d.Events) == 0 {
		return
	}
	p.section("Events")
	limit := p.limit(screenEvents, len(p.d.Events))
	for _, e := range p.d.Events[:limit] {
		body := e.Reason
		if d := sinceShort(e.Last, p.d.At); d != "" {
			body = d + " ago  " + body
		}
		if e.Count > 1 {
			body += fmt.Sprintf(" (%d times)", e.Count)
		}
		if e.Object != "Node "+p.d.Node.Name {
			body += ", " + e.Object
		}
		p.paragraph(shorten(body+": "+e.Message, p.excerpt()))
	}
	p.left(len(p.d.Events)-limit, paragraphs, "event", "events")
}

func (p *nodePage) foot() {
	for _, s := range openSymptoms(p.d.Symptoms) {
		p.remark(s.Title + ": no cause in this evidence; look at " + s.Look)
	}
	if p.wide() || len(p.d.Findings) == 0 {
		p.remark("Cause and fix:")
		p.command(string(shell.Format("nodetriage diagnose {node}", p.d.Node.Name)))
	}
}
