package report

import "testing"

// Where no pod runs, an impact does not speak of running pods.
func TestWithoutRunning(t *testing.T) {
	for impact, want := range map[string]string{
		"the node is NotReady; no pod starts or stops on it; running pods continue": "the node is NotReady; no pod starts or stops on it",
		"the node is NotReady; its pods run but may be unreachable":                 "the node is NotReady",
		"the drain does not end; the pods keep running":                             "the drain does not end",
		"running pods continue": "running pods continue",
		"the pod stays Pending": "the pod stays Pending",
	} {
		if got := withoutRunning(impact); got != want {
			t.Errorf("%q: %q, want %q", impact, got, want)
		}
	}
}
