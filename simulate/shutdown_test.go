package simulate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/simulate"
)

// What the kubelet is known to grant bounds the end of its pods, and is no assumption then; that it grants nothing is said.
func TestShutdownPeriods(t *testing.T) {
	_, c, s := readCase(t, "testdata/shutdown-critical.txtar")
	for _, x := range []struct {
		all, last    string
		others, late time.Duration // when the pods have ended, and that which the system needs
		says         string
	}{
		{"", "", 32 * time.Second, 44 * time.Second, "which by default is 0"},
		{"0s", "0s", 32 * time.Second, 44 * time.Second, "is 0 on w1"},
		{"2m", "30s", 32 * time.Second, 44 * time.Second, ""},
		{"25s", "5s", 22 * time.Second, 29 * time.Second, ""},
	} {
		d := *s.Data()
		if x.all != "" {
			d.Kubelets = []*evidence.Kubelet{{Node: "w1", Config: map[string]string{"shutdownGracePeriod": x.all, "shutdownGracePeriodCriticalPods": x.last}}}
		}
		f, err := simulate.New(evidence.New(d), c.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Pods {
			want := x.others
			if p.Name == "proxy-w1" {
				want = x.late
			}
			if p.NotReadyAt == nil || p.NotReadyAt.From != 0 || time.Duration(p.NotReadyAt.To) != want {
				t.Errorf("with %q, %q kept: %s has ended %v, not within %s", x.all, x.last, p.Name, p.NotReadyAt, want)
			}
		}
		said := ""
		for _, a := range f.Assumptions {
			if strings.Contains(a, "shutdownGracePeriod") {
				said += a
			}
		}
		if (x.says == "") != (said == "") || !strings.Contains(said, x.says) {
			t.Errorf("with %q it assumes %q", x.all, said)
		}
	}
}
