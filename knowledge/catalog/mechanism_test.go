package catalog_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Every cause and symptom is a failure of exactly one mechanism.
func TestMechanisms(t *testing.T) {
	c := builtin(t)
	of := map[string]string{}
	for _, m := range catalog.Mechanisms() {
		if m.Title == "" || len(m.Fails) == 0 {
			t.Errorf("%s has no title, or nothing fails by it", m.ID)
		}
		for _, id := range m.Fails {
			if c.Cause(id) == nil && c.Symptom(id) == nil {
				t.Errorf("%s: %q is neither a cause nor a symptom", m.ID, id)
			}
			if of[id] != "" {
				t.Errorf("%s stands under %s and %s", id, of[id], m.ID)
			}
			of[id] = m.ID
		}
	}
	for _, cause := range c.Causes() {
		if of[cause.ID] == "" {
			t.Errorf("cause %s is a failure of no mechanism", cause.ID)
		}
	}
	for _, symptom := range c.Symptoms() {
		if of[symptom.ID] == "" {
			t.Errorf("symptom %s is a failure of no mechanism", symptom.ID)
		}
	}
}
