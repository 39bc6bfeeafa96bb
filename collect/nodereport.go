package collect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/collect/kubelets"
	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/wording"
)

// addNodeReport adds a report of the agent on a node, if the JSON is one.
func (b *Builder) addNodeReport(d document, raw []byte) bool {
	var r nodereport.Report
	if err := bounds.JSON(raw, &r); err != nil || !isNodeReport(&r) {
		return false
	}
	r.Source = d.name
	if b.room(2 * len(raw)) {
		b.Edit(func(*evidence.Data, *evidence.Templates) { b.brought(&r).path = d.path })
		b.AddReport(&r)
	}
	return true
}

func isNodeReport(r *nodereport.Report) bool {
	return r.Kind == nodereport.Kind && strings.HasPrefix(r.APIVersion, "nodetriage.dev/")
}

// reportSays marks text that comes from a report.
const reportSays = "the node report says: "

// AddReport adds the report of a node, and takes ownership of it. A report that was kept while the API server was away waits until
// all evidence is read.
func (b *Builder) AddReport(r *nodereport.Report) {
	if r.Away {
		b.Edit(func(*evidence.Data, *evidence.Templates) { b.away = append(b.away, r) })
		return
	}
	b.addQuoted(r)
	kubelet := reportedKubelet(r)
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		d.NodeReports = append(d.NodeReports, r)
		known := slices.ContainsFunc(d.Kubelets, func(k *evidence.Kubelet) bool { return k.Node == r.Node })
		if kubelet != nil && !known {
			d.Kubelets = append(d.Kubelets, kubelet)
			b.brought(r).kubelet = kubelet
		}
	})
	for _, g := range r.Gaps {
		if g.What != "units" && g.What != "runtime" { // separate rules report these
			b.Gap(strings.TrimSuffix(wording.Cut(g.What, maxName)+" of "+r.Node, " of "), reportSays+wording.Cut(g.Why, maxEvidence), cmp.Or(nodereport.HowToSee(g.What), "on the node: nodetriage node-check"))
		}
	}
}

// addQuoted matches the lines that the agent quotes again. The local signatures decide their meaning, not the version that wrote
// the report.
func (b *Builder) addQuoted(r *nodereport.Report) {
	var matches []*evidence.Match
	for _, m := range r.Messages {
		if found := b.reportedMatch(r, m); found != nil {
			matches = append(matches, found)
		}
	}
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		d.Matches = append(d.Matches, matches...)
		b.brought(r).matches = matches
	})
}

// keepToNodes changes the subject of matches about pods of another node to the node of the report. A node is only trusted for
// itself and its pods.
func (b *Builder) keepToNodes() {
	pods := podsByName(&b.data)
	for r, brought := range b.reports {
		for _, m := range brought.matches {
			if p := pods(m.Subject); p != nil && p.Node != "" && r.Node != "" && p.Node != r.Node {
				m.Subject = evidence.NodeSubject(r.Node)
			}
		}
	}
}

// reportedMatch returns the match of a quoted line, or nil if the local signature does not match it.
func (b *Builder) reportedMatch(r *nodereport.Report, m nodereport.Message) *evidence.Match {
	for _, t := range b.signatures.Match(maskedLine(m.Text), evidence.TextLog) {
		if t.Signature.ID != m.Signature {
			continue
		}
		t.Origin.Host = "" // the node is known
		out := match(t, strings.Trim(r.Source+": "+m.Source, ": "), evidence.TextLog, evidence.Subject{})
		if namespace, pod, ok := strings.Cut(m.Pod, "/"); ok {
			out.Subject = evidence.PodSubject(namespace, pod)
		} else if out.Subject.Kind != "Pod" && r.Node != "" {
			out.Subject = evidence.NodeSubject(r.Node)
		}
		if out.Speaker == logline.Unknown {
			out.Speaker = logline.SpeakerOf(m.Text, paste.FileSpeaker(m.Source))
		}
		if out.Channel = evidence.NodeReport; ofTenant(out.Subject) && m.Pod != "" {
			out.Hear(evidence.ApplicationLog)
		}
		out.Count, out.First, out.Last = max(m.Count, 1), m.First.UTC(), m.Last.UTC()
		out.Line, out.LastLine = m.Line, 0 // the agent does not report the last line number
		out.Until = r.TakenAt              // the agent reads its logs to their end
		out.LastText, out.Ref.ObservedAt, out.Ref.Locator = wording.Cut(m.LastText, maxEvidence), m.First.UTC(), ""
		if m.Line > 0 {
			out.Ref.Locator = fmt.Sprintf("line %d", m.Line)
		}
		return out
	}
	return nil
}

// reportedKubelet returns the kubelet metrics that the agent read. It has no responses of the kubelet to requests from outside,
// which other rules compare.
func reportedKubelet(r *nodereport.Report) *evidence.Kubelet {
	if r.Kubelet == nil || len(r.Kubelet.Series) == 0 || r.Node == "" {
		return nil
	}
	series, _ := kubelets.ReadMetrics(strings.NewReader(strings.Join(r.Kubelet.Series, "\n") + "\n"))
	r.Kubelet.Series = nil
	if len(series) == 0 {
		return nil
	}
	return &evidence.Kubelet{Node: r.Node, Metrics: series, TakenAt: r.TakenAt}
}
