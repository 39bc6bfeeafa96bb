package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/triage"
)

// mdProof is the number of characters of the evidence of an entry in a list.
const mdProof = 400

// proof writes the evidence of an entry in a list.
func (m *markdown) proof(p *proof) {
	if p != nil {
		m.line("  %s", mdCode(p.says(mdProof)))
	}
}

func (m *markdown) faults(r *triage.Report) {
	head, list := independent(r)
	if head == "" {
		return
	}
	m.line("\n### %s\n", mdText(head))
	for _, f := range list[:min(len(list), htmlFaults)] {
		m.line("- %s", mdText(f.says))
	}
	m.left(len(list)-htmlFaults, "more fault", "more faults")
}

// standsOut writes the most significant lines if no cause is likely.
func (m *markdown) standsOut(r *triage.Report) {
	for i, l := range r.StandsOut {
		if i == 0 {
			m.line("\n### Stands out")
		}
		m.line("\n%s", mdText(whose(l, r)))
		m.line("\n%s", strings.TrimSuffix(mdBlock("text", "", l.Text), "\n"))
	}
}

// over writes resolved problems.
func (m *markdown) over(r *triage.Report) {
	list := endings(r.Over)
	if len(list) == 0 {
		return
	}
	m.line("\n### Over\n")
	for _, e := range list[:min(len(list), htmlList)] {
		m.line("- %s", mdText(strings.TrimSuffix(e.Title, ".")+" "+e.says(r.TakenAt)))
		m.proof(best(e.Evidence))
	}
	m.left(len(list)-htmlList, "more cause", "more causes")
}
