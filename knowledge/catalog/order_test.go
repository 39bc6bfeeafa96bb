package catalog_test

import (
	"slices"
	"testing"
)

// The remedies of a page are sorted by risk: first checks, then the least risk.
func TestRemediesByRisk(t *testing.T) {
	order := []string{"none", "low", "medium", "high"}
	for _, c := range builtin(t).Causes() {
		last := 0
		for _, r := range c.Remedies {
			risk := slices.Index(order, r.Risk)
			if risk < last {
				t.Errorf("%s: %q is of risk %s, and stands behind one of risk %s", c.ID, r.Title, r.Risk, order[last])
			}
			last = max(last, risk)
		}
	}
}
