package report

import "testing"

// A sentence begins with an upper-case letter, but the name of an object keeps its letters.
func TestCapital(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "2 pods are ready": "2 pods are ready", "no workload is down": "No workload is down", "shop/web 0/1 down": "shop/web 0/1 down",
	} {
		if got := capital(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
