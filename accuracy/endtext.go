package accuracy

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// endEvents ages a list of events, and adds success events.
func endEvents(block []string, n names) (out []string, skip string) {
	var rows []eventRow
	for _, l := range block {
		if r, ok := parseEventRow(l); ok {
			rows = append(rows, r)
			out = append(out, r.aged(ageing))
			continue
		}
		if agelessRow.MatchString(l) {
			return nil, "events whose ages are not told, or in an old form"
		}
		out = append(out, l)
	}
	if len(rows) == 0 {
		return out, ""
	}
	more, skip := after(rows, n)
	return append(out, more...), skip
}

// after returns the rows of success after those of a list, for each object in it.
func after(rows []eventRow, n names) (out []string, skip string) {
	var objects []string
	of := map[string][]eventRow{}
	for _, r := range rows {
		about := r.namespace + " " + r.object
		objects = add(objects, about)
		of[about] = append(of[about], r)
	}
	for _, about := range objects {
		rows, n := of[about], n
		if node, ok := strings.CutPrefix(rows[0].object, "node/"); ok {
			n.nodes = []string{node}
		}
		good, ok := successes(rows, n)
		if !ok {
			return nil, "an event of whose success nothing is known"
		}
		for _, e := range good {
			out = append(out, rows[len(rows)-1].like(restFor, e))
		}
	}
	if len(out) == 0 && slices.ContainsFunc(rows, goesOn) {
		return nil, "an event of whose success nothing is known"
	}
	return out, ""
}

// goesOn reports whether an event is about something that continues and whose end is unknown: a surge, a repair, a condition of
// a monitor.
func goesOn(r eventRow) bool {
	_, known := endsOf[r.reason]
	return !known && !routine[r.reason]
}

// routine are the reasons of events without a problem.
var routine = map[string]bool{
	"Scheduled": true, "Pulling": true, "Pulled": true, "Created": true, "Started": true, "Killing": true, "SandboxChanged": true, "SuccessfulCreate": true,
	"SuccessfulAttachVolume": true, "Starting": true, "RegisteredNode": true, "NodeAllocatableEnforced": true, "AddedInterface": true, "ScalingReplicaSet": true,
}

var (
	nodeRow = regexp.MustCompile(`^(\S+\s+)((?:Not)?Ready\S*|Unknown)(\s+)((?:\S+\s+)??)(` + agePattern + `)(\s.*|)$`)
	podRow  = regexp.MustCompile(`^((?:\S+\s+)?\S+\s+)(\d+)/(\d+)(\s+)([A-Z]\w*(?::\S+)?)(\s+)(\d+(?: \(` + agePattern + ` ago\))?)(\s+)(` + agePattern + `)(\s.*|)$`)
	ago     = regexp.MustCompile(`\((` + agePattern + `) ago\)`)
)

// padded returns a cell that replaces another, with the blanks after it.
func padded(cell, old, blanks string) string {
	if width := len(old) + len(blanks); len(cell) < width {
		return cell + strings.Repeat(" ", width-len(cell))
	}
	return cell + "  "
}

// endNodes returns the table of nodes when all are healthy.
func endNodes(block []string) []string {
	var out []string
	for _, l := range block {
		if m := nodeRow.FindStringSubmatch(l); m != nil {
			l = m[1] + padded("Ready", m[2], m[3]) + m[4] + older(m[5], ageing) + m[6]
		}
		out = append(out, l)
	}
	return out
}

// addressed reports whether a table shows running pods with their addresses.
func addressed(block []string) bool {
	return slices.ContainsFunc(block, func(l string) bool {
		m := podRow.FindStringSubmatch(l)
		return m != nil && m[5] == "Running" && strings.Contains(m[10], ".")
	})
}

// endPods returns the table of pods when all are running. Pods that were being deleted are gone.
func endPods(block []string, n names) []string {
	var out []string
	for _, l := range block {
		m := podRow.FindStringSubmatch(l)
		switch {
		case m == nil:
			out = append(out, l)
		case m[5] == "Terminating":
		case m[5] == "Completed" || m[5] == "Succeeded":
			out = append(out, l)
		default:
			restarts := ago.ReplaceAllStringFunc(m[7], func(s string) string {
				return "(" + formatAge(parseAge(ago.FindStringSubmatch(s)[1])+ageing) + " ago)"
			})
			rest := m[10]
			if cells := strings.Fields(rest); len(cells) >= 2 && cells[1] == "<none>" {
				rest = strings.Replace(strings.Replace(rest, "<none>", "10.244.1.7", 1), "<none>", n.node(), 1)
			}
			out = append(out, m[1]+m[3]+"/"+m[3]+m[4]+padded("Running", m[5], m[6])+restarts+m[8]+older(m[9], ageing)+rest)
		}
	}
	return out
}

var (
	conditionRow = regexp.MustCompile(`^(\s+)(Ready|MemoryPressure|DiskPressure|PIDPressure|NetworkUnavailable|\w+)(\s+)(True|False|Unknown)(\s+)(` + weekdays + `, \d\d ` + months + ` \d{4} \d\d:\d\d:\d\d [+-]\d{4})(\s+)(` + weekdays + `, \d\d ` + months + ` \d{4} \d\d:\d\d:\d\d [+-]\d{4})(\s+)(\S+)(\s*)(.*)$`)
	badTaint     = regexp.MustCompile(`node(?:\.kubernetes\.io|\.cloudprovider\.kubernetes\.io)/\S+`)
)

const described = "Mon, 02 Jan 2006 15:04:05 -0700"

// good lists the healthy values of a node's conditions: status, reason, message.
var good = map[string][3]string{
	"Ready":              {"True", "KubeletReady", "kubelet is posting ready status"},
	"MemoryPressure":     {"False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"},
	"DiskPressure":       {"False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
	"PIDPressure":        {"False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
	"NetworkUnavailable": {"False", "RouteCreated", "RouteController created a route"},
}

// goodCondition returns the healthy value of a condition; "False" for those of monitors.
func goodCondition(typ string) [3]string {
	if g, ok := good[typ]; ok {
		return g
	}
	return [3]string{"False", "No" + typ, "node has no " + typ}
}

// endNodePage returns the description of a node that is healthy again.
func endNodePage(block []string, n names) (out []string, skip string) {
	newest := newestStamp(block)
	if newest.IsZero() {
		return nil, "the description of a node shows no time"
	}
	p := nodePage{now: newest.Add(ageing), since: newest.Add(restFrom)}
	for _, l := range block {
		p.add(l)
	}
	return endPageEvents(p.lines, block, n)
}

// newestStamp returns the newest time with a year; zero if there is none.
func newestStamp(block []string) (newest time.Time) {
	for _, l := range block {
		for _, s := range stamps(l) {
			if s.form.year && s.at.After(newest) {
				newest = s.at
			}
		}
	}
	return newest
}

// nodePage is the description of a node, in which it is healthy.
type nodePage struct {
	now    time.Time
	since  time.Time // of the end
	taints bool      // the lines are those of the taints
	lines  []string
}

// add adds a line of the description of the failed node.
func (p *nodePage) add(l string) {
	key, _, isKey := strings.Cut(l, ":")
	if isKey && !strings.HasPrefix(l, " ") {
		p.taints = key == "Taints"
	}
	if m := conditionRow.FindStringSubmatch(l); m != nil {
		l = p.condition(m)
	} else if r, ok := parseEventRow(l); ok {
		l = r.aged(ageing)
	}
	switch {
	case key == "Unschedulable":
		l = strings.Replace(l, "true", "false", 1)
	case strings.HasPrefix(strings.TrimSpace(l), "RenewTime:"):
		l = "  RenewTime:       " + p.now.UTC().Format(described)
	case p.taints && badTaint.MatchString(l):
		if key != "Taints" {
			return
		}
		l = "Taints:             <none>"
	}
	p.lines = append(p.lines, l)
}

// condition returns the healthy row of a condition, from the parts of conditionRow.
func (p *nodePage) condition(m []string) string {
	g := goodCondition(m[2])
	changed := m[8]
	if m[4] != g[0] {
		changed = p.since.UTC().Format(described)
	}
	return m[1] + m[2] + m[3] + padded(g[0], m[4], m[5]) + p.now.UTC().Format(described) + m[7] + changed + m[9] + g[1] + "  " + g[2]
}

// endPageEvents adds success events to a description.
func endPageEvents(out, block []string, n names) ([]string, string) {
	var rows []eventRow
	for _, l := range block {
		if r, ok := parseEventRow(l); ok {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return out, ""
	}
	more, skip := after(rows, n)
	if skip != "" {
		return nil, skip
	}
	at := 0
	for i, l := range out {
		if _, ok := parseEventRow(l); ok {
			at = i + 1
		}
	}
	for at < len(out) && strings.HasPrefix(out[at], "   ") { // a message of several lines
		at++
	}
	return append(out[:at:at], append(more, out[at:]...)...), ""
}
