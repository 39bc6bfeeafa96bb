package report

import (
	"fmt"
	"io"
	slashed "path"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/wording"
)

// NodeFacts writes the facts that a node reported about itself, even if it is healthy. They are the first things people check.
// The time is that of the report.
func NodeFacts(w io.Writer, r *nodereport.Report, style Style) error {
	f := nodeFacts{screen: screen{style: style}, r: r}
	f.section("What the node shows")
	f.machine()
	for _, name := range components.PodStarters() {
		f.unit(name)
	}
	f.kubelet()
	f.runtime()
	f.network()
	f.disks()
	f.memory()
	f.clock()
	f.certificates()
	f.reached()
	f.logs()
	_, err := io.WriteString(w, f.String())
	return err
}

type nodeFacts struct {
	screen
	r *nodereport.Report
}

// fact writes the known parts; nothing if there are none.
func (f *nodeFacts) fact(name string, parts ...string) {
	if says := joined(", ", parts...); says != "" {
		f.labelled(name, Clean(says))
	}
}

// lasted returns how long before the report it was.
func (f *nodeFacts) lasted(t time.Time) string {
	if t.IsZero() || f.r.TakenAt.IsZero() {
		return ""
	}
	return wording.Duration(f.r.TakenAt.Sub(t))
}

// when puts a word before a known value; empty if the value is empty.
func when(word, known string) string {
	if known == "" {
		return ""
	}
	return word + " " + known
}

func (f *nodeFacts) machine() {
	m := f.r.Machine
	if m == nil {
		return
	}
	cloud := ""
	if c := f.r.Cloud; c != nil {
		cloud = joined(" ", c.Provider, c.Size, when("in zone", c.Zone))
	}
	f.fact("Machine", m.System, when("kernel", m.Kernel), when("up for", f.lasted(m.Booted)), cloud)
}

// unit writes the systemd state of one of the units of a node.
func (f *nodeFacts) unit(name string) {
	i := slices.IndexFunc(f.r.Units, func(u nodereport.Unit) bool {
		return strings.TrimSuffix(u.Name, ".service") == name && u.Load != "not-found"
	})
	if i < 0 {
		return
	}
	u := f.r.Units[i]
	says := joined(" ", u.Active, when("", strings.TrimSpace(u.Sub)))
	restarts := ""
	if u.Restarts > 0 {
		restarts = wording.Count(u.Restarts, "restart")
	}
	f.fact("Unit", u.Name+" "+strings.Join(strings.Fields(says), " "), when("for", f.lasted(u.Since)), restarts, when(u.Enabled, onBoot(u.Enabled)), f.waits(u.Name))
}

// waits returns the pending systemd jobs of a unit, and the units whose jobs come first.
func (f *nodeFacts) waits(unit string) string {
	if f.r.Queue == nil {
		return ""
	}
	i := slices.IndexFunc(f.r.Queue.Jobs, func(j nodereport.Job) bool { return j.Unit == unit })
	if i < 0 {
		return ""
	}
	j := f.r.Queue.Jobs[i]
	return joined(" ", "its "+j.Type, map[string]string{"waiting": "is waiting", "running": "is running"}[j.State], when("for", strings.Join(j.After, ", ")))
}

func onBoot(enabled string) string {
	if enabled == "" {
		return ""
	}
	return "at boot"
}

func (f *nodeFacts) kubelet() {
	var says []string
	if k := f.r.Kubelet; k != nil {
		if k.Healthz != "" {
			says = append(says, "healthz "+k.Healthz)
		} else if k.Error != "" {
			says = append(says, "healthz gives no answer: "+k.Error)
		}
		if at := k.Settings["staticPodPath"]; at != "" {
			says = append(says, "static pods from "+at)
		}
	}
	if n := len(f.r.StaticPods); n > 0 {
		says = append(says, wording.Count(n, "static pod"))
	}
	f.fact("Kubelet", append(says, f.listens("kubelet"))...)
}

// listens returns the ports on which a program listens.
func (f *nodeFacts) listens(program string) string {
	if f.r.Listeners == nil {
		return ""
	}
	var ports []int
	for _, s := range f.r.Listeners.Sockets {
		if s.Process == program && !slices.Contains(ports, s.Port) {
			ports = append(ports, s.Port)
		}
	}
	slices.Sort(ports)
	return when("listens on", strings.Join(apply(ports, func(p int) string { return fmt.Sprint(p) }), ", "))
}

func (f *nodeFacts) runtime() {
	rt := f.r.Runtime
	if rt == nil {
		return
	}
	answer := ""
	switch {
	case rt.Answer == "ok" && rt.Latency > 0:
		answer = "answers in " + rt.Latency.Round(time.Millisecond).String()
	case rt.Answer != "":
		answer = "answer: " + rt.Answer
	}
	running := 0
	for _, c := range rt.Containers {
		if c.State == "Running" {
			running++
		}
	}
	containers, shims := "", ""
	if len(rt.Containers)+len(rt.Sandboxes) > 0 {
		containers = fmt.Sprintf("%s, %d of %s run", wording.Counted(len(rt.Sandboxes), "pod sandbox", "pod sandboxes"), running, wording.Count(len(rt.Containers), "container"))
	}
	if rt.Shims != nil {
		shims = wording.Count(*rt.Shims, "shim")
	}
	if rt.Answer == "" && rt.Name == "" && len(rt.Containers)+len(rt.Sandboxes) == 0 {
		return
	}
	image := ""
	if rt.SandboxImagePresent != nil {
		image = when("sandbox image", rt.SandboxImage) + map[bool]string{true: " is there", false: " is missing"}[*rt.SandboxImagePresent]
	}
	f.fact("Runtime", joined(" ", rt.Name, rt.Version, when("at", rt.Endpoint)), answer, containers, shims, image)
	if !f.style.Wide {
		return
	}
	for _, c := range rt.Containers {
		f.line("%s%s", indented(), wording.Wrap(Clean(joined(", ", joined(" ", c.State, c.Pod, c.Name), c.Image, attempts(c.Attempt))), f.style.width(), indented()+"  "))
	}
}

// attempts returns how often a container was restarted.
func attempts(n int) string {
	if n == 0 {
		return ""
	}
	return wording.Count(n, "restart")
}

func (f *nodeFacts) network() {
	c := f.r.CNI
	if c == nil {
		return
	}
	if n := c.Network; n != nil {
		plugins := apply(n.Plugins, func(p nodereport.Plugin) string {
			if p.State == "ok" || p.State == "" {
				return joined(" ", p.Type, p.Version)
			}
			return p.Type + " (" + p.State + ")"
		})
		f.fact("Pod net", joined(" ", slashed.Base(n.File), when("version", n.Version)), when("plugins", strings.Join(plugins, ", ")), when("range", strings.Join(n.Ranges, " ")), n.Error)
		return
	}
	if c.Configs != nil || c.Binaries != nil {
		f.fact("Pod net", wording.Count(len(c.Configs), "configuration")+when(" in", c.ConfigDir), wording.Count(len(c.Binaries), "plugin")+when(" in", c.BinDir))
	}
}

// disks writes the file systems of kubelet, runtime and logs, else the fullest ones.
func (f *nodeFacts) disks() {
	list := slices.DeleteFunc(slices.Clone(f.r.Filesystems), func(fs nodereport.Filesystem) bool { return fs.BytesUsedPercent < 0 && fs.InodesUsedPercent < 0 })
	if held := slices.DeleteFunc(slices.Clone(list), func(fs nodereport.Filesystem) bool { return len(fs.Holds) == 0 && fs.Mount != "/" }); len(held) > 0 && !f.style.Wide {
		list = held
	}
	slices.SortStableFunc(list, func(a, b nodereport.Filesystem) int { return b.BytesUsedPercent - a.BytesUsedPercent })
	for i, fs := range list[:f.limit(4, len(list))] {
		says, inodes, mode := fs.Mount, "", ""
		if fs.BytesUsedPercent >= 0 {
			says += fmt.Sprintf(" %d %%", fs.BytesUsedPercent)
			if fs.Bytes > 0 {
				says += " of " + nodes.Bytes(int64(fs.Bytes))
			}
			says += " used"
		}
		if fs.InodesUsedPercent >= 0 {
			inodes = fmt.Sprintf("%d %% of the inodes", fs.InodesUsedPercent)
		}
		if fs.ReadOnly {
			mode = "read-only"
		}
		f.fact(first(i, "Disks"), says, inodes, mode, when("holds", strings.Join(fs.Holds, " ")))
	}
}

func (f *nodeFacts) memory() {
	var says []string
	if m := f.r.Memory; m != nil && m.Total > 0 {
		says = append(says, fmt.Sprintf("%s of %s available", nodes.Bytes(int64(m.Available)), nodes.Bytes(int64(m.Total))))
		if m.SwapTotal != nil {
			says = append(says, map[bool]string{true: "swap is off", false: "swap is on"}[*m.SwapTotal == 0])
		}
	}
	if t := f.r.Tasks; t != nil && t.Max > 0 {
		says = append(says, fmt.Sprintf("%d of %d tasks", t.Current, t.Max))
	}
	f.fact("Memory", says...)
}

func (f *nodeFacts) clock() {
	c := f.r.Clock
	if c == nil {
		return
	}
	kept, offset := "", ""
	if c.Synchronized != nil {
		kept = map[bool]string{true: "synchronised", false: "not synchronised"}[*c.Synchronized]
	}
	if c.Offset != 0 {
		offset = "off by " + c.Offset.Round(time.Millisecond).String()
	}
	f.fact("Clock", kept, when("service", c.Service), offset)
}

// certificates writes the certificates of the kubelet and of the control plane, the first to expire first.
func (f *nodeFacts) certificates() {
	list := slices.DeleteFunc(slices.Clone(f.r.Certificates), func(c nodereport.Certificate) bool { return c.NotAfter.IsZero() })
	slices.SortStableFunc(list, func(a, b nodereport.Certificate) int { return a.NotAfter.Compare(b.NotAfter) })
	shown := f.limit(3, len(list))
	for i, c := range list[:shown] {
		left := ""
		if !f.r.TakenAt.IsZero() {
			left = map[bool]string{true: wording.Duration(c.NotAfter.Sub(f.r.TakenAt)) + " left", false: "expired"}[c.NotAfter.After(f.r.TakenAt)]
		}
		f.fact(first(i, "Certs"), joined(" ", c.Path, when("of", c.Use), "until", wording.Instant(c.NotAfter)), left)
	}
	f.more(len(list)-shown, indented(), "certificate", "certificates")
}

// reached writes which endpoints the node reached.
func (f *nodeFacts) reached() {
	var says []string
	for _, c := range f.r.Connections {
		if c.Peer == "api-server" {
			says = append(says, joined(" ", "API server", c.Target, c.Answer))
		}
	}
	for _, l := range f.r.Lookups {
		says = append(says, joined(" ", l.Name, when("by", l.Server), l.Answer))
	}
	f.fact("Reaches", says[:f.limit(4, len(says))]...)
}

// logs writes the logs that were searched. files are their paths.
func (f *nodeFacts) logs() {
	sources := apply(f.r.Logs, func(l nodereport.Log) string { return l.Source })
	if f.style.Wide {
		f.fact("Logs", sources...)
	} else {
		f.fact("Logs", wording.Some(sources))
	}
}
