package main

import "testing"

// A version without a tag is one that Helm, krew and packages accept: a commit of digits alone is none.
func TestSemantic(t *testing.T) {
	for described, want := range map[string]string{
		"012345678901": "0.0.0-g012345678901", "789c177ab04c-dirty": "0.0.0-g789c177ab04c-dirty",
		"v1.2.3": "1.2.3", "v1.2.3-4-g789c177ab04c": "1.2.3-4-g789c177ab04c",
	} {
		if got := semantic(described); got != want {
			t.Errorf("semantic(%q) = %q, want %q", described, got, want)
		}
	}
}
