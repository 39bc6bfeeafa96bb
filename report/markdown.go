package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Rules of the Markdown form: people paste it into a ticket. It is plain CommonMark without tables or HTML. The answer comes
// first, commands and evidence are code blocks. External text is escaped, so that it mentions no one, links nowhere and formats
// nothing.

// linesOfTicket is how many lines the Markdown form has at most. The rest is counted.
const linesOfTicket = 60

// Limits of the Markdown form.
const (
	mdEvidence = 6   // pieces of evidence of the first finding
	mdOthers   = 12  // findings after the first
	mdList     = 5   // entries of other lists
	mdProof    = 600 // characters of a piece of evidence
)

// Markdown writes the report for a ticket.
func Markdown(w io.Writer, r *triage.Report) error {
	t := reportTicket{r: newDiagnosis(cleaned(r))}
	t.head()
	if !t.r.answered {
		t.standsOut()
	}
	if len(r.Findings) > 0 {
		t.cause(&t.r.Findings[0])
		t.check(&t.r.Findings[0])
		t.fix(&t.r.Findings[0])
		t.others()
	}
	t.symptoms()
	if t.r.answered {
		t.standsOut()
	}
	t.around()
	t.tail()
	_, err := io.WriteString(w, strings.Join(fitParts(t.parts, linesOfTicket, unwrapped), "\n")+"\n")
	return err
}

// unwrapped is a width that no line has.
const unwrapped = 1 << 30

// reportTicket is the Markdown form of a report: its parts, which become shorter until they fit.
type reportTicket struct {
	r     *diagnosis
	parts []part
}

// add adds a part with its forms. Without a form it adds nothing.
func (t *reportTicket) add(forms ...form) {
	if len(forms) > 0 && len(forms[0].rows) > 0 {
		t.parts = append(t.parts, forms)
	}
}

// mdRows returns the lines that a function writes.
func mdRows(write func(m *markdown)) []string {
	m := &markdown{}
	write(m)
	if m.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(m.String(), "\n"), "\n")
}

type markdown struct{ strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

// block writes a code block.
func (m *markdown) block(language string, lines ...string) {
	m.WriteString("\n" + mdBlock(language, "", lines...))
}

// head writes the verdict, the source, the state of the nodes and the impact.
func (t *reportTicket) head() {
	r := t.r
	t.add(form{rows: mdRows(func(m *markdown) {
		m.line("## %s: %s", strings.ToUpper(string(r.verdict)), mdText(strings.TrimSuffix(r.title(), ".")))
		m.line("\n%s", mdText(r.about(r.Source)))
		for _, says := range []string{r.inPart, r.faultsHead} {
			if says != "" {
				m.line("\n%s", mdText(says))
			}
		}
		if says := r.impact(); says != "" {
			m.line("\nImpact: %s", mdText(says))
		}
	})})
}

// cause writes the facts of the first finding and its decisive evidence.
func (t *reportTicket) cause(f *triage.Finding) {
	facts := joined(", ", mdCode(f.Cause), string(f.Severity), string(f.Certainty), mdText(subjects(f.Subjects, 6)), lasting(f.Since, f.LastSeen, t.r.TakenAt))
	t.add(form{rows: mdRows(func(m *markdown) {
		m.line("\n### Cause: %s", mdText(strings.TrimSuffix(f.Title, ".")))
		m.line("\n%s", facts)
		if f.Summary != "" && f.Summary != f.Title {
			m.line("\n%s.", mdText(strings.TrimSuffix(f.Summary, ".")))
		}
	})})
	if who := subjects(f.LikelyOn, 6); who != "" {
		t.add(form{mdRows(func(m *markdown) { m.line("\nLikely also on %s (failed at the same time, not examined).", mdText(who)) }), keepEffects}, form{})
	}
	list := proofs(f.Evidence)
	if at := recognised(list); at > 1 { // the second piece is shown more often than the third
		list[1], list[at] = list[at], list[1]
	}
	for i, p := range list[:min(len(list), mdEvidence)] {
		rows := mdRows(func(m *markdown) {
			m.line("\n%s", mdText(p.where()))
			m.block("text", p.cut(ends([]rune(p.Hit), longestHit), mdProof))
		})
		switch i {
		case 0:
			t.add(form{rows: rows})
		case 1:
			t.add(form{rows, keepSecond}, form{})
		default:
			t.add(form{rows, keepThird}, form{})
		}
	}
	if left := len(list) - mdEvidence; left > 0 {
		t.add(form{mdRows(func(m *markdown) { m.line("\nand %s (-o wide)", wording.Count(left, "more piece")+" of evidence") }), keepThird}, form{})
	}
	if effects := explainsSays(*f, t.r.Report); len(effects) > 0 {
		t.add(form{mdRows(func(m *markdown) { m.line("\nEffects: %s", mdText(wording.First(effects, 8))) }), keepEffects}, form{})
	}
}

// check writes the command that confirms a cause that is not certain.
func (t *reportTicket) check(f *triage.Finding) {
	if f.Certainty == triage.Certain || len(f.Confirm) == 0 {
		return
	}
	c := f.Confirm[0]
	t.add(form{mdRows(func(m *markdown) {
		m.line("\n### %s", joined(" ", "Check", on(c.Where)))
		m.block("sh", string(c.Run))
		m.line("\n%s", mdText(expects(c)))
	}), keepCheck}, form{})
}

// fix writes the first fix with its commands, how many others there are, what not to do, and how to verify the fix.
func (t *reportTicket) fix(f *triage.Finding) {
	for i, x := range f.Remedies {
		title := func(m *markdown) {
			m.line("\n%d. %s (%s)", i+1, mdText(strings.TrimSuffix(x.Title, ".")), mdText(riskSays(x)))
		}
		if i == 0 {
			title = func(m *markdown) {
				m.line("\n### Fix")
				m.line("\n1. %s (%s)", mdText(strings.TrimSuffix(x.Title, ".")), mdText(riskSays(x)))
			}
		}
		with := func(commands []string) []string {
			return mdRows(func(m *markdown) {
				title(m)
				if len(commands) > 0 {
					m.WriteString("\n" + mdBlock("sh", "   ", commands...))
				}
			})
		}
		all := with(shell.Strings(atPlaces(&x, x.Commands)))
		switch {
		case i == 0 && len(x.Commands) == 0:
			t.add(form{rows: all})
		case i == 0: // a procedure is complete, or the command that shows it
			t.add(form{all, keepCommands}, form{rows: with([]string{t.page(f)})})
		default:
			t.add(form{all, keepFixes}, form{with(nil), keepTitles}, form{})
		}
	}
	t.bullets("Do not", shell.Strings(f.Cautions), keepImpact)
	t.bullets("Verify", shell.Strings(f.Verify), keepVerify)
}

// bullets writes a list that keeps its first entry.
func (t *reportTicket) bullets(title string, items []string, keep int) {
	if len(items) == 0 {
		return
	}
	first := items[0]
	if title == "Do not" {
		if first = avoidance(items); !forbids(first) {
			title = "Caution"
		}
	}
	list := func(items []string) []string {
		return mdRows(func(m *markdown) {
			m.line("\n### %s\n", title)
			for _, item := range items {
				m.line("- %s", mdText(item))
			}
		})
	}
	t.add(form{list(items), keep}, form{rows: list([]string{first})})
}

func (t *reportTicket) page(f *triage.Finding) string {
	return string(shell.Format("nodetriage explain {id}", f.Cause))
}
