package collect

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// dated is evidence with times as offsets from noon.
type dated struct{ evidence.Data }

func (d *dated) node(name string, ready corev1.ConditionStatus, heartbeat time.Duration) *dated {
	d.Nodes = append(d.Nodes, evidence.FromNode(&corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.Time{Time: noon.Add(-time.Hour)}},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
			{Type: corev1.NodeReady, Status: ready, LastHeartbeatTime: metav1.Time{Time: noon.Add(heartbeat)}},
		}},
	}))
	return d
}

func (d *dated) lease(namespace, name string, renewed time.Duration) *dated {
	d.Leases = append(d.Leases, &evidence.Lease{Namespace: namespace, Name: name, Renewed: noon.Add(renewed)})
	return d
}

// well adds a Ready node and its lease.
func (d *dated) well(name string, renewed time.Duration) *dated {
	return d.node(name, corev1.ConditionTrue, renewed-time.Minute).lease(corev1.NamespaceNodeLease, name, renewed)
}

func (d *dated) silent(name string, renewed time.Duration) *dated {
	return d.node(name, corev1.ConditionUnknown, renewed).lease(corev1.NamespaceNodeLease, name, renewed)
}

func (d *dated) event(host string, at time.Duration) *dated {
	d.Events = append(d.Events, &evidence.Event{Object: evidence.PodSubject("shop", "web"), Host: host, Reason: "Started", Last: noon.Add(at)})
	return d
}

func (d *dated) report(node string, at time.Duration) *dated {
	d.NodeReports = append(d.NodeReports, &nodereport.Report{Kind: nodereport.Kind, Node: node, TakenAt: noon.Add(at)})
	return d
}

func (d *dated) pod(created time.Duration) *dated {
	d.Pods = append(d.Pods, &evidence.Pod{Namespace: "shop", Name: "web", Created: noon.Add(created)})
	return d
}

func (d *dated) line(node string, at time.Duration) *dated {
	d.Matches = append(d.Matches, &evidence.Match{Subject: evidence.NodeSubject(node), Last: noon.Add(at)})
	return d
}

// One wrong clock does not move the time of the evidence; files that were saved later do.
func TestNow(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, c := range map[string]struct {
		d    *dated
		want time.Duration
	}{
		"clocks agree":                               {new(dated).well("a", 0).well("b", 3*time.Second).well("c", -4*time.Second), 3 * time.Second},
		"one of three is ahead":                      {new(dated).well("a", 0).well("b", year).well("c", -4*time.Second), 0},
		"one of three is ahead by two minutes":       {new(dated).well("a", 0).well("b", 2*time.Minute).well("c", -4*time.Second), 0},
		"half are ahead, each by its own":            {new(dated).well("a", 0).well("b", 3*time.Hour).well("c", 5*time.Second).well("d", year), 5 * time.Second},
		"what the node ahead dated is left out":      {new(dated).well("a", 0).well("b", time.Hour).well("c", 0).event("b", time.Hour).report("b", time.Hour).line("b", time.Hour), 0},
		"one of two, by the API server's lease":      {new(dated).well("a", 0).well("b", 10*time.Minute).lease("kube-system", "apiserver-x", 2*time.Second), 2 * time.Second},
		"one of one, by the API server's lease":      {new(dated).well("a", time.Hour).lease("kube-system", "apiserver-x", 0), 0},
		"one of two, by what was made an hour ago":   {new(dated).well("a", 0).well("b", year), 0},
		"two that differ by minutes: the newest":     {new(dated).well("a", 0).well("b", 10*time.Minute), 10 * time.Minute},
		"most are silent: who is heard of is right":  {new(dated).silent("a", -3*time.Hour).silent("b", -3*time.Hour).well("c", 0), 0},
		"nodes that died and nobody noticed":         {new(dated).well("a", -3*time.Hour).well("b", -3*time.Hour).well("c", 0).lease("kube-system", "apiserver-x", 0), 0},
		"heartbeats alone differ by five minutes":    {new(dated).node("a", corev1.ConditionTrue, -5*time.Minute).node("b", corev1.ConditionTrue, 0).node("c", corev1.ConditionTrue, -5*time.Minute), 0},
		"heartbeats alone, one is ahead":             {new(dated).node("a", corev1.ConditionTrue, -5*time.Minute).node("b", corev1.ConditionTrue, time.Hour).node("c", corev1.ConditionTrue, 0), 0},
		"most were read before a pod was made":       {new(dated).node("a", corev1.ConditionTrue, -24*time.Hour).node("b", corev1.ConditionTrue, -24*time.Hour).node("c", corev1.ConditionFalse, 0).pod(-2 * time.Hour), 0},
		"one was ahead, and its events tell of it":   {new(dated).well("a", 0).well("b", 0).well("c", 0).event("b", 2*time.Hour), 0},
		"events that were saved later":               {new(dated).well("a", 0).well("b", 0).well("c", 0).event("b", 2*time.Hour).event("c", 110*time.Minute), 2 * time.Hour},
		"a report that was taken later":              {new(dated).well("a", 0).well("b", 0).well("c", 0).report("a", time.Hour), time.Hour},
		"a report of another year":                   {new(dated).well("a", 0).well("b", 0).well("c", 0).report("a", year), 0},
		"a log that was saved later":                 {new(dated).well("a", 0).line("a", 2*time.Hour), 2 * time.Hour},
		"lines of a log of a node that has reported": {new(dated).well("a", 0).report("a", time.Minute).line("a", 2*time.Hour), time.Minute},
		"a line of another year":                     {new(dated).well("a", 0).line("", year), 0},
		"nothing but a log":                          {new(dated).line("", year), year},
		"one of three API servers is ahead":          {new(dated).well("a", 0).lease("kube-system", "apiserver-x", year).lease("kube-system", "apiserver-y", 0).lease("kube-system", "apiserver-z", time.Second), time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			if got := now(&c.d.Data, nil, nil); !got.Equal(noon.Add(c.want)) {
				t.Errorf("%s after noon, want %s", got.Sub(noon), c.want)
			}
		})
	}
}

// The time that the source reports is the time of the evidence, even if nodes report another.
func TestToldTime(t *testing.T) {
	b := NewBuilder(evidence.Source{Kind: "cluster"}, &signatures.Set{})
	b.TakenAt(noon)
	b.AddReport(&nodereport.Report{Kind: nodereport.Kind, Node: "a", TakenAt: noon.Add(8760 * time.Hour)})
	if got := b.Snapshot().TakenAt(); !got.Equal(noon) {
		t.Errorf("the evidence is of %s", got)
	}
}

// Logs with the same local clock share one time, with or without a year in their lines. A line in UTC gives no year to others.
func TestTimeOfLogsWithoutYear(t *testing.T) {
	const yearless = "Apr 15 15:30:18 n1 kubelet[9]: E0415 15:30:18.852805 9 reflector.go:125] Unauthorized\n"
	for name, c := range map[string]struct{ dated, want string }{
		"the same clock": {"2019-04-15 08:52:34.876935 W | rafthttp: the clock difference against peer 25b94689aa475203 is too high [1.067724035s > 1s]\n", "2019-04-15T15:30:18Z"},
		"UTC":            {`time="2019-04-15T08:52:34Z" level=fatal msg="no space left on device"` + "\n", "2019-04-15T08:52:34Z"},
	} {
		t.Run(name, func(t *testing.T) {
			b := builderWithSignatures(t)
			b.AddStream("etcd.log", strings.NewReader(c.dated))
			b.AddStream("kubelet.log", strings.NewReader(yearless))
			if got := b.Snapshot().TakenAt().Format(time.RFC3339); got != c.want {
				t.Errorf("the evidence is of %s, want %s", got, c.want)
			}
		})
	}
}

// A table has only ages. Without any other time, the caller's assumed time counts.
func TestAssumedTime(t *testing.T) {
	const table = "NAME   STATUS   ROLES    AGE   VERSION\nn1     Ready    <none>   10m   v1.33.2\n"
	b := builderWithSignatures(t)
	b.AddStream("nodes.txt", strings.NewReader(table))
	b.Assume(noon)
	s := b.Snapshot()
	if !s.TakenAt().Equal(noon) || !s.Node("n1").CreationTimestamp.Time.Equal(noon.Add(-10*time.Minute)) {
		t.Errorf("the evidence is of %s, the node of %s", s.TakenAt(), s.Node("n1").CreationTimestamp)
	}
	b = builderWithSignatures(t)
	b.AddStream("nodes.txt", strings.NewReader(table))
	b.AddStream("lease.json", strings.NewReader(`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"n1","namespace":"kube-node-lease"},"spec":{"renewTime":"2026-11-20T11:00:00.000000Z"}}`))
	b.Assume(noon)
	if s := b.Snapshot(); !s.TakenAt().Equal(noon.Add(-time.Hour)) {
		t.Errorf("evidence that tells its time is of %s", s.TakenAt())
	}
}
