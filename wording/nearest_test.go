package wording_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/wording"
)

// A word with a few wrong letters is recognised; another word is not made one of ours.
func TestNearest(t *testing.T) {
	names := []string{"disk-full", "kubelet-stopped", "memory-pressure", "cordon"}
	for typed, want := range map[string]string{
		"disk-full":                      "disk-full",
		"disc-full":                      "disk-full",
		"kublet-stoped":                  "kubelet-stopped",
		"memorypressure":                 "memory-pressure",
		"crdon":                          "cordon",
		"network":                        "",
		"":                               "",
		"x":                              "",
		"kubelet-is-fine!":               "",
		strings.Repeat("disk-full", 100): "",
	} {
		if got := wording.Nearest(typed, names); got != want {
			t.Errorf("nearest to %.30q is %q, want %q", typed, got, want)
		}
	}
	if got := wording.Nearest("cordon", nil); got != "" {
		t.Errorf("nearest of nothing is %q", got)
	}
}

// Who mistypes is told what was meant, or what there is.
func TestOneOf(t *testing.T) {
	type style string
	all := []style{"aks", "eks", "gke-blue-green"}
	for typed, want := range map[string]string{
		"gke-blue-gren": "did you mean gke-blue-green?",
		"openshift":     "use one of aks, eks, gke-blue-green",
	} {
		if got := wording.OneOf(typed, all); got != want {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
}
