package collect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
)

// systemctl shows the last lines of a unit: a unit that runs said nothing since.
func TestStatusOfAUnitReachesToWhenItWasAsked(t *testing.T) {
	const status = `● kube-proxy.service - Kubernetes Kube-Proxy Server
     Loaded: loaded (/etc/systemd/system/kube-proxy.service; enabled; vendor preset: enabled)
     Active: %s since Sat 2026-01-17 16:10:00 CST; %s ago

Jan 17 16:13:12 master kube-proxy[937]: E0117 16:13:12.255299     937 reflector.go:158] "Unhandled Error" err="Failed to watch *v1.Node"
`
	for _, c := range []struct {
		state, ago string
		want       time.Duration
	}{
		{"active (running)", "4h 5min", 4*time.Hour + time.Minute + 48*time.Second},
		{"active (running)", "3 days", 0},
		{"inactive (dead)", "4h 5min", 0},
	} {
		l := newLineReader("status.txt", textclass.Kind{}, evidence.NodeSubject("master"))
		if _, err := strings.NewReader(fmt.Sprintf(status, c.state, c.ago)).WriteTo(l); err != nil {
			t.Fatal(err)
		}
		l.finish()
		if lines := l.lines(noYear); len(lines) != 1 || lines[0].Quiet != c.want {
			t.Errorf("%s for %s: %d lines, quiet for %s, want %s", c.state, c.ago, len(lines), lines[0].Quiet, c.want)
		}
	}
}

// A log that was saved with the objects goes on until those were read, if what writes it works and its path tells that it is whole.
func TestLogsReachToTheTimeOfTheEvidence(t *testing.T) {
	taken := time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)
	said := taken.Add(-time.Hour)
	pod := func(ready evidence.Fact) *evidence.Pod {
		return &evidence.Pod{Namespace: "openshift-sdn", Name: "sdn-1", Phase: "Running", Ready: ready}
	}
	const saved = "must-gather/quay-io/namespaces/openshift-sdn/pods/sdn-1/sdn/sdn/logs/"
	for name, c := range map[string]struct {
		source string
		pod    *evidence.Pod
		want   time.Duration
	}{
		"current, ready":      {saved + "current.log", pod(evidence.True), time.Hour},
		"run before, ready":   {saved + "previous.log", pod(evidence.True), time.Hour},
		"not ready":           {saved + "current.log", pod(evidence.False), time.Minute},
		"not in the evidence": {saved + "current.log", nil, time.Minute},
		"saved by hand":       {"sdn.log", pod(evidence.True), time.Minute},
	} {
		m := &evidence.Match{Ref: evidence.Ref{Source: c.source}, Subject: evidence.PodSubject("openshift-sdn", "sdn-1"), Last: said, Quiet: time.Minute}
		d := &evidence.Data{TakenAt: taken, Matches: []*evidence.Match{m}}
		if c.pod != nil {
			d.Pods = append(d.Pods, c.pod)
		}
		coverSilence(d)
		if m.Quiet != c.want {
			t.Errorf("%s: it is quiet for %s, want %s", name, m.Quiet, c.want)
		}
	}
}
