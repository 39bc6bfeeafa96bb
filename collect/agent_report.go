package collect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/nodereport"
)

const (
	// agentReport is where the agent leaves its report, as the kubelet serves it: below /var/log.
	agentReport    = "/logs/nodetriage/report.json"
	maxAgentReport = 4 << 20
	// staleReport is the age from which a report says nothing of how the node is now: the agent looks every two minutes.
	staleReport = 15 * time.Minute
)

// report reads what the agent on the node left, if one runs there. That there is none is nothing to tell.
func (p *probe) report(ctx context.Context) {
	_ = p.survey.reader.NodeProxy(ctx, p.node, agentReport, p.survey.opt.ProbeTimeout, maxAgentReport, func(a kube.NodeAnswer) error {
		if a.Status == http.StatusOK {
			p.survey.builder.addAgentReport(p.node, p.survey.reader.ServerTime(), a.Body)
		}
		return nil
	})
}

// addAgentReport adds the report of the agent on that node. A report that is old by the API server's clock is a gap: it
// says nothing of how the node is now.
func (b *Builder) addAgentReport(node string, now time.Time, body io.Reader) {
	var r nodereport.Report
	err := json.NewDecoder(io.LimitReader(body, maxAgentReport)).Decode(&r)
	if err != nil || r.Kind != nodereport.Kind || !strings.HasPrefix(r.APIVersion, "nodetriage.dev/") {
		return
	}
	if age := now.Sub(r.TakenAt); age > staleReport {
		b.Gap("agent report of node/"+node, fmt.Sprintf("it is %s old: the agent does not run any more, or cannot write", age.Round(time.Minute)),
			"on the node: nodetriage node-check")
		return
	}
	r.Node, r.Source = node, "agent on node/"+node // the way that it came is surer than what it says
	b.AddReport(&r)
}
