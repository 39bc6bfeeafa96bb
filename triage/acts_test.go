package triage_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/triage"
)

// A cordon is a person's action. A later cause does not explain it, nor one that explains it only through an unfound cause.
func TestActsHaveReasonsBefore(t *testing.T) {
	cordon := claim("cordon-left-behind", triage.Possible, on("a"))
	cordon.Since = now.Add(-time.Hour)
	upgrade := func(ago time.Duration) triage.Claim {
		c := claim("upgrade-stuck", triage.Certain, on("a"))
		c.Since = now.Add(-ago)
		return c
	}
	for name, c := range map[string]struct {
		reason triage.Claim
		by     string
	}{
		"an upgrade that was stuck before":    {upgrade(2 * time.Hour), "upgrade-stuck"},
		"an upgrade that got stuck later":     {upgrade(time.Minute), ""},
		"memory that is short, without a way": {claim("memory-pressure-oom", triage.Certain, on("a")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			rule := &triage.Rule{ID: "all", Doc: "says all", Check: func(p *triage.Pass) {
				p.Found(cordon)
				p.Found(c.reason)
			}}
			for _, f := range run(t, nodes(node("a", 0, nil)), rule).Findings {
				if f.Cause == cordon.Says && f.ExplainedBy != c.by {
					t.Errorf("the cordon is explained by %q, want %q", f.ExplainedBy, c.by)
				}
			}
		})
	}
}
