package hollow

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// StopsAfter is an annotation of pods: the time that their processes take to stop, for example 10m. The grace period
// limits it, as on a machine.
const StopsAfter = "lab.nodetriage.dev/stops-after"

const (
	startTime = time.Second // from binding to running
	stopTime  = time.Second
	retryTime = time.Second
)

// pods starts and stops the pods that are bound to the node.
type pods struct {
	node *Node
	work *sync.WaitGroup

	booted bool // containers before this time are gone

	mu        sync.Mutex
	under     map[types.UID]bool // pods that a goroutine works on
	restarted map[types.UID]bool
}

// run watches the pods of the node until it is silenced.
func (p *pods) run(ctx context.Context) {
	p.under, p.restarted = map[types.UID]bool{}, map[types.UID]bool{}
	list := cache.NewListWatchFromClient(p.node.client.CoreV1().RESTClient(), "pods", metav1.NamespaceAll, fields.OneTermEqualSelector("spec.nodeName", p.node.opt.Name))
	handle := func(o any) {
		if pod, ok := o.(*corev1.Pod); ok {
			p.handle(ctx, pod)
		}
	}
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: list, ObjectType: &corev1.Pod{},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: handle, UpdateFunc: func(_, o any) { handle(o) }},
	})
	informer.RunWithContext(ctx)
}

// handle starts or stops the pod, if required and if no other goroutine does it.
func (p *pods) handle(ctx context.Context, pod *corev1.Pod) {
	var do func(context.Context, *corev1.Pod) bool
	switch {
	case pod.DeletionTimestamp != nil:
		do = p.stop
	case pod.Status.Phase == corev1.PodRunning && p.booted && !p.again(pod.UID):
		do = p.restart
	case pod.Status.Phase == corev1.PodPending, pod.Status.Phase == corev1.PodRunning && !podReady(pod):
		do = p.start
	default:
		return
	}
	p.mu.Lock()
	busy := p.under[pod.UID]
	p.under[pod.UID] = true
	p.mu.Unlock()
	if busy {
		return
	}
	p.work.Go(func() {
		for ok := do(ctx, pod); !ok && wait(ctx, retryTime); {
			ok = do(ctx, pod)
		}
		p.mu.Lock()
		delete(p.under, pod.UID)
		p.mu.Unlock()
		// Changes of the pod in the meantime are processed now.
		now, err := p.node.client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
		if err == nil && now.UID == pod.UID && ctx.Err() == nil {
			p.handle(ctx, now)
		}
	})
}

// again reports whether the containers of the pod started after the boot of the machine.
func (p *pods) again(uid types.UID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.restarted[uid]
}

// restart reports that the containers ended with the machine; start follows.
func (p *pods) restart(ctx context.Context, pod *corev1.Pod) bool {
	pod, err := p.node.client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
	if err != nil || pod.DeletionTimestamp != nil {
		return true // deleted, or another goroutine's work
	}
	if !wait(ctx, bootTime) {
		return true
	}
	now, s := metav1.Now(), &pod.Status
	for i := range s.ContainerStatuses {
		c := &s.ContainerStatuses[i]
		c.Ready, c.RestartCount = false, c.RestartCount+1
		c.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Unknown", ExitCode: 255, FinishedAt: now}}
	}
	podCondition(s, corev1.ContainersReady, corev1.ConditionFalse, now)
	podCondition(s, corev1.PodReady, corev1.ConditionFalse, now)
	if _, err = p.node.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return false
	}
	p.mu.Lock()
	p.restarted[pod.UID] = true
	p.mu.Unlock()
	return true
}

// start makes the pod run and be ready. It returns false to be retried.
func (p *pods) start(ctx context.Context, pod *corev1.Pod) bool {
	if pod.Status.Phase == corev1.PodPending && !wait(ctx, startTime) {
		return true
	}
	pod, err := p.node.client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
	if err != nil || pod.DeletionTimestamp != nil {
		return true // deleted, or another goroutine's work
	}
	now, yes := metav1.Now(), true
	s := &pod.Status
	s.Phase = corev1.PodRunning
	if s.StartTime == nil {
		s.StartTime = &now
	}
	hash := fnv.New32()
	hash.Write([]byte(pod.UID))
	sum := hash.Sum32()
	// The address is outside the default bridge ranges of a runtime, such as 10.85.0.0/16: diagnose reports such a pod
	// as a fault.
	s.PodIP = fmt.Sprintf("10.%d.%d.%d", 128+sum>>16%64, sum>>8%256, sum%250+4)
	s.PodIPs = []corev1.PodIP{{IP: s.PodIP}}
	restarts := map[string]int32{}
	for _, c := range s.ContainerStatuses {
		restarts[c.Name] = c.RestartCount
	}
	s.ContainerStatuses = nil
	for _, c := range pod.Spec.Containers {
		s.ContainerStatuses = append(s.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true, Started: &yes, RestartCount: restarts[c.Name], ContainerID: "hollow://" + string(pod.UID) + c.Name,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	for _, typ := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		podCondition(s, typ, corev1.ConditionTrue, now)
	}
	p.mu.Lock()
	p.restarted[pod.UID] = true
	p.mu.Unlock()
	_, err = p.node.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err == nil
}

// stop waits until the processes of the pod have ended, reports it, and deletes the object; finalizers may keep it.
func (p *pods) stop(ctx context.Context, pod *corev1.Pod) bool {
	took, err := time.ParseDuration(pod.Annotations[StopsAfter])
	if err != nil {
		took = stopTime
	}
	if grace := pod.DeletionGracePeriodSeconds; grace != nil {
		took = min(took, time.Duration(*grace)*time.Second)
	}
	if terminal(pod) {
		took = 0
	}
	if !wait(ctx, took) {
		return true
	}
	pods := p.node.client.CoreV1().Pods(pod.Namespace)
	current, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
	if err != nil || current.UID != pod.UID {
		return true
	}
	if !terminal(current) {
		now := metav1.Now()
		current.Status.Phase = corev1.PodSucceeded
		for i := range current.Status.ContainerStatuses {
			c := &current.Status.ContainerStatuses[i]
			c.Ready, c.State = false, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", FinishedAt: now}}
		}
		podCondition(&current.Status, corev1.ContainersReady, corev1.ConditionFalse, now)
		podCondition(&current.Status, corev1.PodReady, corev1.ConditionFalse, now)
		if _, err := pods.UpdateStatus(ctx, current, metav1.UpdateOptions{}); err != nil {
			return false
		}
	}
	if current.DeletionGracePeriodSeconds != nil && *current.DeletionGracePeriodSeconds == 0 && len(current.Finalizers) > 0 {
		return false // deleted with its last finalizer
	}
	now := metav1.NewDeleteOptions(0)
	now.Preconditions = metav1.NewUIDPreconditions(string(pod.UID))
	return pods.Delete(ctx, pod.Name, *now) == nil && len(current.Finalizers) == 0
}

func terminal(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

func podReady(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func podCondition(s *corev1.PodStatus, typ corev1.PodConditionType, status corev1.ConditionStatus, now metav1.Time) {
	for i := range s.Conditions {
		if c := &s.Conditions[i]; c.Type == typ {
			if c.Status != status {
				c.Status, c.LastTransitionTime = status, now
			}
			return
		}
	}
	s.Conditions = append(s.Conditions, corev1.PodCondition{Type: typ, Status: status, LastTransitionTime: now})
}

// wait returns false if the node was silenced first.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
