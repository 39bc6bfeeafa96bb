package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits for the duration of a disk request. A healthy disk takes milliseconds, a throttled one tens of them.
const (
	slowRequest  = 500 * time.Millisecond
	fewRequests  = 5 // fewer may be a single delay
	watchedLong  = 900 * time.Millisecond
	recentErrors = time.Hour
)

// deadStates are driver states of a device that no longer accepts requests; troubledStates are those of a device in recovery.
var (
	deadStates     = []string{"offline", "transport-offline", "dead", "deleting", "deleting (no IO)"}
	troubledStates = []string{"blocked", "resetting", "connecting", "quiesce"}
)

// Devices checks block devices: those that their drivers gave up, slow ones, and errors recorded by file systems and arrays.
var Devices = &triage.Rule{
	ID:    "report-devices",
	Doc:   "Reads the state and latency of block devices, and the errors that file systems and arrays recorded.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, d := range r.Devices {
				judgeDevice(p, subject, r, d)
			}
			for _, e := range r.DiskErrors {
				judgeDiskError(p, subject, r, e)
			}
		})
	},
}

func judgeDevice(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, d nodereport.Device) {
	c := triage.Claim{Subject: subject, Key: d.Name, Evidence: []evidence.Ref{facts.ReportRef(r, d.Ref, "/sys/block/"+d.Name, "%s", d.State)}}
	on := ""
	if len(d.Mounts) > 0 {
		on = " (" + strings.Join(d.Mounts, ", ") + ")"
	}
	switch {
	case slices.Contains(deadStates, d.State):
		c.Says, c.Certainty = "disk-hardware-failure", triage.Likely
		c.Summary = fmt.Sprintf("the kernel has taken disk %s%s offline (%s)", d.Name, on, d.State)
		if on == "" {
			c.Certainty, c.Severity = triage.Possible, catalog.Warning
		}
	case slices.Contains(troubledStates, d.State):
		c.Says, c.Certainty, c.Severity = "disk-hardware-failure", triage.Possible, catalog.Warning
		c.Summary = fmt.Sprintf("the kernel is recovering disk %s%s (%s)", d.Name, on, d.State)
	case on != "" && stalled(d):
		c.Says = "slow-disk"
		c.Summary = fmt.Sprintf("disk %s%s completed none of %d I/O requests within %s", d.Name, on, d.InFlight, wording.Duration(d.Window))
	case on != "" && d.Done >= fewRequests && d.Waited >= slowRequest:
		c.Says = "slow-disk"
		c.Summary = fmt.Sprintf("an I/O request to disk %s%s takes %s", d.Name, on, d.Waited.Round(time.Millisecond))
	default:
		return
	}
	p.Found(c)
}

// stalled reports whether a device was busy with requests as long as it was observed, and completed none.
func stalled(d nodereport.Device) bool {
	return d.Window >= watchedLong && d.Done == 0 && d.InFlight > 0 && d.Busy >= d.Window*9/10
}

func judgeDiskError(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, e nodereport.DiskError) {
	if e.Count == 0 {
		return
	}
	c := triage.Claim{
		Says: "disk-hardware-failure", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "errors of " + e.Device, Since: e.First,
		Evidence: []evidence.Ref{facts.ReportRef(r, e.Ref, e.Kind+" "+e.Device, "%d errors", e.Count)},
		Summary:  fmt.Sprintf("the %s file system on %s has recorded %s", e.Kind, e.Device, wording.Count(int(e.Count), "error")),
	}
	if e.Kind == "md" {
		c.Certainty, c.Summary = triage.Likely, fmt.Sprintf("array %s is degraded: a disk is missing (%s)", e.Device, e.Where)
	}
	now := facts.TimeOf(p, r)
	switch {
	case e.Last.IsZero():
	case now.Sub(e.Last) <= recentErrors:
		c.Severity = ""
		c.Summary += ", the last one at " + clock(e.Last)
	default:
		c.Severity = catalog.Info
		c.Summary += fmt.Sprintf(", the last one %s ago", wording.Duration(now.Sub(e.Last)))
	}
	p.Found(c)
}
