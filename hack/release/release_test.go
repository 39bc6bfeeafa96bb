package main

import "testing"

// Helm, krew and packages accept a version without a tag, but not a commit that consists only of digits.
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
