package collect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
)

// systemctl status shows the last lines of a unit. A running unit has logged nothing since.
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
		{"active (exited)", "4h 5min", 0},
	} {
		l := newLineReader("status.txt", textclass.Kind{}, evidence.NodeSubject("master"))
		if _, err := strings.NewReader(fmt.Sprintf(status, c.state, c.ago)).WriteTo(l); err != nil {
			t.Fatal(err)
		}
		l.finish()
		const said = 5 // the line
		if got := l.tails.silent(said, "Jan 17 16:13:12 master kube-proxy[937]: E0117"); got != c.want {
			t.Errorf("%s for %s: it is silent for %s, want %s", c.state, c.ago, got, c.want)
		}
	}
}

// A log that was saved with the objects reaches to their time under two conditions. Its path shows that it is complete, and the
// objects show that its writer works. A ready pod shows that only if it has a readiness probe.
func TestLogsReachToTheTimeOfTheEvidence(t *testing.T) {
	taken := time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)
	asked := &corev1.PodSpec{Containers: []corev1.Container{{ReadinessProbe: &corev1.Probe{}}}}
	notAsked := &corev1.PodSpec{Containers: []corev1.Container{{}}}
	pod := func(phase corev1.PodPhase, ready evidence.Fact, spec *corev1.PodSpec) *evidence.Pod {
		return &evidence.Pod{Namespace: "openshift-sdn", Name: "sdn-1", Phase: phase, Ready: ready, Spec: spec}
	}
	const saved = "must-gather/quay-io/namespaces/openshift-sdn/pods/sdn-1/sdn/sdn/logs/"
	for name, c := range map[string]struct {
		source        string
		pod           *evidence.Pod
		count         int
		quiet, silent time.Duration
	}{
		"ready when asked":      {saved + "current.log", pod("Running", evidence.True, asked), 1, time.Hour, 0},
		"of the run before":     {saved + "previous.log", pod("Running", evidence.True, asked), 1, time.Hour, 0},
		"not asked, said once":  {saved + "current.log", pod("Running", evidence.True, notAsked), 1, time.Minute, time.Hour},
		"not asked, said again": {saved + "current.log", pod("Running", evidence.True, notAsked), 2, time.Hour, 0},
		"ended well":            {saved + "current.log", pod("Succeeded", evidence.False, notAsked), 1, time.Hour, 0},
		"failed":                {saved + "current.log", pod("Failed", evidence.False, notAsked), 1, time.Minute, 0},
		"not ready":             {saved + "current.log", pod("Running", evidence.False, asked), 1, time.Minute, 0},
		"not in the evidence":   {saved + "current.log", nil, 1, time.Minute, time.Hour},
		"in a dump":             {"dump.txt", pod("Running", evidence.True, asked), 1, time.Hour, 0},
		"saved by hand":         {"sdn.log", pod("Running", evidence.True, asked), 1, time.Minute, 0},
	} {
		m := &evidence.Match{Ref: evidence.Ref{Source: c.source}, Subject: evidence.PodSubject("openshift-sdn", "sdn-1"), Last: taken.Add(-time.Hour), Quiet: time.Minute, Count: c.count}
		d := &evidence.Data{TakenAt: taken, Matches: []*evidence.Match{m}}
		if c.pod != nil {
			d.Pods = append(d.Pods, c.pod)
		}
		d.Dumps = []string{"dump.txt"}
		coverSilence(d)
		if m.Quiet != c.quiet || m.Silent != c.silent {
			t.Errorf("%s: quiet for %s and silent for %s, want %s and %s", name, m.Quiet, m.Silent, c.quiet, c.silent)
		}
	}
}

// The journal of a machine continues if its kubelet stops. Only a later heartbeat of the kubelet shows that a problem is resolved.
func TestJournalsReachToTheLastHeartbeat(t *testing.T) {
	taken := time.Date(2026, 1, 17, 12, 0, 0, 0, time.UTC)
	said := taken.Add(-time.Hour)
	for name, c := range map[string]struct {
		status corev1.ConditionStatus
		heard  time.Time
		want   time.Duration
	}{
		"heard of since":     {corev1.ConditionTrue, taken.Add(-time.Minute), time.Hour},
		"heard of before":    {corev1.ConditionTrue, said.Add(-time.Minute), 0},
		"not Ready":          {corev1.ConditionFalse, taken.Add(-time.Minute), 0},
		"not in the cluster": {"", time.Time{}, 0},
	} {
		m := &evidence.Match{Ref: evidence.Ref{Source: "sosreport-n1/sos_commands/logs/journalctl_--no-pager"}, Subject: evidence.NodeSubject("n1"), Last: said, Count: 1}
		d := &evidence.Data{TakenAt: taken, Matches: []*evidence.Match{m}}
		if c.status != "" {
			n := &corev1.Node{}
			n.Name = "n1"
			n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: c.status, LastHeartbeatTime: metav1.NewTime(c.heard)}}
			d.Nodes = append(d.Nodes, &evidence.Node{Node: n})
		}
		coverSilence(d)
		if m.Quiet != c.want {
			t.Errorf("%s: quiet for %s, want %s", name, m.Quiet, c.want)
		}
	}
}
