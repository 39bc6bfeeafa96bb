package collect

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	MaxAgentReport = 4 << 20
	// staleReport is the age from which a report no longer shows the current state of the node. The agent checks every two
	// minutes.
	staleReport = 15 * time.Minute
	// pastReport is the age from which past reports of a node are ignored.
	pastReport = 24 * time.Hour
	maxPast    = 12 // as many as an agent keeps
	// maxSavedText bounds the text that an agent reports about an archive, in bytes.
	maxSavedText = 200
)

// AddAgentReport adds the report of the agent on a node. A report that is old by the API server's clock becomes a gap: it does not
// show the current state of the node.
func (b *Builder) AddAgentReport(node string, now time.Time, body io.Reader) {
	var r nodereport.Report
	err := bounds.ReadJSON(body, MaxAgentReport, &r)
	if err != nil || !isNodeReport(&r) {
		return
	}
	if age := now.Sub(r.TakenAt); age > staleReport {
		b.Gap("agent report of node/"+node, fmt.Sprintf("it is %s old: the agent is no longer running, or cannot write", wording.Duration(age)),
			"on the node: nodetriage node-check")
		return
	}
	b.Edit(func(*evidence.Data, *evidence.Templates) { b.brought(&r).claimed = r.Node })
	r.Node, r.Source, r.Away, r.Earlier = node, "agent on node/"+node, false, nil // the path of the report is more reliable than its content
	b.AddReport(&r)
}

// AddPeerReport adds the setup that the agent on a healthy node reports, to compare other nodes with. Logs and gaps of that report
// are ignored. A stale or invalid report is ignored.
func (b *Builder) AddPeerReport(node string, now time.Time, body io.Reader) {
	var r nodereport.Report
	err := bounds.ReadJSON(body, MaxAgentReport, &r)
	if err != nil || !isNodeReport(&r) || r.Setup == nil || now.Sub(r.TakenAt) > staleReport {
		return
	}
	r.Node, r.Source, r.Away, r.Earlier = node, "agent on node/"+node, false, nil
	r.Messages, r.Logs, r.Gaps = nil, nil, nil
	b.AddReport(&r)
}

// SavedOf returns the archives that an agent reports to keep. Secrets are replaced. The file names are not validated yet.
func SavedOf(body io.Reader) []nodereport.Saved {
	var r nodereport.Report
	if err := bounds.ReadJSON(body, MaxAgentReport, &r); err != nil || !isNodeReport(&r) {
		return nil
	}
	out := r.Saved[:min(len(r.Saved), nodereport.KeptSaved)]
	for i := range out {
		out[i].File = wording.Cut(out[i].File, maxSavedText)
		out[i].Why = wording.Cut(redact.New(false).Text(out[i].Why), maxSavedText)
	}
	return out
}

// AddAgentPast adds the reports of the last day that the agent kept while the API server was unreachable.
func (b *Builder) AddAgentPast(node string, now time.Time, body io.Reader) {
	reports := json.NewDecoder(io.LimitReader(body, MaxAgentReport))
	for range maxPast {
		var raw json.RawMessage
		if err := reports.Decode(&raw); err != nil {
			return // the end, or a line that was cut off
		}
		var r nodereport.Report
		if bounds.JSON(raw, &r) != nil {
			return
		}
		if age := now.Sub(r.TakenAt); !isNodeReport(&r) || age < 0 || age > pastReport {
			continue
		}
		r.Node, r.Source, r.Away, r.Earlier = node, "agent on node/"+node+", kept for later", true, nil
		b.AddReport(&r)
	}
}
