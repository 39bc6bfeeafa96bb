package system

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// CNILeftovers finds nodes with the configuration of a network plugin that the cluster does not run: an error names it, or its file
// is the first in the folder. It needs agents of another plugin in the evidence.
var CNILeftovers = &triage.Rule{
	ID:    "cni-leftovers",
	Doc:   "Compares the plugin in a node's CNI errors or configuration files with the network agents of the cluster.",
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Messages, evidence.NodeReports},
	Check: func(p *triage.Pass) {
		running := map[string]bool{}
		var agent *evidence.Pod
		for _, pod := range p.Snapshot.Pods() {
			if plugin := facts.NetworkAgent(pod.Name); plugin != "" {
				if running[plugin] = true; agent == nil {
					agent = pod
				}
			}
		}
		named := pluginsNamed(p)
		for _, at := range slices.SortedFunc(maps.Keys(named), func(a, b pluginAt) int { return strings.Compare(a.plugin+a.node, b.plugin+b.node) }) {
			subject := evidence.Subject{}
			if at.node != "" {
				subject = evidence.NodeSubject(at.node)
			}
			switch {
			case agent == nil:
				p.Unknown("whether the network plugin "+at.plugin+" belongs to the cluster", "no pod of a network agent was read", "kubectl get pods -A -o wide")
			case components.Serves(at.plugin, running):
				p.RuleOut("cni-leftover-config", subject, "the cluster runs agents of "+at.plugin+", the plugin of the node")
			default:
				p.Found(triage.Claim{
					Says: "cni-leftover-config", Subject: subject, Certainty: triage.Likely, Key: at.plugin,
					Summary: fmt.Sprintf("the node uses the network plugin %s, but the cluster runs %s and no pod of %s", at.plugin,
						strings.Join(slices.Sorted(maps.Keys(running)), " and "), at.plugin),
					Evidence: []evidence.Ref{named[at], facts.PodRef(agent, ".metadata.name", "%s, %s", agent.Name, agent.Status)},
				})
			}
		}
	},
}

type pluginAt struct{ plugin, node string }

// pluginInError matches messages of the CNI library with the plugin in the first group. Messages of the plugins themselves are in
// package components.
var pluginInError = []*lazyregexp.Regexp{
	lazyregexp.New(`plugin type="?([a-z-]{3,30})"? (?:failed|name=)`),
	lazyregexp.New(`/cni/net\.d/([0-9a-zA-Z._-]{3,60}\.conf(?:list)?)\b`),
}

// pluginsIn returns the plugins that an error names.
func pluginsIn(text string) []string {
	var out []string
	for _, re := range pluginInError {
		if g := re.FindStringSubmatch(text); g != nil {
			out = append(out, facts.PluginOf(g[1]))
		}
	}
	for _, c := range components.All() {
		if c.Errors != nil && c.Errors.MatchString(text) {
			out = append(out, c.Name)
		}
	}
	return out
}

// pluginsNamed returns the plugins that errors and configuration files name, with the evidence.
func pluginsNamed(p *triage.Pass) map[pluginAt]evidence.Ref {
	out := map[pluginAt]evidence.Ref{}
	add := func(plugin, node string, ref evidence.Ref) {
		if at := (pluginAt{plugin, node}); plugin != "" && out[at] == (evidence.Ref{}) {
			out[at] = ref
		}
	}
	for _, id := range []string{"cni-add-failed", "sandbox-create-failed", "cni-credentials-invalid", "cni-binary-missing", "cni-leftover-config", "cni-agent-crash"} {
		for _, m := range facts.Said(p, id) {
			for _, plugin := range pluginsIn(m.Ref.Text) {
				add(plugin, p.Snapshot.NodeOf(m.Subject), m.Ref)
			}
		}
	}
	facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
		if r.CNI != nil && len(r.CNI.Configs) > 0 {
			add(firstConfig(r.CNI.Configs), subject.Name, facts.ReportRef(r, r.CNI.Ref, r.CNI.ConfigDir, "%s", strings.Join(r.CNI.Configs, " ")))
		}
	})
	return out
}

// firstConfig returns the plugin of the configuration that the runtime takes: the first in lexical order.
func firstConfig(files []string) string {
	for _, f := range slices.Sorted(slices.Values(files)) {
		if strings.HasSuffix(f, ".conf") || strings.HasSuffix(f, ".conflist") {
			return facts.PluginOf(f)
		}
	}
	return ""
}
