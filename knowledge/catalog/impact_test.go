package catalog_test

import (
	"regexp"
	"testing"
)

// impactForm is a clause that follows the name of an object: "Node w1: no new pod starts on the node".
var impactForm = regexp.MustCompile(`^[a-zA-Z][^.]{10,79}$`)

// Each cause says what does not work while it lasts. The first rows of an answer are this clause and the objects.
func TestCausesHaveAnImpact(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		if !impactForm.MatchString(c.Impact) {
			t.Errorf("%s: impact %q: write one clause of at most 80 characters without a full stop", c.ID, c.Impact)
		}
		for _, v := range c.Variants {
			if v.Impact != "" && (v.Title == "" || !impactForm.MatchString(v.Impact)) {
				t.Errorf("%s, %s: impact %q: write one clause of at most 80 characters without a full stop, and a title", c.ID, v.ID, v.Impact)
			}
		}
	}
}
