package paste

import "testing"

// The evidence of an event is its row with the whole message, also if a terminal wrapped it.
func TestWithMessage(t *testing.T) {
	for _, c := range []struct{ row, message, want string }{
		{"Warning  Failed  18s  kubelet,", "unable to connect to Cilium daemon", "Warning  Failed  18s  kubelet, unable to connect to Cilium daemon"},
		{"Warning  Failed  18s  kubelet  unable to", "unable to connect to Cilium daemon", "Warning  Failed  18s  kubelet  unable to connect to Cilium daemon"},
		{"Warning  Failed  18s  kubelet  no space", "no space", "Warning  Failed  18s  kubelet  no space"},
		{"Warning  Failed  18s  kubelet", "", "Warning  Failed  18s  kubelet"},
	} {
		if got := withMessage(c.row, c.message); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
