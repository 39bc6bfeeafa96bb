package execute

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/wording"
)

// CanaryOptions configure where and how a canary runs.
type CanaryOptions struct {
	Reader    *kube.Reader
	Writer    *kube.Writer
	By        string // user or program, for the mark
	Node      *corev1.Node
	Namespace string
	Image     string // busybox, or an image with its sh, nslookup, wget and httpd
	Timeout   time.Duration
}

const (
	// canaryLife is the activeDeadlineSeconds of a canary. The run that owns an older canary has ended.
	canaryLife = 10 * time.Minute
	// MaxCanary is the maximum timeout of a canary.
	MaxCanary = canaryLife / 2
	// leaving is the time for graceful deletion before a forced deletion. A canary has no volumes.
	leaving = 15 * time.Second
	// look is the polling interval for pods.
	look = 300 * time.Millisecond
)

// canary is one run: pods on the node, and a peer pod on another node.
type canary struct {
	opt   CanaryOptions
	run   string
	host  string
	made  []made
	steps []verify.Step
}

// made is a pod whose creation was requested. Without a UID it is unknown whether the pod exists.
type made struct{ name, uid string }

// Canary tests that a pod can be scheduled and started on the node, and which network paths work inside it. It deletes
// its pods before it returns, also after an error. It first deletes pods that a killed run left behind.
func Canary(ctx context.Context, opt CanaryOptions) []verify.Step {
	c := &canary{opt: opt, run: newRun()}
	var err error
	if c.host, err = os.Hostname(); err != nil {
		c.host = "unknown-" + c.run
	}
	if opt.Node.Status.NodeInfo.OperatingSystem == "windows" {
		c.unknown("canary-placed", "the canary is a Linux pod, but the node runs Windows")
		return c.steps
	}
	begin := time.Now()
	work, cancel := context.WithTimeout(ctx, opt.Timeout)
	defer cancel()
	c.sweep(work, begin)
	c.fly(work)
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer stop()
	c.remove(end)
	return c.steps
}

// titles of the steps, in order.
var titles = map[string]string{
	"canary-leftovers": "leftovers", "canary-placed": "placed", "canary-started": "started", "canary-resolves": "resolves",
	"canary-api": "reaches API", "canary-to-peer": "to a peer", "canary-from-peer": "from a peer", "canary-removed": "removed",
}

func (c *canary) step(id string, result verify.Result, took time.Duration, detail string) {
	s := verify.Step{ID: id, Title: titles[id], Result: result, Detail: detail}
	if took > 0 {
		s.Took = fmt.Sprintf("%.1fs", took.Seconds())
	}
	c.steps = append(c.steps, s)
}

func (c *canary) unknown(id, why string) { c.step(id, verify.Unknown, 0, why) }

// fly runs the canary. It starts the peer first because the canary needs its address.
func (c *canary) fly(ctx context.Context) {
	on, alone := c.otherNode(ctx)
	peer, lonely := c.peer(ctx, on, alone)
	pod := c.pod("", c.opt.Node, c.checks(peer)...)
	begin := time.Now()
	if err := c.create(ctx, pod); err != nil {
		c.step("canary-placed", c.failed(ctx, err), time.Since(begin), "the pod was not created: "+err.Error())
		return
	}
	placed, err := c.wait(ctx, pod.Name, placing, isPlaced)
	if err != nil {
		c.step("canary-placed", c.failed(ctx, err), time.Since(begin), err.Error())
		return
	}
	c.step("canary-placed", verify.Clear, time.Since(begin), fmt.Sprintf("the scheduler placed %s/%s on it", placed.Namespace, placed.Name))
	begin = time.Now()
	started, err := c.wait(ctx, pod.Name, 0, isStarted)
	if err != nil {
		c.step("canary-started", c.failed(ctx, err), time.Since(begin), err.Error()+c.lastEvent(ctx, pod.Name))
		return
	}
	c.step("canary-started", verify.Clear, time.Since(begin), "its containers are running, its IP address is "+started.Status.PodIP)
	c.report(ctx, pod.Name, "canary-resolves", "resolves", "a cluster name was resolved")
	c.report(ctx, pod.Name, "canary-api", "api", "the API server answered at its Service address")
	if peer == nil {
		c.unknown("canary-to-peer", lonely)
		c.unknown("canary-from-peer", lonely)
		return
	}
	c.report(ctx, pod.Name, "canary-to-peer", "peer", "a pod on "+on.Name+" answered")
	caller := c.pod("caller", on, check("caller", askPeer, "PEER", started.Status.PodIP, "NAME", pod.Name))
	if err := c.create(ctx, caller); err != nil {
		c.unknown("canary-from-peer", "the caller on "+on.Name+" was not created: "+err.Error())
		return
	}
	c.report(ctx, caller.Name, "canary-from-peer", "caller", "it answered a pod on "+on.Name)
}

// failed distinguishes a failed canary from one that could not run: forbidden, denied or interrupted.
func (c *canary) failed(ctx context.Context, err error) verify.Result {
	switch reason := kube.ReasonOf(err); {
	case errors.Is(context.Cause(ctx), context.Canceled), reason == kube.Forbidden, reason == kube.Denied, reason == kube.Unauthorized, reason == kube.Unreachable, reason == kube.Timeout, reason == kube.Unavailable:
		return verify.Unknown
	}
	return verify.NotClear
}

// peer starts the pod on the other node. It returns nil and a reason if that fails, which is not a fault of this node.
func (c *canary) peer(ctx context.Context, on *corev1.Node, alone string) (*corev1.Pod, string) {
	if on == nil {
		return nil, alone
	}
	pod := c.pod("peer", on, serve())
	err := c.create(ctx, pod)
	if err != nil {
		return nil, "the peer on " + on.Name + " was not created: " + err.Error()
	}
	started, err := c.wait(ctx, pod.Name, c.opt.Timeout/3, isStarted)
	if err != nil {
		return nil, "the peer on " + on.Name + " did not start: " + err.Error()
	}
	return started, ""
}

// otherNode returns a Ready node other than the node of the canary, from the first nodes of the cluster.
func (c *canary) otherNode(ctx context.Context) (*corev1.Node, string) {
	var best *corev1.Node
	q := kube.Query{Fields: "metadata.name!=" + c.opt.Node.Name, PageSize: 50, MaxPages: 1}
	_, err := kube.List(ctx, c.opt.Reader, kube.Nodes, q, func(page []corev1.Node) error {
		for i := range page {
			if best == nil && takesPeer(&page[i]) {
				best = &page[i]
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, "another node was not found: " + err.Error()
	case best == nil:
		return nil, "there is no other Ready node to connect to"
	}
	return best, ""
}

// takesPeer reports whether the peer can run on the node.
func takesPeer(n *corev1.Node) bool {
	ready := (&evidence.Node{Node: n}).Ready() == evidence.True
	return ready && !n.Spec.Unschedulable && n.Status.NodeInfo.OperatingSystem != "windows" && !faulty(n)
}

func faulty(n *corev1.Node) bool {
	for _, t := range n.Spec.Taints {
		if verify.IsFault(t) {
			return true
		}
	}
	return false
}

func (c *canary) create(ctx context.Context, pod *corev1.Pod) error {
	c.made = append(c.made, made{name: pod.Name})
	got, err := kube.Create(ctx, c.opt.Writer, kube.Pods, pod.Namespace, pod.Name, pod)
	if kube.ReasonOf(err) == kube.Conflict { // an earlier attempt succeeded but its answer was lost
		got, err = c.own(ctx, pod.Name)
	}
	if err != nil {
		return err
	}
	c.made[len(c.made)-1].uid = string(got.UID)
	return nil
}

// own reads a pod of this run.
func (c *canary) own(ctx context.Context, name string) (*corev1.Pod, error) {
	pod, err := kube.Get(ctx, c.opt.Reader, kube.Pods, c.opt.Namespace, name)
	if err != nil {
		return nil, err
	}
	if m := evidence.ReadMark(pod.Annotations, markCanary); m == nil || m.Run != c.run {
		return nil, fmt.Errorf("pod %s does not belong to this canary", name)
	}
	return pod, nil
}

// remove deletes every pod of this run.
func (c *canary) remove(ctx context.Context) {
	if len(c.made) == 0 {
		return
	}
	begin := time.Now()
	var left []string
	forced := 0
	for i := range c.made {
		m := &c.made[i]
		if m.uid == "" {
			if pod, err := c.own(ctx, m.name); err == nil {
				m.uid = string(pod.UID)
			} else if kube.ReasonOf(err) != kube.NotFound {
				left = append(left, m.name+": "+err.Error())
			}
		}
		if m.uid != "" {
			_ = c.delete(ctx, *m, time.Second) // gone reports the result
		}
	}
	for _, m := range c.made {
		if m.uid == "" || c.gone(ctx, m, leaving-time.Since(begin)) {
			continue
		}
		forced++
		err := c.delete(ctx, m, 0)
		if !c.gone(ctx, m, leaving/3) {
			left = append(left, strings.TrimSuffix(fmt.Sprintf("%s: %v", m.name, err), ": <nil>"))
		}
	}
	switch {
	case len(left) > 0:
		c.step("canary-removed", verify.NotClear, time.Since(begin), "still existing: "+strings.Join(left, ", "))
		c.steps[len(c.steps)-1].How = shell.Format("kubectl delete pod -n {namespace} -l "+canaryLabel+"; or run verify --canary again", c.opt.Namespace)
	case forced > 0:
		c.step("canary-removed", verify.NotClear, time.Since(begin), fmt.Sprintf("its node did not terminate %d of them in %s: force-deleted", forced, wording.Duration(leaving)))
	default:
		c.step("canary-removed", verify.Clear, time.Since(begin), fmt.Sprintf("all %d pods are deleted", len(c.made)))
	}
}

func (c *canary) delete(ctx context.Context, m made, grace time.Duration) error {
	err := kube.Delete(ctx, c.opt.Writer, kube.Pods, c.opt.Namespace, m.name, m.uid, grace)
	if r := kube.ReasonOf(err); r == kube.NotFound || r == kube.Conflict { // deleted, or another pod with the same name
		return nil
	}
	return err
}

// gone waits until the pod does not exist.
func (c *canary) gone(ctx context.Context, m made, within time.Duration) bool {
	end := time.Now().Add(within)
	for {
		pod, err := kube.Get(ctx, c.opt.Reader, kube.Pods, c.opt.Namespace, m.name)
		if kube.ReasonOf(err) == kube.NotFound || err == nil && string(pod.UID) != m.uid {
			return true
		}
		if time.Now().After(end) || !pause(ctx, look) {
			return false
		}
	}
}

// sweep deletes the pods of canaries that were killed. It skips pods without a mark and pods whose owner still runs.
func (c *canary) sweep(ctx context.Context, begin time.Time) {
	var dead []corev1.Pod
	find := func(namespace string) error {
		_, err := kube.List(ctx, c.opt.Reader, kube.Pods, kube.Query{Namespace: namespace, Labels: canaryLabel}, func(page []corev1.Pod) error {
			for _, pod := range page {
				if m := evidence.ReadMark(pod.Annotations, markCanary); m != nil && !c.alive(m) {
					dead = append(dead, pod)
				}
			}
			return nil
		})
		return err
	}
	err := find("")
	if kube.ReasonOf(err) == kube.Forbidden {
		err = find(c.opt.Namespace)
	}
	for _, pod := range dead {
		err = errors.Join(err, kube.Delete(ctx, c.opt.Writer, kube.Pods, pod.Namespace, pod.Name, string(pod.UID), time.Second))
	}
	switch {
	case err != nil:
		c.unknown("canary-leftovers", "pods of earlier canaries: "+err.Error())
	case len(dead) > 0:
		c.step("canary-leftovers", verify.Clear, time.Since(begin), fmt.Sprintf("removed %d leftover pods of an earlier canary", len(dead)))
	}
}

// alive reports whether the run of the mark is still active. On this machine it checks the process.
func (c *canary) alive(m *evidence.Mark) bool {
	now := c.opt.Reader.ServerTime()
	return now.Sub(m.At) < canaryLife && (m.Host != c.host || runs(m.PID))
}
