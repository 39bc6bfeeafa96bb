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

// Repair writes the plan of one change for a terminal: what blocks it in a row, its effect and commands, then each gate.
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
	p.pinned(r)
	if p.wide() || r.Verdict != plan.Blocked {
		p.does(r)
		p.gates(r)
		return
	}
	p.gates(r) // what to do first
	p.does(r)
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
	if text := gatesSay(r); text != "" {
		p.note(text)
	}
}

// gatesSay names the gates that do not pass; "" if all do.
func gatesSay(r *repair.Plan) string {
	var out []string
	for _, state := range []repair.GateState{repair.Refused, repair.Unjudged} {
		var names []string
		for _, g := range r.Gates {
			if g.State == state {
				names = append(names, string(g.Name))
			}
		}
		if len(names) > 0 {
			out = append(out, string(state)+": "+strings.Join(names, ", "))
		}
	}
	return strings.Join(out, "; ")
}

func subjectName(r *repair.Plan) string {
	if r.Subject.Name == "" {
		return "the cluster"
	}
	return strings.ToLower(r.Subject.Kind) + " " + r.Subject.Name
}

// gates shows each gate that does not pass with its reason, and names the others.
func (p *repairPage) gates(r *repair.Plan) {
	p.section("Before it begins")
	var passed []string
	list := slices.Clone(r.Gates)
	slices.SortStableFunc(list, func(a, b repair.Gate) int { return compareBool(a.Name == repair.GateAge, b.Name == repair.GateAge) }) // it only asks for another run
	for _, state := range []repair.GateState{repair.Refused, repair.Unjudged, repair.Accepted, repair.Deferred} {
		for _, g := range list {
			if g.State != state {
				continue
			}
			p.labelled(string(state), string(g.Name)+": "+g.Why)
			if state != repair.Accepted {
				writeHow(p, string(g.How))
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

// does shows the effects, and the commands that carry out the plan: ours, and that of the cloud's tool.
func (p *repairPage) does(r *repair.Plan) {
	p.section("What it does")
	p.paragraph(strings.Join(r.Effects, "; "))
	if r.Apply != "" {
		p.labelled("to do it", "run")
		p.command(string(r.Apply))
	}
	p.request(r)
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
	p.labelled("or", "run the command of the cloud")
	p.command(string(r.Request.Command))
	if len(r.Request.Missing) > 0 {
		why := ": the tool has no option for it; repair --apply sends it"
		if r.Request.Path == "" {
			why = "; repair --apply copies them"
		}
		p.labelled("without", strings.Join(r.Request.Missing, ", ")+why)
	}
	if r.Request.Path == "" || !p.wide() {
		return
	}
	p.labelled("sends", "")
	p.command(r.Request.Method + " " + r.Request.Path)
	if r.Request.Body != "" {
		p.labelled("body", r.Request.Body)
	}
}

// RepairEnd is the result of a repair.
type RepairEnd struct {
	Changed, Verified, Left bool
	Why                     string
	Checked                 string        // the number of nodes that were checked; empty: not shown
	Verdict                 verify.Result // of the verification: clear, not-clear, unknown
}

// Repaired writes the result of a repair for a terminal.
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
		text = strings.TrimSuffix("the verification passed: the change is done; "+e.Why, "; ")
	case e.Verdict != "":
		text = fmt.Sprintf("the change is done, and the verification result is %s: %s", words(e.Verdict), e.Why)
	}
	p.line("\n%s  %s", p.style.paint(bold+";"+states[i].color, word), wording.WrapFrom(text, len(word)+2, style.width(), margin))
	if e.Checked != "" {
		p.line("%s%s", margin, wording.Wrap(e.Checked, style.width(), margin))
	}
	_, err := fmt.Fprint(w, p.String())
	return err
}
