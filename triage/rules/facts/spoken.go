package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// Spoken returns the times at the start of the first and the last line of a log match. Match.First and Match.Last are zero if the
// log has no year and the evidence no time. Here the lines are read again with an arbitrary year, so the result compares only with
// times of the same log.
func Spoken(p *triage.Pass, m *evidence.Match) (first, last time.Time) {
	again, _ := p.Signatures.Scan(strings.NewReader(m.Ref.Text+"\n"+m.LastText), signatures.Options{Ref: time.Unix(0, 0).UTC()})
	for _, t := range again {
		if t.Signature.ID == m.Signature && !t.First.IsZero() {
			return t.First, t.Last
		}
	}
	return m.First, m.Last
}
