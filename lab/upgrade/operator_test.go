//go:build unix

package upgrade_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// settings of a replacement, as the operator of a provider gets them.
type settings struct {
	Style          string // plain, aks, eks, gke or gke-blue-green
	Surge          int
	MaxUnavailable int
	Timeout        time.Duration // of the drain of a node; 0: none
	Late           string        // what happens to a node that is not empty in time: stop, quarantine or force
}

func (s settings) String() string {
	return fmt.Sprintf("%s, surge %d, max unavailable %d, drain timeout %s %s", s.Style, s.Surge, s.MaxUnavailable, s.Timeout, s.Late)
}

// ahead: nodes are added once, before the first drain.
func (s settings) ahead() bool { return s.Style != "plain" }

// inPlace: a node keeps its name and gets another image.
func (s settings) inPlace() bool { return s.Style == "aks" || s.Style == "gke" }

// closes: all old nodes are cordoned before the first drain.
func (s settings) closes() bool { return s.Style == "eks" || s.blueGreen() }

// blueGreen: as many nodes are added as there are old ones, and they stay.
func (s settings) blueGreen() bool { return s.Style == "gke-blue-green" }

func (s settings) width() int {
	switch {
	case s.Style == "gke":
		return s.Surge + s.MaxUnavailable
	case s.closes():
		return s.MaxUnavailable
	case s.Surge > 0:
		return s.Surge
	}
	return s.MaxUnavailable
}

const (
	machineStarts = 2 * time.Second // before its kubelet
	beforeEnd     = time.Minute     // time that EKS waits before it ends an empty node, for load balancers to react
	tryAgain      = 2 * time.Second // until a refused eviction is retried
	// hangs is the time without a change after which a drain without a timeout counts as hung. It is longer than any
	// pod of these clusters takes to start or end, and longer than the scheduler waits before it retries a pod.
	hangs = 20 * time.Second
)

// operator replaces a pool, and records the result. It does not know the plan.
type operator struct {
	settings
	pool  string
	names []string // of the nodes of the pool
	see   *observer
	first map[string]bool // names of the initial pods
	began time.Time

	steps [][]string
	added []string
	took  time.Duration

	mu     sync.Mutex
	stuck  map[string]stuckNode
	forced []string
	apart  int
}

// stuckNode is a node that did not become empty.
type stuckNode struct {
	at   time.Duration
	pods map[string]string // with the last response of the API server
}

// errEnd ends the replacement early.
var errEnd = errors.New("the replacement ends here")

// run replaces all nodes, in the order of their names.
func (o *operator) run(ctx context.Context) error {
	o.began, o.stuck = time.Now(), map[string]stuckNode{}
	err := o.replace(ctx)
	if errors.Is(err, errEnd) {
		err = nil
	}
	if o.took == 0 {
		o.took = time.Since(o.began)
	}
	return err
}

func (o *operator) replace(ctx context.Context) error {
	order := slices.Sorted(slices.Values(o.names))
	if o.ahead() {
		if err := o.add(ctx, o.Surge); err != nil {
			return err
		}
	}
	surges := o.added
	if o.closes() {
		for _, n := range order {
			if err := o.close(ctx, n, true); err != nil {
				return err
			}
		}
	}
	for len(order) > 0 {
		width := o.width() - o.apart
		if o.apart > 0 && width <= 0 {
			return errEnd // no added node is left as a replacement
		}
		now := order[:min(width, len(order))]
		order = order[len(now):]
		if err := o.batch(ctx, now); err != nil {
			return err
		}
	}
	surges = surges[:max(0, len(surges)-o.apart)]
	if !o.ahead() || o.blueGreen() || len(surges) == 0 {
		return nil
	}
	o.steps = append(o.steps, surges)
	return o.each(ctx, surges, o.remove)
}

// batch replaces some nodes at a time.
func (o *operator) batch(ctx context.Context, now []string) error {
	o.steps = append(o.steps, now)
	if !o.ahead() {
		if err := o.add(ctx, min(o.Surge, len(now))); err != nil {
			return err
		}
	}
	return o.each(ctx, now, func(ctx context.Context, node string) error {
		switch {
		case o.inPlace():
			return o.renew(ctx, node)
		case o.blueGreen():
			return nil // it stays cordoned
		case o.Style == "eks":
			time.Sleep(beforeEnd)
		}
		if err := o.remove(ctx, node); err != nil || o.Style == "plain" && o.Surge > 0 {
			return err
		}
		return o.add(ctx, 1)
	})
}

// each cordons the nodes, and then drains them in parallel; then calls f for each node when it is empty.
func (o *operator) each(ctx context.Context, nodes []string, then func(context.Context, string) error) error {
	for _, n := range nodes {
		if err := o.close(ctx, n, true); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan error, len(nodes))
	for _, n := range nodes {
		go func() {
			empty, err := o.drain(ctx, n)
			if err == nil && empty {
				err = then(ctx, n)
			}
			results <- err
		}()
	}
	var first error
	for range nodes {
		err := <-results
		if err == nil || first != nil {
			continue
		}
		if first = err; o.Timeout > 0 || !errors.Is(err, errEnd) {
			cancel() // the others remain unchanged
		}
	}
	return first
}

// drain evicts the pods of the node repeatedly, until it is empty or times out.
func (o *operator) drain(ctx context.Context, node string) (empty bool, err error) {
	begin, refused := time.Now(), map[string]string{}
	tried := map[types.UID]time.Time{}
	for ctx.Err() == nil {
		left := o.see.on(node)
		if len(left) == 0 {
			return true, nil
		}
		for _, p := range left {
			if p.DeletionTimestamp != nil || time.Since(tried[p.UID]) < tryAgain {
				continue
			}
			tried[p.UID] = time.Now()
			err := client.CoreV1().Pods(p.Namespace).EvictV1(ctx, &policyv1.Eviction{
				ObjectMeta: metav1.ObjectMeta{Name: p.Name}, DeleteOptions: &metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(p.UID))}})
			if err != nil && !apierrors.IsNotFound(err) {
				refused[p.Name] = words(err)
			} else {
				delete(refused, p.Name)
			}
		}
		if o.Timeout > 0 && time.Since(begin) >= o.Timeout {
			return o.late(ctx, node, left, refused)
		}
		if o.Timeout == 0 && o.see.quiet() > hangs {
			o.see.mu.Lock()
			at := o.see.changed.Sub(o.began)
			o.see.mu.Unlock()
			o.note(node, max(at, begin.Sub(o.began)), left, refused)
			return false, errEnd
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return false, ctx.Err()
}

// words returns the message of the API server for a refusal, with its causes.
func words(err error) string {
	out := err.Error()
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Details != nil {
		for _, c := range status.Status().Details.Causes {
			out += "; " + c.Message
		}
	}
	return out
}

func (o *operator) note(node string, at time.Duration, left []*corev1.Pod, refused map[string]string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := stuckNode{at, map[string]string{}}
	for _, p := range left {
		s.pods[p.Name] = refused[p.Name]
	}
	o.stuck[node] = s
	o.took = max(o.took, at)
}

// late returns the time by which a node must be empty.
func (o *operator) late(ctx context.Context, node string, left []*corev1.Pod, refused map[string]string) (empty bool, err error) {
	o.note(node, time.Since(o.began), left, refused)
	switch {
	case o.Late == "stop", o.Late == "quarantine" && slices.Contains(o.added, node):
		return false, errEnd
	case o.Late == "quarantine":
		o.mu.Lock()
		o.apart++
		o.took = 0 // the drain continues
		o.mu.Unlock()
		return false, nil
	}
	o.mu.Lock()
	o.took = 0
	o.mu.Unlock()
	if o.Style == "eks" { // the VM is deleted with its pods
		for _, p := range left {
			if p.DeletionTimestamp == nil {
				o.force(p)
			}
		}
		return true, nil
	}
	for _, p := range left {
		options := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(p.UID))}
		if p.DeletionTimestamp != nil {
			options.GracePeriodSeconds = new(int64)
		} else {
			o.force(p)
		}
		if err := client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, options); err != nil && !apierrors.IsNotFound(err) {
			return false, err
		}
	}
	return true, until(ctx, "the end of what was on "+node, func() bool { return len(o.see.on(node)) == 0 })
}

func (o *operator) force(p *corev1.Pod) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.forced = append(o.forced, p.Namespace+"/"+p.Name)
}

// close cordons or uncordons a node and waits for the taint, because the scheduler checks it.
func (o *operator) close(ctx context.Context, node string, closed bool) error {
	patch := fmt.Sprintf(`{"spec":{"unschedulable":%t}}`, closed)
	if _, err := client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		return err
	}
	return until(ctx, "the taint of "+node, func() bool {
		n, err := client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		return err == nil && closed == slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeUnschedulable })
	})
}

// add creates nodes of the pool, and waits until pods can be scheduled to them.
func (o *operator) add(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	time.Sleep(machineStarts)
	names, err := plane.AddHollow(ctx, n, map[string]string{"pool": o.pool})
	if err != nil {
		return err
	}
	slices.SortFunc(names, byNumber)
	o.mu.Lock()
	o.added = append(o.added, names...)
	o.mu.Unlock()
	return o.open(ctx, names...)
}

// byNumber sorts names in the order of creation of their nodes.
func byNumber(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// open waits until pods can be scheduled to the nodes, also for the scheduler, which is informed later.
func (o *operator) open(ctx context.Context, names ...string) error {
	for _, name := range names {
		err := until(ctx, name+" to take pods", func() bool {
			n, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
			return err == nil && len(n.Spec.Taints) == 0 && !n.Spec.Unschedulable && slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
				return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
			})
		})
		if err != nil {
			return err
		}
		if err := known(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// known waits until the scheduler binds a test pod to the node, and deletes the pod.
func known(ctx context.Context, node string) error {
	now := int64(0)
	pods := client.CoreV1().Pods(metav1.NamespaceDefault)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "canary-"}, Spec: corev1.PodSpec{
		TerminationGracePeriodSeconds: &now, Containers: []corev1.Container{{Name: "main", Image: "canary"}},
		Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{
				{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}},
			}}},
		}}},
	}}
	made, err := pods.Create(ctx, pod, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	err = until(ctx, "the scheduler to know "+node, func() bool {
		p, err := pods.Get(ctx, made.Name, metav1.GetOptions{})
		return err == nil && p.Spec.NodeName == node
	})
	return errors.Join(err, pods.Delete(context.WithoutCancel(ctx), made.Name, metav1.DeleteOptions{GracePeriodSeconds: &now}))
}

// remove deletes a node.
func (o *operator) remove(ctx context.Context, node string) error {
	plane.Hollow(node).Silence()
	return client.CoreV1().Nodes().Delete(ctx, node, metav1.DeleteOptions{})
}

// renew restarts an empty node with its new image.
func (o *operator) renew(ctx context.Context, node string) error {
	plane.Hollow(node).Silence()
	time.Sleep(machineStarts)
	plane.Hollow(node).Boot()
	err := until(ctx, node+" to say that it starts", func() bool {
		n, err := client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		return err == nil && n.Status.NodeInfo.BootID != "" && slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
			return c.Type == corev1.NodeReady && c.Status == corev1.ConditionFalse
		})
	})
	if err != nil {
		return err
	}
	if err := until(ctx, node+" to be ready", func() bool {
		n, err := client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		return err == nil && slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
			return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
		})
	}); err != nil {
		return err
	}
	if err := o.close(ctx, node, false); err != nil {
		return err
	}
	return o.open(ctx, node)
}
