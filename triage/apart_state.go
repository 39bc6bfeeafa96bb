package triage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// aspect is one property of a node in a node report.
type aspect struct {
	area, what string
	follows    bool
	// ofPart: it belongs to something that not every node always has, such as a link. Nodes without it are not compared.
	ofPart bool
}

// said is the value of an aspect in a report.
type said struct {
	text  string
	since time.Time
}

// teller reads all aspects of one kind. If only another node has an aspect, it is missing here, unless silent reports that this
// part was not collected.
type teller struct {
	silent func(*nodereport.Report) bool
	tell   func(r *nodereport.Report, same *sameness, tell func(aspect, said))
}

// tellers are the compared parts of a report, apart from the setup.
var tellers = []teller{
	{func(r *nodereport.Report) bool { return r.Units == nil }, tellUnits},
	{func(r *nodereport.Report) bool { return r.Links == nil }, tellLinks},
	{func(r *nodereport.Report) bool { return r.Routes == nil }, tellRoutes},
	{func(r *nodereport.Report) bool { return r.PacketFilter == nil }, tellFilter},
	{func(r *nodereport.Report) bool { return r.Needs == nil }, tellModules},
	{func(r *nodereport.Report) bool { return r.CNI == nil || r.CNI.Network == nil }, tellPlugins},
	{func(r *nodereport.Report) bool { return r.GPUs == nil }, tellCards},
	{func(r *nodereport.Report) bool { return r.StaticPods == nil }, tellStaticPods},
	{func(r *nodereport.Report) bool { return r.Machine == nil }, func(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
		tell(aspect{area: areaVersions, what: "kernel version"}, said{text: r.Machine.Kernel})
		tell(aspect{area: areaVersions, what: "operating system"}, said{text: r.Machine.System})
		name := "different from the node name"
		if strings.EqualFold(host(r.Machine.Hostname), host(r.Node)) {
			name = "same as the node name"
		}
		tell(aspect{area: nodereport.SetupSystem, what: "host name"}, said{text: name})
	}},
	{func(r *nodereport.Report) bool { return r.Bootstrap == nil }, func(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
		for _, b := range r.Bootstrap {
			tell(aspect{area: nodereport.SetupSystem, what: "result of " + b.Program, follows: true}, said{strings.TrimSpace(b.Result + " " + b.Code), b.At})
		}
	}},
	{func(r *nodereport.Report) bool { return r.Clock == nil || r.Clock.Synchronized == nil }, func(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
		tell(aspect{area: nodereport.SetupClock, what: "clock is synchronized", follows: true}, said{text: strconv.FormatBool(*r.Clock.Synchronized)})
	}},
}

func tellUnits(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
	for _, u := range r.Units {
		if u.Enabled != "" && u.Enabled != "bad" {
			tell(aspect{area: nodereport.SetupUnits, what: u.Name + " is enabled"}, said{text: u.Enabled})
		}
		tell(aspect{area: nodereport.SetupUnits, what: u.Name + " state", follows: true}, said{strings.TrimSpace(u.Active + " " + u.Sub), u.Since})
	}
}

func tellLinks(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
	for _, l := range r.Links {
		if l.MTU > 0 {
			tell(aspect{area: nodereport.SetupNetwork, what: "MTU of " + l.Name, ofPart: true}, said{text: strconv.Itoa(l.MTU)})
		}
		tell(aspect{area: nodereport.SetupNetwork, what: "state of " + l.Name, follows: true}, said{text: l.State})
	}
}

// tellRoutes skips routes to pods, because they differ on each node.
func tellRoutes(r *nodereport.Report, same *sameness, tell func(aspect, said)) {
	calico := r.CNI != nil && r.CNI.Network != nil && slices.ContainsFunc(r.CNI.Network.Plugins, func(p nodereport.Plugin) bool { return p.Type == "calico" })
	for _, route := range r.Routes {
		single := strings.HasSuffix(route.Destination, "/32") && !strings.HasPrefix(route.Device, "eth") && route.Device != "*"
		if same.ranges[route.Destination] || single || calico && route.Device == "*" {
			continue
		}
		way := "dev " + route.Device
		if route.Device == "*" {
			way = "rejected"
		}
		if route.Via != "" {
			way += " via " + same.of(r, route.Via)
		}
		tell(aspect{area: nodereport.SetupNetwork, what: "route to " + same.of(r, route.Destination)}, said{text: way})
	}
}

func tellFilter(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
	drops := map[string]int{}
	for _, b := range r.PacketFilter.Backends {
		for chain, n := range b.Drops {
			drops[chain] += n
		}
		for chain, policy := range b.Policies {
			if policy != "ACCEPT" {
				tell(aspect{area: nodereport.SetupNetwork, what: "packet filter policy of " + chain}, said{text: policy})
			}
		}
		for owner := range b.Owners {
			tell(aspect{area: nodereport.SetupNetwork, what: "packet filter has rules of " + owner, follows: true}, said{text: "yes"})
		}
	}
	for chain, n := range drops {
		tell(aspect{area: nodereport.SetupNetwork, what: "packet filter rules that drop packets in " + chain}, said{text: wording.Count(n, "rule")})
	}
}

func tellModules(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
	for _, n := range r.Needs {
		if n.Kind == "module" {
			tell(aspect{area: nodereport.SetupModules, what: "module " + n.Name, ofPart: true}, said{text: n.State})
		}
	}
}

func tellPlugins(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
	for _, p := range r.CNI.Network.Plugins {
		tell(aspect{area: nodereport.SetupCNI, what: "plugin " + p.Type}, said{text: cmp.Or(strings.TrimSpace(p.State+" "+p.Version), "unknown")})
	}
}

func tellCards(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
	count := map[string]int{}
	for _, g := range r.GPUs.Cards {
		count[strings.TrimSpace(g.Vendor+" with driver "+cmp.Or(g.Driver, none)+" "+g.Version)]++
	}
	for kind, n := range count {
		tell(aspect{area: areaDevices, what: "GPUs of " + kind}, said{text: strconv.Itoa(n)})
	}
}

func tellStaticPods(r *nodereport.Report, _ *sameness, tell func(aspect, said)) {
	for _, p := range r.StaticPods {
		tell(aspect{area: nodereport.SetupKubelet, what: "static pod " + p.File}, said{text: cmp.Or(p.Error, "valid")})
	}
}

// compareStates compares the other parts of the reports.
func compareStates(here *nodereport.Report, peers []*nodereport.Report, same *sameness) []Difference {
	var out []Difference
	for _, t := range tellers {
		if t.silent(here) {
			continue
		}
		all := map[aspect]bool{}
		read := func(r *nodereport.Report) map[aspect]said {
			found := map[aspect]said{}
			t.tell(r, same, func(a aspect, v said) { found[a], all[a] = v, true })
			return found
		}
		ours := read(here)
		var theirs []map[aspect]said
		for _, r := range peers {
			if !t.silent(r) {
				theirs = append(theirs, read(r))
			}
		}
		for a := range all {
			if len(theirs) == 0 || slices.ContainsFunc(theirs, func(m map[aspect]said) bool { return m[a].text != theirs[0][a].text }) {
				continue
			}
			v, there := ours[a], theirs[0][a]
			if v.text == there.text || a.ofPart && (v.text == "" || there.text == "") {
				continue
			}
			d := Difference{Area: a.area, What: a.what, Here: cmp.Or(v.text, none), There: cmp.Or(there.text, none), Follows: a.follows}
			if !v.since.IsZero() {
				d.Since = &v.since
			}
			out = append(out, d)
		}
	}
	return out
}
