package main

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Commands of a finding contain no placeholder whose value the evidence shows: over all cases, each placeholder is compared
// with the subjects of the finding and its consequences, and with objects that exist only once.
func TestCommandsAreFilled(t *testing.T) {
	t.Parallel()
	k := builtinKnowledge(t)
	recorded, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	var lock sync.Mutex
	commands, open := 0, map[string]int{}
	t.Run("cases", func(t *testing.T) {
		for _, c := range ofToday(recorded, 6) {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				b := collect.NewBuilder(evidence.Source{Kind: "case", Name: c.Name}, k.Signatures)
				if err := b.AddFS(c.Evidence); err != nil {
					t.Fatal(err)
				}
				s := b.Snapshot()
				r := k.Judge(s, time.Time{})
				for i := range r.Findings {
					f := &r.Findings[i]
					known := knownOf(s, r, f, k.Catalog.Cause(f.Cause))
					for _, command := range commandsOf(f) {
						lock.Lock()
						commands++
						lock.Unlock()
						for name, value := range known {
							if strings.Contains(command, "<"+name+">") && shell.Plain(value) {
								t.Errorf("%s: %s: <%s> is %s", f.Cause, command, name, value)
								lock.Lock()
								open[name]++
								lock.Unlock()
							}
						}
					}
				}
			})
		}
	})
	t.Logf("%d commands, open that need not be: %v", commands, open)
}

func commandsOf(f *triage.Finding) (out []string) {
	for _, m := range f.Remedies {
		out = append(out, shell.Strings(m.Commands)...)
	}
	for _, c := range f.Confirm {
		out = append(out, string(c.Run))
	}
	return out
}

// knownOf returns the placeholder values that the evidence of a finding shows.
func knownOf(s *evidence.Snapshot, r *triage.Report, f *triage.Finding, cause *catalog.Cause) map[string]string {
	known := map[string]string{}
	about := slices.Concat([]evidence.Subject{f.Subject}, f.Subjects)
	var nodes []string
	for _, y := range r.Symptoms {
		if y.ExplainedBy == f.Cause && y.Subject.Kind == "Node" {
			about = append(about, y.Subject)
		}
	}
	for _, x := range about {
		switch {
		case x.Kind == "Node" && x.Name != "" && !slices.Contains(nodes, x.Name):
			nodes = append(nodes, x.Name)
		case x.Kind == "Pod" && cause.Scope == "pod" && known["pod"] == "":
			known["pod"], known["namespace"] = x.Name, x.Namespace
		case x.Kind == "Pool":
			known["pool"] = x.Name
		}
	}
	if all := s.Nodes(); len(nodes) == 0 && len(all) == 1 && cause.Scope == "node" {
		nodes = append(nodes, all[0].Name)
	}
	if len(nodes) == 1 {
		known["node"] = nodes[0]
		if n := s.Node(nodes[0]); n != nil {
			_, known["pool"] = n.PoolLabel()
			if p := catalog.ProviderOf(n.Spec.ProviderID); p != nil {
				for name, value := range p.Names(n.Spec.ProviderID) {
					known[name] = value
				}
			}
			var agents []*evidence.Pod
			for _, p := range s.PodsOn(n.Name) {
				if facts.NetworkAgent(p.Name) != "" {
					agents = append(agents, p)
				}
			}
			if len(agents) == 1 {
				known["agent-pod"] = agents[0].Name
			}
		}
	}
	for _, m := range evidence.CloudOf[*evidence.CloudMachine](s.Data()) {
		if len(nodes) == 1 && m.Host == nodes[0] && s.Node(m.Host) == nil {
			for _, p := range catalog.Providers() {
				for name, value := range p.Names(clouds.Named(p.Name).Schemes[0] + "://" + m.ID) {
					known[name] = value
				}
			}
		}
	}
	if budgets := s.Data().PDBs; len(budgets) == 1 && strings.Contains(f.Cause, "pdb") {
		known["pdb"] = budgets[0].Name
	}
	if clusters := evidence.CloudOf[*evidence.CloudCluster](s.Data()); len(clusters) == 1 {
		for _, p := range catalog.Providers() {
			for name, value := range p.Names(clusters[0].ID) {
				known[name] = value
			}
		}
	}
	return known
}
