package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/shell"
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
	keepOwnRow              // a row that can stand behind another one
	keepSecond              // the second piece of evidence
	keepVerify              // a long proof of success
	keepNext                // commands of findings after the first
	keepTitles              // titles of findings after the first
	keepImpact              // a second row of what not to do
	keepSummary             // a second row of the summary
	keepCounts              // counts in the last rows
	keepLong                // a third row of the decisive line
	keepFixNames            // the names of other fixes
	keepHurt                // how many objects are hurt, and what the evidence does not show of them
	keepCheck               // the command that confirms a cause, if a fix remains
	keepBrief               // more than two rows of the decisive line
	keepCommands            // the commands of the first fix, and those to run before it
	keepFix                 // the commands of a first fix that disrupts nothing
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
	style   Style
	r       *diagnosis
	parts   []part
	checked shell.Text   // the command of the check on this screen
	looks   []shell.Text // commands of the first fix that only look; they stand below the check
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
		x := f.withSources(&r.Findings[0])
		f.cause(x)
		f.check(x)
		f.fix(x)
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

const betweenPaths = ", " // of one source

// sourceName returns the source of a report without the folders of its paths, if it is long.
func sourceName(source string) string {
	kind, path, ok := strings.Cut(source, " ")
	if !ok || len(source) <= longSource || !strings.Contains(path, "/") || kind == "cluster" {
		return source
	}
	paths := strings.Split(path, betweenPaths)
	for i, p := range paths {
		p = strings.TrimSuffix(p, "/")
		paths[i] = p[strings.LastIndex(p, "/")+1:]
	}
	return kind + " " + wording.First(paths, 3)
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
