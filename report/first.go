package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// What a form of a part gives up if the next shorter form replaces it, the least important first.
const (
	keepNames    = iota + 1 // names in the last rows, where counts remain
	keepChanges             // what changed before, and what differs from healthy nodes
	keepGaps                // the command that shows what was not checked
	keepThird               // the third piece of evidence
	keepFixes               // a second fix with its commands
	keepProofs              // evidence of findings after the first
	keepEffects             // consequences
	keepBlank               // the empty rows between parts
	keepSecond              // the second piece of evidence
	keepVerify              // a long proof of success
	keepNext                // commands of findings after the first
	keepTitles              // titles of findings after the first
	keepImpact              // a second row of the impact, and of what not to do
	keepSummary             // a second row of the summary
	keepCounts              // counts in the last rows
	keepLong                // a third row of the decisive line
	keepCheck               // the command that confirms a cause, if a fix remains
	keepBrief               // more than two rows of the decisive line
	keepCommands            // the commands of the first fix
	keepCause               // what was found
)

// labelColumns is where texts begin after a label, and details below it.
const (
	labelColumns  = 8
	detailColumns = 2
	codeColumns   = 5
)

// firstPage writes the screen that people see first: the verdict, the impact, the first cause with its decisive evidence, its fix,
// what not to do, and one line or one count for everything else.
type firstPage struct {
	style Style
	r     *diagnosis
	parts []part
}

// firstScreen writes the report in at most rowsOfScreen rows.
func firstScreen(w io.Writer, r *diagnosis, style Style) error {
	f := &firstPage{style: style, r: r}
	f.head()
	f.impact()
	if !r.answered {
		f.standsOut()
	}
	if len(r.Findings) > 0 {
		f.cause(&r.Findings[0])
		f.check(&r.Findings[0])
		f.fix(&r.Findings[0])
		f.others()
	}
	f.symptoms()
	if r.answered {
		f.standsOut()
	}
	f.around()
	f.tail()
	_, err := io.WriteString(w, strings.Join(fitParts(f.parts, style.height(), style.width()), "\n")+"\n")
	return err
}

// add adds a part with its forms.
func (f *firstPage) add(forms ...form) {
	if len(forms) > 0 && len(forms[0].rows) > 0 {
		f.parts = append(f.parts, forms)
	}
}

// gap adds an empty row before the next part, unless rows are short.
func (f *firstPage) gap() { f.add(form{[]string{""}, keepBlank}, form{}) }

func (f *firstPage) head() {
	r := f.r
	rows := strings.Split(f.style.verdict(r.verdict)+"  "+wording.WrapFrom(r.about(sourceName(r.Source)), len(r.verdict)+2, f.style.width(), strings.Repeat(" ", labelColumns)), "\n")
	if len(r.Findings) == 0 {
		rows = append(rows, strings.Split(wording.Wrap(r.noCause, f.style.width(), ""), "\n")...)
	}
	if r.inPart != "" {
		rows = append(rows, strings.Split(wording.Wrap(r.inPart, f.style.width(), ""), "\n")...)
	}
	f.add(form{rows: rows})
}

// longSource is the length of a source from which only the last part of its path is shown.
const longSource = 40

// sourceName returns the source of a report without the folders of a long path.
func sourceName(source string) string {
	kind, path, ok := strings.Cut(source, " ")
	if !ok || len(source) <= longSource || !strings.Contains(path, "/") || kind == "cluster" {
		return source
	}
	path = strings.TrimSuffix(path, "/")
	return kind + " " + path[strings.LastIndex(path, "/")+1:]
}

// nodesSay returns the states of the nodes: of one node with its versions, of several with their counts.
func nodesSay(i *triage.Impact, now *time.Time) string {
	switch {
	case i == nil || len(i.Nodes) == 0:
		return ""
	case i.Node != nil:
		n := i.Node
		out := n.State
		if d := sinceShort(n.Since, now); d != "" {
			out += " for " + d
		}
		return joined(", ", out, version("kubelet", n.Kubelet), n.Runtime)
	}
	total := 0
	var states []string
	for _, s := range i.Nodes {
		total += s.Count
		states = append(states, fmt.Sprint(s.Count, " ", s.State))
	}
	if len(states) == 1 {
		return wording.Count(total, "node") + ", " + allOf(total) + i.Nodes[0].State
	}
	return wording.Count(total, "node") + ": " + strings.Join(states, ", ")
}

func allOf(n int) string {
	if n > 1 {
		return "all "
	}
	return ""
}

func version(name, v string) string {
	if v == "" {
		return ""
	}
	return name + " " + v
}

// impact writes what is hurt, or that nothing is.
func (f *firstPage) impact() {
	if says := f.r.impact(); says != "" {
		f.add(form{f.style.rows("Impact", says, labelColumns, 2), keepImpact}, form{rows: f.style.row("Impact", says, labelColumns)})
	}
}

// impactOfSubjects names what the findings are about if no workloads and no pods are known.
func impactOfSubjects(r *triage.Report) string {
	var all []evidence.Subject
	for _, x := range r.Findings {
		for _, s := range x.Subjects {
			if s.Name != "" && s.Kind != "Cluster" && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	switch read := r.Impact != nil && len(r.Impact.Pods) > 0; {
	case !read:
		return joined("; ", subjects(all, 2), "impact on workloads unknown (pods were not read)")
	case len(all) == 1 && all[0].Kind == "Node":
		return subjects(all, 2) + " runs no pods"
	}
	return joined("; ", subjects(all, 2), "no pods are running")
}

// impactWorkloads is how many workloads the line of the impact names.
const impactWorkloads = 3

// impactSays describes workloads with too few ready pods and pods that are not running; "" if there is no evidence of any.
func impactSays(i *triage.Impact) string {
	if i == nil {
		return ""
	}
	var names []string
	daemons := 0
	for _, w := range i.Workloads {
		if w.Kind == "DaemonSet" {
			daemons++
			continue
		}
		state := fmt.Sprintf("%d/%d", w.Ready, w.Desired)
		if w.Ready == 0 {
			state += " down"
		}
		names = append(names, strings.TrimPrefix(w.Namespace+"/"+w.Name, "/")+" "+state)
	}
	var out []string
	checked := 0
	for _, n := range i.Checked {
		checked += n
	}
	switch {
	case len(names) > 0:
		out = append(out, wording.First(names, impactWorkloads))
	case checked > i.Checked["DaemonSet"] && daemons == 0:
		out = append(out, "no workload is down or degraded ("+fmt.Sprint(checked)+" checked)")
	}
	if daemons > 0 {
		out = append(out, wording.Counted(daemons, "DaemonSet is missing pods", "DaemonSets are missing pods"))
	}
	out = append(out, podsSay(i)...)
	if i.Node != nil && i.Node.Closed {
		out = append(out, "new pods are not scheduled here")
	}
	return strings.Join(out, "; ")
}

// podsSay returns how many pods are not ready and how many are pending.
func podsSay(i *triage.Impact) []string {
	var out []string
	total := 0
	for _, n := range i.Pods {
		total += n
	}
	other, pending := i.Pods[triage.PodOther], i.Pods[triage.PodPending]
	switch {
	case total == 0:
		return nil
	case other > 0:
		out = append(out, fmt.Sprintf("%d of %d pods not ready", other, total))
	case pending == 0:
		out = append(out, allOf(total)+wording.Counted(total, "pod is ready", "pods are ready"))
	}
	if pending > 0 {
		out = append(out, wording.Counted(pending, "pod is pending", "pods are pending"))
	}
	return out
}
