package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// Spoken returns the times at the start of the first and the last line of a log match. Without a year in the log, an arbitrary one
// is used, so they compare only with times of the same log.
func Spoken(p *triage.Pass, m *evidence.Match) (first, last time.Time) {
	again, _ := p.Signatures.Scan(strings.NewReader(m.Ref.Text+"\n"+m.LastText), signatures.Options{Ref: time.Unix(0, 0).UTC()})
	for _, t := range again {
		if t.Signature.ID == m.Signature && !t.First.IsZero() {
			return t.First, t.Last
		}
	}
	return m.First, m.Last
}
