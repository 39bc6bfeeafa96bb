package main

import (
	"testing"

	"sigs.k8s.io/yaml"
)

// Every answer of the gallery is about a recorded or captured case with a description of its truth.
func TestGallery(t *testing.T) {
	t.Chdir("..")
	var list []answer
	if err := yaml.UnmarshalStrict(answers, &list); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, a := range list {
		if names[a.Name] {
			t.Errorf("two answers have the name %s", a.Name)
		}
		names[a.Name] = true
		c, err := a.evidence()
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
		} else if c.Truth.Truth == "" || c.Truth.Source == "" {
			t.Errorf("%s: %s does not say what it was, or whence it is", a.Name, a.Case)
		}
	}
	if _, err := (answer{Case: "site/testdata/by-hand.txtar"}).evidence(); err == nil {
		t.Error("a case that was written by hand was taken")
	}
}
