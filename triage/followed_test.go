package triage_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/triage"
)

// The effects of a resolved cause are resolved too, unless they were seen after its end or the cause is back.
func TestFollowed(t *testing.T) {
	stuck := func(last time.Duration) triage.Claim {
		return seen(claim("pod-stuck-terminating", triage.Possible, on("a")), last)
	}
	plugin := claim("cni-binary-missing", triage.Certain, on("a"))
	plugin.Since = now.Add(-3 * time.Minute)
	for name, c := range map[string]struct {
		claims []triage.Claim
		found  bool
	}{
		"said before the end":               {[]triage.Claim{stuck(time.Minute)}, false},
		"said after the end":                {[]triage.Claim{stuck(10 * time.Second)}, true},
		"the cause is back":                 {[]triage.Claim{stuck(time.Minute), plugin}, true},
		"what does not follow from it":      {[]triage.Claim{seen(claim("clock-skew", triage.Possible, on("a")), time.Minute)}, true},
		"on another node":                   {[]triage.Claim{seen(claim("pod-stuck-terminating", triage.Possible, on("b")), time.Minute)}, true},
		"what is likely for its own reason": {[]triage.Claim{seen(claim("pod-stuck-terminating", triage.Likely, on("a")), time.Minute)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			rule := &triage.Rule{ID: "all", Doc: "says all", Check: func(p *triage.Pass) {
				for _, one := range c.claims {
					p.Found(one)
				}
				p.Over(plugin, "it is there again", now.Add(-30*time.Second))
			}}
			r := run(t, nodes(node("a", 0, nil), node("b", 0, nil)), rule)
			if got := len(r.Findings) > 0; got != c.found {
				t.Errorf("found %v; over %v", r.Findings, r.Over)
			}
		})
	}
}

func seen(c triage.Claim, last time.Duration) triage.Claim {
	c.Since, c.LastSeen = now.Add(-2*time.Minute), now.Add(-last)
	return c
}
