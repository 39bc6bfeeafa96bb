package survey

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

const (
	// agentFolder is the folder of the agent, served by the kubelet below /var/log. It holds the report and what the agent kept
	// while the API server was unreachable.
	agentFolder = "/logs/nodetriage/"
	agentReport = agentFolder + "report.json"
	agentAway   = agentFolder + "away.json"
)

// peerReports reads the reports of healthy peer nodes, from the pools of nodes whose report includes the setup.
func (s *survey) peerReports(ctx context.Context) {
	var told, list []string
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, r := range d.NodeReports {
			if r.Setup != nil {
				told = append(told, r.Node)
			}
		}
		for _, name := range told {
			list = append(list, peersOf(d, name, told)...)
		}
	})
	var wait sync.WaitGroup
	for _, name := range unique(list) {
		wait.Go(func() {
			_ = s.reader.NodeProxy(ctx, name, agentReport, s.opt.ProbeTimeout, collect.MaxAgentReport, func(a kube.NodeAnswer) error {
				if a.Status == http.StatusOK {
					s.builder.AddPeerReport(name, s.reader.ServerTime(), a.Body)
				}
				return nil
			})
		})
	}
	wait.Wait()
}

// peersOf returns the first healthy nodes of the node's pool that are not in asked.
func peersOf(d *evidence.Data, name string, asked []string) []string {
	pool := func(n *evidence.Node) string { _, pool := n.PoolLabel(); return pool }
	i := slices.IndexFunc(d.Nodes, func(n *evidence.Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	var out []string
	for _, o := range d.Nodes {
		if !slices.Contains(asked, o.Name) && pool(o) == pool(d.Nodes[i]) && healthy(o.Node) {
			out = append(out, o.Name)
		}
	}
	slices.Sort(out)
	return out[:min(len(out), peerReports)]
}

// report reads the files of the agent on the node. A missing agent is no gap.
func (p *probe) report(ctx context.Context) {
	read := func(path string, add func(string, time.Time, io.Reader)) {
		_ = p.survey.reader.NodeProxy(ctx, p.node, path, p.survey.opt.ProbeTimeout, collect.MaxAgentReport, func(a kube.NodeAnswer) error {
			if a.Status == http.StatusOK {
				add(p.node, p.survey.reader.ServerTime(), a.Body)
			}
			return nil
		})
	}
	read(agentReport, p.survey.builder.AddAgentReport)
	read(agentAway, p.survey.builder.AddAgentPast)
}
