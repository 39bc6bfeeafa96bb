package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/answers/timeline"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// nodesView is the HTML form of all nodes.
type nodesView struct {
	frame
	Map                          *mapView
	Faults, Elsewhere, Unchecked string
}

// MapHTML writes all nodes as one self-contained page.
func MapHTML(w io.Writer, m *nodes.Map, version string) error {
	m = cleaned(m)
	page := nodesView{
		frame: newFrame(wording.Count(m.Nodes, "node"), m.Verdict, m.Source, m.At, version), Map: newMapView(m),
		Faults: faultCount(m.Faults), Elsewhere: foundSays(m.Elsewhere),
	}
	if says := uncheckedSays(m.NotChecked, m.ReadInPart); says != "" {
		page.Unchecked = says + "."
	}
	return writePage(w, page.frame, drawNodes(&page))
}

// NodeIncident is the input of the HTML form of one node: the node, and its evidence.
type NodeIncident struct {
	Detail   *nodes.Detail
	Timeline *timeline.Timeline
	Catalog  *catalog.Catalog
	Version  string // of the program, for the footer
}

type nodeView struct {
	frame
	Name, StateSays, Reason string
	State                   nodes.State
	Facts, Notes            []string
	Findings                []*findingView
	Conditions              []conditionView
	Taints                  []taintView
	Resources               []resourceView
	Pods                    []podView
	PodsLeft                string
	Missing, System         string
	Tables                  []grid // of labels, of all pods
	Timeline                *timelineView
	Events                  []eventView
	restView
}

type conditionView struct{ Judgement, Class, Name, For, Heard, Says string }

type taintView struct{ Name, Says string }

type resourceView struct {
	Name, Allocatable, Requested, Free, Used string
	Share                                    *barView
}

type podView struct{ Name, Ready, Status, Class, Restarts, Says string }

type eventView struct{ When, Times, About, Reason, Class, Message string }

// NodeHTML writes one node in detail as one self-contained page.
func NodeHTML(w io.Writer, in NodeIncident) error {
	d := cleaned(in.Detail)
	n := d.Node
	p := nodePage{&screen{style: Style{Wide: true}}, d}
	v := nodeView{
		frame: newFrame("node "+n.Name, d.Verdict, d.Source, d.At, in.Version), Name: n.Name, State: n.State,
		StateSays: n.State.Says(), Reason: n.Reason,
		Facts: []string{p.identity(), "heartbeat " + p.heartbeat()},
	}
	v.Knowledge = footKnowledge(d.Knowledge)
	if when := since(n.Since, d.At); when != "" {
		v.StateSays += " " + when
	}
	v.Facts = append(v.Facts, groupName(nodes.Group{Pool: n.Pool, Zone: n.Zone})+": "+wording.Count(d.Group.Nodes, "node")+", "+states(d.Group.States))
	if several := faultCount(d.Faults); several != "" {
		v.Facts = append(v.Facts, several)
	}
	if n.Cordon != nil {
		v.Facts = append(v.Facts, cordonSays(n.Cordon, d.At))
	}
	if len(n.Differs) > 0 {
		v.Notes = append(v.Notes, "Unlike most of its group: "+traits(n.Differs))
	}
	if d.Kubelet != nil {
		v.Notes = append(v.Notes, "Kubelet: "+kubeletSays(d.Kubelet, d.At))
		if says := disksSay(d.Kubelet.Disks, true); says != "" {
			v.Notes = append(v.Notes, "Disks: "+says)
		}
	}
	if m := d.Machine; m != nil {
		v.Notes = append(v.Notes, "Machine: "+joined("; ", machineSays(m), machineStands(m, d.At, true)))
		v.Notes = append(v.Notes, m.Odd...)
	}
	v.lists(p)
	if len(d.Labels) > 0 {
		t := grid{title: "Labels", columns: []column{{"Label", always}, {"Value", always}, {"Meaning", always}}}
		for _, l := range d.Labels {
			t.rows = append(t.rows, gridRow{cells: []string{l.Key, l.Value, l.Says}})
		}
		v.Tables = append(v.Tables, t)
	}
	if len(d.Residents) > 0 {
		v.Tables = append(v.Tables, residentGrid(d))
	}
	if in.Timeline != nil {
		v.Timeline = newTimelineView(cleaned(in.Timeline))
	}
	short := &triage.Report{TakenAt: d.At, Symptoms: d.Symptoms, Over: d.Over, Findings: d.Findings, RuledOut: d.RuledOut, NotChecked: d.NotChecked}
	for i, f := range d.Findings[:min(len(d.Findings), htmlFindings)] {
		view := newFindingView(f, short, in.Catalog)
		view.Nested, view.Open = true, i == 0
		v.Findings = append(v.Findings, view)
	}
	v.restView = newRestView(newDiagnosis(short))
	return writePage(w, v.frame, drawNode(&v))
}

// lists fills the tables of the page.
func (v *nodeView) lists(p nodePage) {
	d := p.d
	for _, c := range d.Conditions {
		class := map[nodes.Judgement]string{nodes.Bad: "bad", nodes.Stale: "warn", nodes.Good: "good"}[c.Judgement]
		v.Conditions = append(v.Conditions, conditionView{
			string(c.Judgement), class, c.Type + "=" + c.Status, sinceShort(c.Since, d.At), sinceShort(c.Heard, d.At),
			joined("; ", c.Says, c.Reason, c.Message),
		})
	}
	for _, t := range d.Taints {
		v.Taints = append(v.Taints, taintView{t.Key + ":" + t.Effect, strings.TrimSpace(sinceShort(t.Since, d.At) + " " + t.Says)})
	}
	for _, r := range d.Resources {
		view := resourceView{Name: r.Name, Allocatable: r.Allocatable, Requested: r.Requested, Free: r.Free, Used: r.Used}
		if r.Share != nil {
			view.Share = &barView{X: *r.Share, W: min(max(*r.Share, 0), 100), Class: "info"}
		}
		v.Resources = append(v.Resources, view)
	}
	var well []string
	for _, pod := range append(append([]nodes.Pod{}, d.System...), d.Pods...) {
		if pod.Well {
			well = append(well, pod.Namespace+"/"+pod.Name)
			continue
		}
		v.Pods = append(v.Pods, podView{
			pod.Namespace + "/" + pod.Name, fmt.Sprintf("%d/%d", pod.Ready, pod.Total), pod.Status, "bad", fmt.Sprint(pod.Restarts), pod.Says,
		})
	}
	if left := len(v.Pods) - htmlList; left > 0 {
		v.Pods, v.PodsLeft = v.Pods[:htmlList], "and "+wording.Count(left, "more pod")+" (-o json has all)"
	}
	v.System, v.Missing = wording.First(well, htmlList), wording.First(d.Missing, htmlList)
	for _, e := range d.Events {
		class := ""
		if e.Type == "Warning" {
			class = "bad"
		}
		view := eventView{About: e.Object, Reason: e.Reason, Class: class, Message: e.Message, Times: fmt.Sprint(max(e.Count, 1))}
		if e.Last != nil {
			view.When = wording.Instant(*e.Last)
		}
		v.Events = append(v.Events, view)
	}
}
