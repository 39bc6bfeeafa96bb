package triage

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// ground is where the commands of a finding run: the platforms of its nodes, each with the unit of the kubelet.
type ground []footing

type footing struct {
	*catalog.Platform
	unit shell.Text
}

// groundOf returns the platforms that fit all nodes of the subjects. The text decides without node objects, and if they do not
// show the distribution, as the rows of MicroK8s do not.
func (g *graph) groundOf(subjects []evidence.Subject, text string) ground {
	nodes := g.nodesOf(subjects)
	platforms := catalog.PlatformsIn(text)
	if len(nodes) > 0 {
		own := slices.DeleteFunc(slices.Clone(catalog.Platforms()), func(p *catalog.Platform) bool {
			return slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return !p.IsOf(factsOf(n)) })
		})
		rows := !slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return !n.Partial }) // an object shows it, and tenants write texts
		if !rows || g.around.managed || slices.ContainsFunc(own, isDistribution) || !slices.ContainsFunc(platforms, isDistribution) {
			platforms, text = own, ""
		}
	} else if len(platforms) == 0 {
		text = g.around.text()
		platforms = catalog.PlatformsIn(text)
	}
	var out ground
	for _, p := range platforms {
		out = append(out, footing{p, unitOf(p, nodes, text)})
	}
	return out
}

// saidBy returns all messages and all lines with errors in lower case. It shows the platform if the evidence of a finding does not.
func saidBy(s *evidence.Snapshot) string {
	var out strings.Builder
	for _, m := range s.Matches() {
		out.WriteString(m.Ref.Text + "\n" + m.LastText + "\n" + strings.Join(m.Context, "\n") + "\n")
	}
	for _, l := range s.Data().Lines {
		out.WriteString(l.Ref.Text + "\n")
	}
	return strings.ToLower(out.String())
}

// has reports whether the ground is one of the named platforms; no names means any. If the distribution is unknown and no provider
// runs the control plane, the ground may be kubeadm.
func (g *graph) has(x ground, names []string) bool {
	if len(names) == 0 || slices.Contains(names, catalog.Kubeadm) && !g.around.managed && !x.distributed() {
		return true
	}
	return slices.ContainsFunc(x, func(p footing) bool { return slices.Contains(names, p.Name) })
}

func isDistribution(p *catalog.Platform) bool { return p.Distribution }

// distributed reports whether the distribution of the nodes is known.
func (x ground) distributed() bool {
	return slices.ContainsFunc(x, func(p footing) bool { return p.Distribution })
}

// nodesOf returns the nodes of the subjects whose objects or table rows were read. If there are none, it returns all nodes.
func (g *graph) nodesOf(subjects []evidence.Subject) []*evidence.Node {
	var out []*evidence.Node
	for _, s := range subjects {
		name := s.Name
		if p := g.in.Snapshot.Pod(s.Namespace, s.Name); s.Kind == "Pod" && p != nil {
			name = p.Node
		} else if s.Kind != "Node" {
			continue
		}
		if n := g.in.Snapshot.Node(name); n != nil && factsOf(n) != (catalog.NodeFacts{}) {
			out = append(out, n)
		}
	}
	if len(out) > 0 {
		return out
	}
	return slices.DeleteFunc(slices.Clone(g.in.Snapshot.Nodes()), func(n *evidence.Node) bool { return factsOf(n) == catalog.NodeFacts{} })
}

func factsOf(n *evidence.Node) catalog.NodeFacts {
	info := n.Node.Status.NodeInfo
	os := info.OperatingSystem
	if os == "" {
		os = n.Labels[corev1.LabelOSStable]
	}
	return catalog.NodeFacts{OS: os, Image: info.OSImage, Version: info.KubeletVersion, Runtime: info.ContainerRuntimeVersion}
}

// textOf returns the summary and the evidence of the statements and of their effects in lower case.
func textOf(summary string, group []*statement) string {
	var out strings.Builder
	out.WriteString(summary + "\n")
	seen := map[*statement]bool{} // the statements of a group have their effects in common
	add := func(st *statement) {
		if seen[st] {
			return
		}
		seen[st] = true
		for _, c := range st.claims {
			for _, e := range c.Evidence {
				out.WriteString(e.Source + " " + e.Text + "\n")
			}
		}
	}
	for _, st := range group {
		add(st)
		for _, e := range st.effects {
			add(e)
		}
	}
	return strings.ToLower(out.String())
}

// unitOf returns the unit of the kubelet on nodes of the platform: by the role of the nodes, or else by the text.
func unitOf(p *catalog.Platform, nodes []*evidence.Node, text string) shell.Text {
	agent := strings.Contains(text, strings.ToLower(p.Agent))
	if len(nodes) > 0 {
		agent = !slices.ContainsFunc(nodes, evidence.OfControlPlane)
	}
	switch {
	case p.Agent == "":
		return "kubelet"
	case p.Agent == p.Server:
		return shell.Format("{unit}", cmp.Or(namedUnit(p, text), p.Agent))
	case agent:
		return shell.Format("{unit}", p.Agent)
	}
	return shell.Format("{unit}", p.Server)
}

// namedUnit returns the unit of the platform that a text names, if it is another one than the usual: older versions have others.
func namedUnit(p *catalog.Platform, text string) string {
	c := components.Named(p.Name)
	if c == nil || strings.Contains(text, p.Agent) {
		return ""
	}
	i := slices.IndexFunc(c.Units, func(unit string) bool { return strings.Contains(text, unit) })
	if i < 0 {
		return ""
	}
	return c.Units[i]
}

// onNode reports whether a command for that place runs on a node.
func onNode(place string) bool { return place == "node" || place == catalog.ControlPlane }

// command returns the command for the ground; ok reports whether the ground has it.
func (x ground) command(command shell.Text, place string) (out shell.Text, ok bool) {
	out = command
	for _, p := range x {
		switch {
		case !onNode(place):
			ok = !p.Without(out)
		default:
			out, ok = p.onNode(out)
		}
		if !ok {
			return "", false
		}
	}
	return out, true
}

// place returns where a command for that place runs on the ground.
func (x ground) place(place string) string {
	for _, p := range x {
		if onNode(place) && p.Where != "" {
			return p.Where
		}
	}
	return place
}

// onNode keeps the place marker at the end of the command, unless the command runs elsewhere.
func (p footing) onNode(command shell.Text) (out shell.Text, ok bool) {
	bare, mark := command.Unmarked()
	if p.Where != "" {
		mark = ""
	}
	out, ok = p.Command(bare, p.unit)
	return shell.Join("", out, mark), ok
}

// remedy returns the commands of a remedy for the ground, each once. It returns all or none, except for cloud commands, which are
// alternatives.
func (x ground) remedy(commands []shell.Text, r catalog.Remedy) []shell.Text {
	if len(x) == 0 {
		return commands
	}
	var out []shell.Text
	clouds, left := 0, 0
	for _, c := range commands {
		own, ok := x.command(c, r.Place(c))
		ofCloud := catalog.ProviderOfCommand(c) != nil
		if ofCloud {
			clouds++
		}
		switch {
		case !ok && !ofCloud:
			return nil
		case !ok:
			continue
		case ofCloud:
			left++
		}
		if !slices.Contains(out, own) {
			out = append(out, own)
		}
	}
	if clouds > 0 && left == 0 {
		return nil
	}
	return out
}

// texts returns the texts with their commands for the ground. Texts about something that does not exist there are left out.
func (x ground) texts(list []shell.Text) []shell.Text {
	out := make([]shell.Text, 0, len(list))
	for _, t := range list {
		there := true
		for _, p := range x {
			t = p.Text(t, p.unit)
			there = there && !p.Without(t) && !(p.NoShell && t.Names(unixThings))
		}
		if there {
			out = append(out, t)
		}
	}
	return out
}

// unixThings are words that only appear in texts about machines with a Unix shell.
var unixThings = []string{"/etc/", "/var/", "/opt/", "/run/", "/proc/", "/sys/", "systemctl", "journalctl", "crictl", "systemd", "dmesg", "ip route", "sysctl"}
