package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/knowledge/shell"
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
	l := list{head: p.Head, next: nextForPods(p), narrow: "-n NAMESPACE, --node NODE, --not-running"}
	for _, g := range p.Groups {
		l.tables = append(l.tables, podGrid(g, len(p.Groups) > 1 && p.Total > screenRows, p.TakenAt))
	}
	all := wording.Count(p.Total, "pod")
	switch {
	case p.Verdict == triage.Unclear && p.Total == 0:
		l.says = "The evidence has no pods."
	case p.Verdict == triage.Unclear && p.NotRunning == 0:
		l.says = all + " in the evidence; there may be more" + completed
	case p.Total == 0 && p.Hidden > 0:
		l.says = noneMatch(p.Head, "pod")
	case p.Total == 0:
		l.says = "No pods found" + completed
	case p.NotRunning == 0:
		l.says = all + ", all running and ready" + completed + hiddenSays(p.Hidden, p.Filters)
	default:
		l.says = fmt.Sprintf("%d of %s not running or not ready%s%s", p.NotRunning, all, completed, hiddenSays(p.Hidden, p.Filters))
	}
	return l
}

// nextForPods explains the first pod that is not running.
func nextForPods(p *lists.Pods) shell.Text {
	if p.NotRunning == 0 || len(p.Groups) == 0 || len(p.Groups[0].Pods) == 0 {
		return ""
	}
	pod := p.Groups[0].Pods[0]
	return shell.Format("nodetriage why {pod} -n {namespace}", pod.Name, pod.Namespace)
}

const completed = " (without completed pods)"

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
	return budgetList(cleaned(b)).writeHTML(w, "PodDisruptionBudgets", version)
}

func budgetList(b *lists.Budgets) list {
	t := grid{columns: []column{
		{"PDB", always}, {"REQUIRES", always}, {"ALLOWED", always}, {"HEALTHY", 1}, {"BLOCKS", 2}, {"DESIRED", 3}, {"PODS", 4}, {"SELECTOR", 5},
	}}
	for _, x := range b.Budgets {
		t.rows = append(t.rows, gridRow{
			cells: []string{
				x.Namespace + "/" + x.Name, requires(x), strconv.Itoa(x.Allowed), healthySays(x), none(strings.Join(x.Holds, ", ")), known(x.Desired),
				known(x.Pods), dash(x.Selector),
			},
			brief: countOf(4, x.Holds, "node"),
			odd:   x.Odd,
		})
	}
	return list{head: b.Head, says: found(b.Head, t, "PodDisruptionBudget"), next: nextForBudgets(b), tables: withRows(t), narrow: "-n NAMESPACE, --node NODE, --problems"}
}

// nextForBudgets shows how to drain a node that the first PodDisruptionBudget with a problem blocks, or that PodDisruptionBudget.
func nextForBudgets(b *lists.Budgets) shell.Text {
	for _, x := range b.Budgets {
		switch {
		case len(x.Holds) > 0:
			return shell.Format("nodetriage drain {node} --plan", x.Holds[0])
		case len(x.Odd) > 0:
			return shell.Format("kubectl describe pdb -n {namespace} {pdb}", x.Namespace, x.Name)
		}
	}
	return ""
}

// requires returns the field of the PodDisruptionBudget that limits evictions.
func requires(x lists.Budget) string {
	switch {
	case x.MinAvailable != "":
		return "minAvailable " + x.MinAvailable
	case x.MaxUnavailable != "":
		return "maxUnavailable " + x.MaxUnavailable
	}
	return "-"
}

// countOf returns the short form of a cell that lists names: how many there are.
func countOf(column int, names []string, noun string) map[int]string {
	if len(names) == 0 {
		return nil
	}
	return map[int]string{column: wording.Count(len(names), noun)}
}

// told reports whether a cell has a value.
func told(cell string) bool { return cell != "" && cell != "-" && cell != none("") }

// none shows an empty value like kubectl. A dash is a value that is not in the evidence.
func none(s string) string {
	return cmp.Or(s, "<none>")
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
	t := grid{columns: []column{
		{"DAEMONSET", always}, {"DESIRED", always}, {"CURRENT", 3}, {"READY", always}, {"UPDATED", 4}, {"AVAILABLE", 2}, {"NO POD ON", 1},
	}}
	for _, x := range d.DaemonSets {
		t.rows = append(t.rows, gridRow{
			cells: []string{
				x.Namespace + "/" + x.Name, strconv.Itoa(x.Desired), strconv.Itoa(x.Current), strconv.Itoa(x.Ready), strconv.Itoa(x.Updated),
				strconv.Itoa(x.Available), none(strings.Join(x.Missing, ", ")),
			},
			brief: countOf(6, x.Missing, "node"),
			odd:   x.Odd,
		})
	}
	return list{head: d.Head, says: found(d.Head, t, "DaemonSet"), tables: withRows(t), narrow: "-n NAMESPACE, --node NODE, --problems"}
}

func withRows(t grid) []grid {
	if len(t.rows) == 0 {
		return nil
	}
	return []grid{t.oddFirst()}
}
