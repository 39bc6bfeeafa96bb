package alertwebhook

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// The bounds of a message.
const (
	maxNodes     = 10  // names
	maxWorkloads = 5   // names
	maxText      = 600 // bytes of one text
	maxMessages  = 10  // of one batch; more causes than that at once are one fault of the cluster
)

// Message says why nodes are unhealthy. Texts of the cluster in it are bounded, without secrets and control characters.
type Message struct {
	Cluster   string     `json:"cluster"`
	Nodes     []string   `json:"nodes"` // the first of them
	Count     int        `json:"count"` // of nodes
	Verdict   string     `json:"verdict"`
	Cause     string     `json:"cause,omitempty"` // ID; empty: unknown
	Title     string     `json:"title,omitempty"` // of the cause
	Certainty string     `json:"certainty,omitempty"`
	Summary   string     `json:"summary,omitempty"`
	Since     *time.Time `json:"since,omitempty"`
	Workloads []string   `json:"workloads,omitempty"` // with fewer ready pods than desired; the first of them
	Together  bool       `json:"together,omitempty"`  // the nodes fail for one reason
	Avoid     []string   `json:"avoid,omitempty"`     // what not to do
	Next      shell.Text `json:"next"`                // command
	Stale     string     `json:"stale,omitempty"`     // why the evidence may be out of date

	all []string // nodes
}

// messages returns what to say about nodes with alerts: one message for each group, for each cause of other nodes, and for those without
// a cause.
func messages(cluster string, j *engine.Judgement, nodes []string) []Message {
	by := map[string]*Message{}
	for _, name := range nodes {
		group := j.GroupOf(name)
		status := j.Node(name)
		key := keyOf(&status, group)
		switch known := by[key]; {
		case known == nil:
			by[key] = about(j, name, &status, group)
		case group == nil: // a group has all its nodes already
			known.all = append(known.all, name)
		}
	}
	keys := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(-cmp.Compare(len(by[a].all), len(by[b].all)), cmp.Compare(a, b))
	})
	var out []Message
	for _, key := range keys[:min(len(keys), maxMessages)] {
		m := by[key]
		slices.Sort(m.all)
		m.Nodes, m.Count = m.all[:min(len(m.all), maxNodes)], len(m.all)
		m.Cluster, m.Next = cluster, shell.Format("nodetriage diagnose {node}", m.Nodes[0])
		out = append(out, *m)
	}
	return out
}

// keyOf returns what the messages about several nodes have in common if they are one message.
func keyOf(status *v1alpha1.NodeDiagnosisStatus, group *engine.Group) string {
	switch {
	case group != nil:
		return "group " + group.Nodes[0]
	case status.Primary != nil:
		return "cause " + status.Primary.Cause
	}
	return "verdict " + string(status.Verdict)
}

// about returns the message about one node, or about the group that it fails with.
func about(j *engine.Judgement, name string, status *v1alpha1.NodeDiagnosisStatus, group *engine.Group) *Message {
	m := &Message{all: []string{name}, Verdict: string(status.Verdict)}
	if status.Since != nil {
		m.Since = &status.Since.Time
	}
	if j.Blind != nil {
		m.Stale = text(j.Blind.Message)
	}
	if p := status.Primary; p != nil {
		m.Cause, m.Title, m.Certainty, m.Summary = p.Cause, p.Title, string(p.Certainty), p.Summary
	}
	if group != nil {
		m.all, m.Together = slices.Clone(group.Nodes), true
		m.fill(j.Report)
		return m
	}
	report, is := j.ReportOf(name)
	if !is {
		report = j.Report
	}
	m.fill(report)
	return m
}

// fill adds what a report says about the cause and the workloads.
func (m *Message) fill(r *triage.Report) {
	if i := slices.IndexFunc(r.Findings, func(f triage.Finding) bool { return f.Cause == m.Cause }); i >= 0 {
		for _, c := range shell.Strings(r.Findings[i].Cautions) {
			m.Avoid = append(m.Avoid, text(c))
		}
	}
	if m.Together {
		m.Avoid = append([]string{"Do not repair or replace these nodes one by one: they fail for one reason."}, m.Avoid...)
	}
	if r.Impact == nil {
		return
	}
	for _, w := range r.Impact.Workloads[:min(len(r.Impact.Workloads), maxWorkloads)] {
		m.Workloads = append(m.Workloads, text(fmt.Sprintf("%s %d/%d ready", w.Subject, w.Ready, w.Desired)))
	}
	if more := len(r.Impact.Workloads) - maxWorkloads; more > 0 {
		m.Workloads = append(m.Workloads, fmt.Sprintf("and %d more", more))
	}
}

// text returns a text of the evidence for people's screens.
func text(s string) string {
	return wording.Cut(strings.Map(wording.Printable, redact.New(false).Text(strings.ToValidUTF8(s, "\uFFFD"))), maxText)
}

// Heading is the message in one line.
func (m *Message) Heading() string {
	who := "node " + m.Nodes[0]
	if m.Count > 1 {
		who = fmt.Sprintf("%d nodes", m.Count)
	}
	switch {
	case m.Cause != "":
	case m.Verdict == string(v1alpha1.VerdictClear):
		return who + ": no fault found"
	default:
		return who + ": cause unknown"
	}
	return fmt.Sprintf("%s: %s (%s, %s)", who, cmp.Or(m.Title, m.Cause), m.Cause, m.Certainty)
}

// Lines are the rest of the message.
func (m *Message) Lines() []string {
	var out []string
	add := func(label, value string) {
		if value != "" {
			out = append(out, label+": "+value)
		}
	}
	add("Cluster", m.Cluster)
	if m.Count > 1 {
		names := strings.Join(m.Nodes, ", ")
		if more := m.Count - len(m.Nodes); more > 0 {
			names += fmt.Sprintf(", and %d more", more)
		}
		add("Nodes", names)
	}
	add("Why", m.Summary)
	if m.Since != nil {
		add("Since", m.Since.UTC().Format("2006-01-02 15:04:05 MST"))
	}
	add("Workloads", strings.Join(m.Workloads, "; "))
	for _, a := range m.Avoid {
		add("Caution", a)
	}
	add("Evidence may be out of date", m.Stale)
	add("Next", string(m.Next))
	return out
}
