package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/wording"
)

const screenPinned = 5

// Repair writes the plan of one change for a terminal: what is in the way first, then what it does.
func Repair(w io.Writer, r *repair.Plan, style Style) error { return repairOn.text(w, r, style) }

// RepairMarkdown writes it for a ticket.
func RepairMarkdown(w io.Writer, r *repair.Plan) error { return repairOn.markdown(w, r) }

// RepairHTML writes it as one self-contained page.
func RepairHTML(w io.Writer, r *repair.Plan, version string) error {
	return repairOn.html(w, r, version)
}

var repairOn paged[repair.Plan] = func(c canvas, r *repair.Plan) {
	p := repairPage{c}
	p.head(r)
	p.gates(r)
	p.pinned(r)
	p.does(r)
	p.request(r)
}

type repairPage struct{ canvas }

func (p *repairPage) head(r *repair.Plan) {
	word := strings.ToUpper(string(r.Verdict))
	color := map[plan.Verdict]string{plan.Clear: green, plan.Unclear: yellow, plan.Blocked: red}[r.Verdict]
	what := string(r.Action) + " " + subjectName(r)
	if r.Subject.Kind == "Pool" && strings.HasSuffix(string(r.Action), "-pool") {
		what = string(r.Action) + " " + r.Subject.Name
	}
	p.title(word, color, what)
	parts := []string{string(r.Risk)}
	if r.Pool != "" {
		parts = append(parts, "pool "+r.Pool)
	}
	if r.State != "" {
		parts = append(parts, "now "+r.State)
	}
	p.note(strings.Join(parts, ", "))
}

func subjectName(r *repair.Plan) string {
	if r.Subject.Name == "" {
		return "the cluster"
	}
	return strings.ToLower(r.Subject.Kind) + " " + r.Subject.Name
}

// gates shows each that does not pass with its reason, and the others by name.
func (p *repairPage) gates(r *repair.Plan) {
	p.section("Before it begins")
	var passed []string
	for _, state := range []repair.GateState{repair.Refused, repair.Unjudged, repair.Accepted, repair.Deferred} {
		for _, g := range r.Gates {
			if g.State != state {
				continue
			}
			p.labelled(string(state), string(g.Name)+": "+g.Why)
			if g.How != "" && state != repair.Accepted {
				p.labelled("", "-> "+string(g.How))
			}
		}
	}
	for _, g := range r.Gates {
		if g.State == repair.Passed {
			passed = append(passed, string(g.Name))
		}
	}
	if p.wide() {
		for _, g := range r.Gates {
			if g.State == repair.Passed {
				p.labelled("passed", string(g.Name)+": "+g.Why)
			}
		}
	} else if len(passed) > 0 {
		p.labelled("passed", strings.Join(passed, ", "))
	}
}

func (p *repairPage) pinned(r *repair.Plan) {
	if len(r.Pinned) == 0 {
		return
	}
	p.section("Would stay Pending")
	limit := p.limit(screenPinned, len(r.Pinned))
	for _, x := range r.Pinned[:limit] {
		p.labelled(x.By, x.Namespace+"/"+x.Name+": "+x.Asks)
	}
	p.left(len(r.Pinned)-limit, paragraphs, "pod", "pods")
}

func (p *repairPage) does(r *repair.Plan) {
	p.section("What it does")
	for _, e := range r.Effects {
		p.paragraph(e)
	}
	if len(r.Verify) > 0 {
		p.labelled("proof", strings.Join(r.Verify, "; "))
	}
	if r.Bundle != "" {
		p.labelled("evidence", "is saved before, as")
		p.command(r.Bundle)
	}
	saved(p, r.Saved)
}

func (p *repairPage) request(r *repair.Plan) {
	if r.Request.Command == "" {
		return
	}
	p.section("The same by hand")
	p.command(string(r.Request.Command))
	if len(r.Request.Lacks) > 0 {
		p.labelled("it lacks", strings.Join(r.Request.Lacks, ", ")+": the tool has no option for it; repair --apply sends it")
	}
	p.labelled("which sends", "")
	p.command(r.Request.Method + " " + r.Request.Path)
	if r.Request.Body != "" {
		p.labelled("body", r.Request.Body)
	}
}

// RepairEnd is how a repair ended.
type RepairEnd struct {
	Changed, Verified, Left bool
	Why                     string
	Checked                 string        // on how many nodes what was looked at; empty: nothing is to be said of it
	Verdict                 verify.Result // of the verification: clear, not-clear, unknown
}

// Repaired writes the end of a repair for a terminal.
func Repaired(w io.Writer, e RepairEnd, style Style) error {
	e = *cleaned(&e)
	p := screen{style: style}
	states := []struct {
		is          bool
		word, color string
	}{{e.Verified, "VERIFIED", green}, {e.Left, "NOT OVER", yellow}, {e.Changed && e.Verdict == verify.Unknown, "NOT VERIFIED", yellow}, {e.Changed, "NOT VERIFIED", red}, {true, "NOT DONE", red}}
	i := slices.IndexFunc(states, func(s struct {
		is          bool
		word, color string
	}) bool {
		return s.is
	})
	word, text := states[i].word, e.Why
	switch {
	case e.Verified:
		text = strings.TrimSuffix("verify is clear: the change is done and confirmed; "+e.Why, "; ")
	case e.Verdict != "":
		text = fmt.Sprintf("the change is done, and verify is %s: %s", words(e.Verdict), e.Why)
	}
	p.line("\n%s  %s", p.style.paint(bold+";"+states[i].color, word), wording.WrapFrom(text, len(word)+2, style.width(), margin))
	if e.Checked != "" {
		p.line("%s%s", margin, wording.Wrap(e.Checked, style.width(), margin))
	}
	_, err := fmt.Fprint(w, p.String())
	return err
}
