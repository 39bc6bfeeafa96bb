package catalog_test

import (
	"regexp"
	"slices"
	"testing"
)

// impactForm is a clause that follows the name of an object: "Node w1: no new pod starts on the node".
var impactForm = regexp.MustCompile(`^[a-zA-Z][^.]{10,99}$`)

// Each cause says what does not work while it lasts. The first rows of an answer are this clause and the objects.
func TestCausesHaveAnImpact(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		if !impactForm.MatchString(c.Impact) {
			t.Errorf("%s: impact %q: write one clause of at most 100 characters without a full stop", c.ID, c.Impact)
		}
		for _, v := range c.Variants {
			if v.Impact != "" && (v.Title == "" || !impactForm.MatchString(v.Impact)) {
				t.Errorf("%s, %s: impact %q: write one clause of at most 100 characters without a full stop, and a title", c.ID, v.ID, v.Impact)
			}
		}
	}
}

// podsContinue matches the comfort that pods are not hurt.
var podsContinue = regexp.MustCompile(`pods (?:just |simply |usually )?(?:continue|run\b|run on|keep running|are not affected|may still run)`)

// On a NotReady node the containers run on, but Services stop sending to its pods, and the control plane deletes them after five
// minutes. A cause that can make a node NotReady never says that pods continue.
func TestImpactsOfNotReadyNodes(t *testing.T) {
	c := builtin(t)
	for _, cause := range c.Causes() {
		if !slices.Contains(cause.Explains, "node-silent") && !slices.Contains(cause.Explains, "node-not-ready") {
			continue
		}
		impacts := []string{cause.Impact}
		for _, v := range cause.Variants {
			impacts = append(impacts, v.Impact)
		}
		for _, says := range impacts {
			if podsContinue.MatchString(says) {
				t.Errorf("%s: impact %q: the node can become NotReady, so its pods do not just continue", cause.ID, says)
			}
		}
	}
}
