package predict_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
)

// The known limits of the kubelet bound the termination of its pods, and are then not an assumption.
func TestShutdownPeriods(t *testing.T) {
	c, s := readCase(t, casetest.Open(t, "testdata/shutdown-critical.txtar"))
	for _, x := range []struct {
		all, last    string
		others, late time.Duration // when the pods have terminated, and the critical one
		says         string
	}{
		{"", "", 32 * time.Second, 44 * time.Second, "(default: 0, "},
		{"2m", "30s", 32 * time.Second, 44 * time.Second, ""},
		{"25s", "5s", 22 * time.Second, 29 * time.Second, ""},
	} {
		d := *s.Data()
		if x.all != "" {
			d.Kubelets = []*evidence.Kubelet{{Node: "w1", Config: map[string]string{"shutdownGracePeriod": x.all, "shutdownGracePeriodCriticalPods": x.last}}}
		}
		f, err := predict.New(evidence.New(d), c.Scenario)
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

// With shutdownGracePeriodByPodPriority each pod terminates with its group, after the groups below it. A group without pods
// takes no time, and a pod takes no longer than its grace period.
func TestShutdownByPriority(t *testing.T) {
	c, s := readCase(t, casetest.Open(t, "testdata/shutdown-critical.txtar")) // the pods are of no priority, 30 s; proxy of 2000001000, 10 s
	for _, x := range []struct {
		groups       []string // priority and seconds
		gate         string
		others, late time.Duration
		says         string
	}{
		{[]string{"100000", "10", "0", "180", "10000", "120"}, "", 32 * time.Second, 44 * time.Second, ""},
		{[]string{"0", "20", "2000000000", "4"}, "", 22 * time.Second, 28 * time.Second, "less time than these pods may need: "},
		{[]string{"1000", "40"}, "true", 32 * time.Second, 12 * time.Second, ""},                                              // all are in the one group
		{[]string{"2000001000", "5", "2000000000", "40"}, "", 32 * time.Second, 39 * time.Second, "web/proxy-w1 (5s of 10s)"}, // the lowest group includes lower priorities
		{[]string{"0", "20"}, "false", 0, 0, "of w1 has no shutdownGracePeriod"},
		{[]string{"0", "long"}, "", 32 * time.Second, 44 * time.Second, "(default: 0, "},
		{nil, "", 0, 0, "of w1 has no shutdownGracePeriod"},
	} {
		config := map[string]string{"shutdownGracePeriod": "0s", "shutdownGracePeriodCriticalPods": "0s"}
		for i := 0; i < len(x.groups); i += 2 {
			at := fmt.Sprintf("shutdownGracePeriodByPodPriority.%d.", i/2)
			config[at+"priority"], config[at+"shutdownGracePeriodSeconds"] = x.groups[i], x.groups[i+1]
		}
		if x.gate != "" {
			config["featureGates.GracefulNodeShutdownBasedOnPodPriority"] = x.gate
		}
		d := *s.Data()
		d.Kubelets = []*evidence.Kubelet{{Node: "w1", Config: config}}
		f, err := predict.New(evidence.New(d), c.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Pods {
			want, off := x.others, x.others == 0
			if p.Name == "proxy-w1" {
				want = x.late
			}
			switch {
			case off && (p.NotReadyAt == nil || p.NotReadyAt.From == 0):
				t.Errorf("with %q: %s is not ready %v although the machine only loses its power", x.groups, p.Name, p.NotReadyAt)
			case !off && (p.NotReadyAt == nil || p.NotReadyAt.From != 0 || time.Duration(p.NotReadyAt.To) != want):
				t.Errorf("with %q: %s has ended %v, not within %s", x.groups, p.Name, p.NotReadyAt, want)
			}
		}
		if said := strings.Join(f.Assumptions, "\n"); !strings.Contains(said, x.says) || x.says == "" && strings.Contains(said, "kubelet") {
			t.Errorf("with %q it assumes %s", x.groups, said)
		}
	}
}
