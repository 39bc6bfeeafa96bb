package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// A list names each fix of the catalog in a few words that can stand alone.
func TestTitlesOfFixes(t *testing.T) {
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	starts := regexp.MustCompile(`^(?:and|or|if|with|the|a|an|it|them|this|these|because|so|then|no) |[,;:(]$`)
	for _, p := range c.Causes() {
		for i := range p.Remedies {
			title := titleOfFix(&p.Remedies[i])
			if starts.MatchString(title) || title == "" || len(title) > 100 {
				t.Errorf("%s: %q is named %q: set short", p.ID, p.Remedies[i].Title, title)
			}
		}
	}
}

// A text that does not fit is shown in a shorter form that is complete.
func TestComplete(t *testing.T) {
	long := "Open the path (proxy, mirror, firewall) from the node to the registry, so that images can be pulled. Then wait until the next retry of the kubelet"
	for n, want := range map[int]string{
		3: long, 2: "Open the path (proxy, mirror, firewall) from the node to the registry, so that images can be pulled", 1: "Open the path from the node to the registry",
	} {
		got := strings.Join(strings.Fields(strings.Join(Style{Width: 80}.complete("FIX", long, " (risk: low)", labelColumns, n), " ")), " ")
		if got != "FIX "+want+" (risk: low)" {
			t.Errorf("in %d rows: %s", n, got)
		}
	}
}

// A caution is never cut inside a clause, in any width.
func TestUncut(t *testing.T) {
	const caution = "Deleting pods or draining with --disable-eviction bypasses all PodDisruptionBudgets, including those of databases that need a quorum."
	for width := 30; width < 140; width++ {
		got := strings.Join(strings.Fields(strings.Join(Style{Width: width}.uncut("  Caution:", caution, detailColumns, 1), " ")), " ")
		if !strings.HasSuffix(got, "bypasses all PodDisruptionBudgets") && !strings.HasSuffix(got, "a quorum.") {
			t.Errorf("in %d columns: %s", width, got)
		}
	}
}

// A condition is never shown without its main clause.
func TestShorterKeepsMainClause(t *testing.T) {
	for _, short := range shorter("If an automation replaces nodes (for example Karpenter) because of this condition, pause the automation. It has its own delay.") {
		if !strings.Contains(short, "pause the automation") {
			t.Errorf("shortened to %q", short)
		}
	}
}
