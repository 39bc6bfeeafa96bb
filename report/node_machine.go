package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// machine writes the machine of the node in two or three lines, and each unusual fact on its own line.
func (p *nodePage) machine() {
	m := p.d.Machine
	if m == nil {
		return
	}
	p.labelled("Machine", machineSays(m))
	if stands := machineStands(m, p.d.At, p.wide()); stands != "" {
		p.labelled("", stands)
	}
	for _, text := range m.Odd {
		p.labelled("", text)
	}
	if m.Source != "cloud" && m.ID != "" {
		says := "power, state and what runs inside were not read: only its cloud tells"
		if m.Ask != "" {
			says += "; add the output of"
		}
		p.labelled("", says)
		if m.Ask != "" {
			p.command(string(m.Ask))
		}
	}
}

// machineSays returns the location and the type of the machine.
func machineSays(m *nodes.Machine) string {
	var out []string
	add := func(format, value string) {
		if value != "" {
			out = append(out, fmt.Sprintf(format, value))
		}
	}
	add("group %s", m.Group)
	add("set %s", m.Set)
	add("instance %s", m.Number)
	add("zone %s", m.Zone)
	add("size %s", m.Size)
	add("image %s", m.Image)
	if len(out) == 0 {
		return m.ID
	}
	return strings.Join(out, ", ")
}

// machineStands returns the machine's state in its cloud.
func machineStands(m *nodes.Machine, now *time.Time, wide bool) string {
	if m.Source != "cloud" {
		return ""
	}
	out := []string{named(m.Power, "power not told"), "state " + named(m.State, "not told")}
	if m.Answer != "" {
		out = append(out, m.Inside+" "+m.Answer)
	}
	if m.Latest == evidence.True {
		out = append(out, "as its set wants it")
	}
	if m.Spot == evidence.True {
		out = append(out, "the cloud may take it back")
	}
	if d := sinceShort(m.Created, now); d != "" {
		out = append(out, "made "+d+" ago")
	}
	if len(m.Extensions) > 0 {
		names := apply(m.Extensions, func(e evidence.CloudProgram) string { return joined(" ", e.Name, strings.ToLower(e.State)) })
		if wide {
			out = append(out, "inside: "+strings.Join(names, ", "))
		} else {
			out = append(out, "inside: "+wording.Some(names))
		}
	}
	if len(m.Announced) == 0 {
		out = append(out, "nothing announced")
	}
	return strings.Join(out, ", ")
}

func kubeletSays(k *nodes.Kubelet, now *time.Time) string {
	var out []string
	switch {
	case k.Healthz != "":
		out = append(out, "healthz "+k.Healthz)
	case k.Error != "":
		out = append(out, "no answer: "+k.Error)
	}
	if k.Started != nil {
		says := "started " + wording.Instant(*k.Started)
		if d := sinceShort(k.Started, now); d != "" {
			says = "started " + d + " ago"
		}
		out = append(out, says+" (according to "+k.StartedBy+")")
	}
	if u := k.Unit; u != nil {
		says := "unit " + joined(" ", u.Active, u.Sub)
		if u.Enabled != "" {
			says += ", " + u.Enabled + " at boot"
		}
		if u.Restarts > 0 {
			says += ", " + wording.Count(u.Restarts, "restart")
		}
		out = append(out, says)
	}
	for _, name := range sortedKeys(k.Files) {
		fs, says := k.Files[name], ""
		if fs.Capacity > 0 {
			says = fmt.Sprintf("%s %s free of %s", name, nodes.Bytes(int64(fs.Available)), nodes.Bytes(int64(fs.Capacity)))
		}
		if fs.Inodes > 0 {
			says = joined(", ", says, fmt.Sprintf("%d%% of inodes free", fs.InodesFree*100/fs.Inodes))
		}
		if says != "" {
			out = append(out, says)
		}
	}
	return strings.Join(out, "; ")
}

// disksSay lists how full the node's file systems are.
func disksSay(disks []nodes.Disk, wide bool) string {
	var out []string
	for _, d := range disks {
		says := d.Mount
		if d.UsedBytes >= 0 {
			says += fmt.Sprintf(" %d%% full", d.UsedBytes)
			if d.Bytes > 0 {
				says += " of " + nodes.Bytes(d.Bytes)
			}
		}
		if d.UsedInodes >= 0 {
			says += fmt.Sprintf(", inodes %d%%", d.UsedInodes)
		}
		if d.ReadOnly {
			says += ", read-only"
		}
		if wide && len(d.Holds) > 0 {
			says += " (" + strings.Join(d.Holds, ", ") + ")"
		}
		out = append(out, says)
	}
	return strings.Join(out, "; ")
}
