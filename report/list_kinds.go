package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Pods writes the pods that are not running for a terminal.
func Pods(w io.Writer, p *lists.Pods, style Style) error {
	return podList(cleaned(p)).writeText(w, style)
}

// PodsMarkdown writes them for a ticket.
func PodsMarkdown(w io.Writer, p *lists.Pods) error { return podList(cleaned(p)).writeMarkdown(w) }

// PodsHTML writes them as one self-contained page.
func PodsHTML(w io.Writer, p *lists.Pods, version string) error {
	return podList(cleaned(p)).writeHTML(w, "pods", version)
}

func podList(p *lists.Pods) list {
	l := list{head: p.Head, narrow: "-n NAMESPACE, --node NODE, --not-running; -o wide lists each pod"}
	for _, g := range p.Groups {
		l.tables = append(l.tables, podGrid(g, len(p.Groups) > 1 && p.Total > screenRows, p.TakenAt))
	}
	switch {
	case p.Verdict == triage.Unclear && p.Total == 0:
		l.says = "The evidence has no pods."
	case p.Verdict == triage.Unclear && p.NotRunning == 0:
		l.says = wording.Count(p.Total, "pod") + " in the evidence, and there may be more; those that ended well are left out"
	case p.NotRunning == 0:
		l.says = fmt.Sprintf("%s, all run and are ready; those that ended well are left out", wording.Count(p.Total, "pod"))
	default:
		l.says = fmt.Sprintf("%d of %s do not run, or are not ready", p.NotRunning, wording.Count(p.Total, "pod"))
	}
	return l
}

func ageOf(t, now *time.Time) string {
	if t == nil || now == nil {
		return "-"
	}
	return wording.Duration(now.Sub(*t))
}

// Budgets writes PodDisruptionBudgets for a terminal.
func Budgets(w io.Writer, b *lists.Budgets, style Style) error {
	return budgetList(cleaned(b)).writeText(w, style)
}

// BudgetsMarkdown writes them for a ticket.
func BudgetsMarkdown(w io.Writer, b *lists.Budgets) error {
	return budgetList(cleaned(b)).writeMarkdown(w)
}

// BudgetsHTML writes them as one self-contained page.
func BudgetsHTML(w io.Writer, b *lists.Budgets, version string) error {
	return budgetList(cleaned(b)).writeHTML(w, "disruption budgets", version)
}

func budgetList(b *lists.Budgets) list {
	t := grid{names: []string{"BUDGET", "WANTS", "HEALTHY", "KEEPS", "ALLOWED", "PODS", "HOLDS", "SELECTOR"}, wide: 1}
	for _, x := range b.Budgets {
		t.rows = append(t.rows, gridRow{
			cells: []string{
				x.Namespace + "/" + x.Name, dash(x.Wants), healthySays(x), known(x.Desired),
				strconv.Itoa(x.Allowed), known(x.Pods), dash(wording.Some(x.Holds)), dash(x.Selector),
			},
			brief: budgetBrief(x),
			odd:   x.Odd,
		})
	}
	return list{head: b.Head, says: found(b.Head, t, "budget"), tables: withRows(t), narrow: "-n NAMESPACE, --node NODE, --odd"}
}

// budgetBrief returns the short cells of a PodDisruptionBudget: "max 1" after the name of the field, and how many nodes it
// blocks.
func budgetBrief(x lists.Budget) map[int]string {
	out := map[int]string{1: strings.TrimSuffix(strings.NewReplacer("at least ", "min ", "at most ", "max ").Replace(dash(x.Wants)), " away")}
	if len(x.Holds) > 1 {
		out[6] = wording.Count(len(x.Holds), "node")
	}
	return out
}

// healthySays returns how many of its pods are healthy, as the disruption controller counted.
func healthySays(b lists.Budget) string {
	if b.Healthy == nil || b.Expected == nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d", *b.Healthy, *b.Expected)
}

func known(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// DaemonSets writes the DaemonSets for a terminal.
func DaemonSets(w io.Writer, d *lists.DaemonSets, style Style) error {
	return daemonSetList(cleaned(d)).writeText(w, style)
}

// DaemonSetsMarkdown writes them for a ticket.
func DaemonSetsMarkdown(w io.Writer, d *lists.DaemonSets) error {
	return daemonSetList(cleaned(d)).writeMarkdown(w)
}

// DaemonSetsHTML writes them as one self-contained page.
func DaemonSetsHTML(w io.Writer, d *lists.DaemonSets, version string) error {
	return daemonSetList(cleaned(d)).writeHTML(w, "DaemonSets", version)
}

func daemonSetList(d *lists.DaemonSets) list {
	t := grid{names: []string{"DAEMONSET", "DESIRED", "CURRENT", "READY", "UPDATED", "AVAILABLE", "MISSING ON"}, wide: 1}
	for _, x := range d.DaemonSets {
		t.rows = append(t.rows, gridRow{
			cells: []string{
				x.Namespace + "/" + x.Name, strconv.Itoa(x.Desired), strconv.Itoa(x.Current), strconv.Itoa(x.Ready), strconv.Itoa(x.Updated),
				strconv.Itoa(x.Available), dash(strings.Join(x.Missing, ", ")),
			},
			odd: x.Odd,
		})
	}
	return list{head: d.Head, says: found(d.Head, t, "DaemonSet"), tables: withRows(t), narrow: "-n NAMESPACE, --node NODE, --odd"}
}

func withRows(t grid) []grid {
	if len(t.rows) == 0 {
		return nil
	}
	return []grid{t.oddFirst()}
}
