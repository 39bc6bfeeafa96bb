package logline

import "testing"

func TestSaysOver(t *testing.T) {
	for text, want := range map[string]bool{
		"The problem occurred when the disk was read-only. That was fixed, but the metric is still 1.": true,
		"It did retry and the node pool came up and running as it should":                              true,
		"After the restart everything is healthy again.":                                               true,
		"The issue was resolved after I replaced the disk":                                             true,
		"The issue was resolved for a few hours":                                                       false,
		"The problem was not fixed by a restart":                                                       false,
		"I hope the issue is now fixed if I upgrade":                                                   false,
		"It works again after a restart, but came back later":                                          false,
		"this should be fixed in the next release":                                                     false,
		"the node is NotReady since yesterday":                                                         false,
		"kubelet.go:2456] container runtime is down, will retry":                                       false,
	} {
		if got := SaysOver(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
