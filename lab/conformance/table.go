//go:build unix

package conformance

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

var header = []string{"scenario", "pods", "fate right", "replacement right", "times inside", "widest interval / allowed"}

func (r *Result) row() []string {
	widest := r.Widest.Round(10*time.Millisecond).String() + " / " + r.Allowed.Round(10*time.Millisecond).String()
	if r.Err != nil {
		return []string{r.Name, "not played", "", "", "", ""}
	}
	name := r.Name
	if r.LostTurns > 0 {
		name += fmt.Sprintf(" (%d lost)", r.LostTurns)
	}
	if r.First != nil {
		name += " (again)"
	}
	if r.Strays > 0 {
		name += fmt.Sprintf(" (%d stray)", r.Strays)
	}
	return []string{
		name, fmt.Sprint(r.Pods), fmt.Sprintf("%d/%d", r.Fates, r.Pods), fmt.Sprintf("%d/%d", r.Replacements, r.Pods),
		fmt.Sprintf("%d/%d", r.Inside, r.Times), widest,
	}
}

// Table prints the results for a terminal.
func Table(w io.Writer, list []*Result) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, cells := range append([][]string{header}, rows(list)...) {
		for _, c := range cells {
			fmt.Fprint(out, c, "\t")
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

func rows(list []*Result) [][]string {
	var out [][]string
	for _, r := range list {
		if r != nil {
			out = append(out, r.row())
		}
	}
	return out
}

// Write writes the table to a page.
func Write(path string, list []*Result) error {
	return os.WriteFile(path, []byte(intro+totals(list)+table(list)), 0o644)
}

// totals returns a line with the number of right forecasts.
func totals(list []*Result) string {
	right, pods, times := 0, 0, 0
	for _, r := range list {
		if r == nil {
			continue
		}
		if pods, times = pods+r.Pods, times+r.Times; r.Right() {
			right++
		}
	}
	return fmt.Sprintf("%d of %d scenarios as predicted; %d pods, %d times.\n\n", right, len(list), pods, times)
}

// table returns the results in Markdown.
func table(list []*Result) string {
	var b strings.Builder
	titles := append([]string{"control plane", "what it shows"}, header[1:]...)
	fmt.Fprintf(&b, "| scenario | %s |\n|%s\n", strings.Join(titles, " | "), strings.Repeat(" --- |", len(titles)+1))
	for _, r := range list {
		if r != nil {
			cells := r.row()
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cells[0], r.Plane, r.Shows, strings.Join(cells[1:], " | "))
		}
	}
	return b.String()
}

var intro = `# Conformance

What ` + "`nodetriage predict`" + ` says against what Kubernetes does. Each scenario is played on a real control plane
(Kubernetes ` + strings.TrimPrefix(lab.KubernetesVersion, "v") + `: etcd, kube-apiserver, kube-controller-manager, kube-scheduler) with hollow nodes, which renew their
leases and end their pods as kubelets do. Before the event predict speaks, from what the API shows then; afterwards every
pod's fate and replacement and every time is compared. Times are those of the API, which are cut to seconds, or those at
which a watch told; a canary measures how late the control plane is, and what was seen may be as much later. No interval
may be wider than the mechanisms of Kubernetes leave open, which the last column names.

| control plane | its settings |
| --- | --- |
| short, restart, leader, dark | ` + "`" + shortManager + "`" + `, default tolerations of 10 s; timers are shortened only by flags of the components. In restart the controller manager is killed and started again, in leader another one stands by, in dark no node is left |
| busy | the same with the default rate of requests |
| defaults | nothing is set |

A lost turn delays the taint of a node by one turn of its zone (10 s): the controller's loop looked at the node before its
own cache had the news. Its log tells, and the busier the control plane, the more often. A stray is a node that gets its taint although its zone has stopped: the forecast says how many there may be, but
not which ones. Again: it was not as predicted while the others were played beside it, and was played once more alone.

` + "`make conformance`" + ` plays all of it and writes this page.

`
