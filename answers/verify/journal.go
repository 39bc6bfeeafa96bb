package verify

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// proven is how long nothing must have happened to count as quiet.
const proven = time.Minute

// newest returns the newest report of the node after the fix, or nil.
func (j *judge) newest() *nodereport.Report {
	var best *nodereport.Report
	for _, r := range j.Snapshot.Reports(j.Node) {
		if r.Kind == nodereport.Kind && (best == nil || r.TakenAt.After(best.TakenAt)) {
			best = r
		}
	}
	return best
}

// span is a time for which the logs of the node were read, or the reason if there is none.
type span struct {
	from, until time.Time
	missing     string
}

func (s span) long() time.Duration { return max(s.until.Sub(s.from), 0) }

// heard returns the time after the fix for which the logs of the node were read.
func (j *judge) heard() span {
	if j.Since.IsZero() {
		return span{missing: "the time of the evidence is unknown"}
	}
	if k := j.Snapshot.Kubelet(j.Node); k != nil && k.Config["enableSystemLogQuery"] == "true" && !j.gap("kubelet log of node/"+j.Node) {
		return span{from: j.Since, until: j.Now}
	}
	r := j.newest()
	if r == nil {
		return span{missing: "no log of this node was read"}
	}
	for _, l := range r.Logs {
		if tells(l.Source) {
			return span{from: latest(j.Since, l.Since), until: r.TakenAt}
		}
	}
	return span{missing: strings.TrimSuffix("the node report contains no kubelet log: "+gapIn(r, "journal"), ": ")}
}

// tells reports whether a kubelet without a journal writes to that log.
func tells(source string) bool {
	if source == "journal" {
		return true
	}
	switch name := path.Base(source); name {
	case "syslog", "messages", "daemon.log":
		return true
	default:
		return strings.HasPrefix(name, "kubelet")
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (j *judge) gap(what string) bool {
	for _, g := range j.Snapshot.Data().Gaps {
		if g.What == what {
			return true
		}
	}
	return false
}

func gapIn(r *nodereport.Report, what string) string {
	for _, g := range r.Gaps {
		if g.What == what {
			return g.Why
		}
	}
	return ""
}

func (j *judge) journal() Step {
	s := Step{ID: "journal", Title: "journal"}
	how := shell.Format("on the node: nodetriage node-check -o json > {node}.json; then copy the file to this machine and run: nodetriage verify {node} --report {node}.json", j.Node, j.Node, j.Node)
	heard := j.heard()
	grave, mild := j.messages()
	switch {
	case len(grave) > 0:
		s.Result, s.Detail, s.How = NotClear, said(grave), shell.Format("nodetriage diagnose {node}", j.Node)
	case heard.missing != "":
		return unseen(s.ID, s.Title, heard.missing, how)
	case heard.long() < proven:
		s = unseen(s.ID, s.Title, fmt.Sprintf("the log covers only %s after the fix", wording.Duration(heard.long())), "wait a minute and repeat")
		s.Soon = true
	case len(mild) > 0:
		s.Result, s.Detail, s.How = Warning, said(mild), shell.Format("nodetriage diagnose {node}", j.Node)
	default:
		s.Result, s.Detail = Clear, fmt.Sprintf("no error in %s", wording.Duration(heard.long()))
	}
	return s
}

// messages returns those of the node's logs since the fix, separated by whether they certainly name a cause.
func (j *judge) messages() (grave, mild []*evidence.Match) {
	for _, m := range j.Snapshot.Matches() {
		sig := j.Signatures.Lookup(m.Signature)
		if sig == nil || sig.Says == "" || !j.sinceFix(m) {
			continue
		}
		sure := j.Catalog.Cause(sig.Says) != nil && sig.Certainty != signatures.Possible && len(sig.With) == 0 && len(sig.Beside) == 0
		switch {
		case sure:
			grave = append(grave, m)
		case sig.Certainty != signatures.Possible || j.counts(sig.Says):
			mild = append(mild, m)
		}
	}
	return grave, mild
}

// sinceFix reports whether a message is from a log of the node after the fix, and not part of a normal start.
func (j *judge) sinceFix(m *evidence.Match) bool {
	dated := !m.Last.IsZero() || !m.First.IsZero()
	if m.Kind != evidence.TextLog || !dated || !j.ours(m.Subject) {
		return false
	}
	return !before(m, j.Since) && !ofStart(m)
}

// counts reports whether the rules found the cause or the symptom after the fix. For single log lines they know what ended the
// problem, and which lines are harmless.
func (j *judge) counts(says string) bool {
	if j.report == nil {
		return true
	}
	return slices.ContainsFunc(j.report.Findings, func(f triage.Finding) bool { return f.Cause == says }) ||
		slices.ContainsFunc(j.report.Symptoms, func(s triage.Symptom) bool { return s.ID == says })
}

// started matches messages that every healthy start of a kubelet prints, even if they mention missing objects (seen in the log
// of kubelet v1.36.3, testdata/kubelet-start.log).
var started = lazyregexp.New(`FLAG: --|"Started kubelet"|"Successfully registered node"|"Node was previously registered"` +
	`|PLEG is not healthy: pleg has yet to be successful|"Failed to get the kubelet's cgroup\. Kubelet system container metrics may be missing"`)

// ofStart reports whether the first and the last of the messages belong to a start, because a fix often ends with one.
func ofStart(m *evidence.Match) bool {
	return started.MatchString(m.Ref.Text) && (m.LastText == "" || started.MatchString(m.LastText))
}

// ours reports whether a message is about this node. One without a node is from a log of this node.
func (j *judge) ours(s evidence.Subject) bool {
	return s.IsZero() || j.Snapshot.NodeOf(s) == j.Node
}

func said(list []*evidence.Match) string {
	var names []string
	n := 0
	for i, m := range list {
		n += max(m.Count, 1)
		if i < 3 {
			names = append(names, m.Signature)
		}
	}
	if len(list) > 3 {
		names = append(names, fmt.Sprintf("%d more", len(list)-3))
	}
	return wording.Count(n, "line") + " since the fix: " + strings.Join(names, ", ")
}
