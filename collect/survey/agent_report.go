package survey

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/kube"
)

const (
	// agentReport is where the agent leaves its report, as the kubelet serves it: below /var/log. Beside it is what it
	// kept while the API server did not answer.
	agentReport = "/logs/nodetriage/report.json"
	agentAway   = "/logs/nodetriage/away.json"
)

// report reads what the agent on the node left, if one runs there. That there is none is nothing to tell.
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
