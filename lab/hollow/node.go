package hollow

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Times of a kubelet with default settings (pkg/kubelet/apis/config/v1beta1/defaults.go v1.36.3).
const (
	leaseSeconds = 40
	renewEvery   = 10 * time.Second
	lookEvery    = 10 * time.Second // nodeStatusUpdateFrequency
	reportEvery  = 5 * time.Minute  // nodeStatusReportFrequency
)

// Options configures a node.
type Options struct {
	Name   string
	Index  int // determines its address, 127.1.x.y
	Labels map[string]string
	// Client belongs to the user of the node, system:node:NAME.
	Client *rest.Config
}

// Node is one kubelet without a machine.
type Node struct {
	opt    Options
	client kubernetes.Interface
	boot   string

	look chan struct{} // requests an early status check

	mu       sync.Mutex
	broken   []corev1.NodeCondition // conditions that differ from those of a healthy node
	mounted  []corev1.UniqueVolumeName
	stop     context.CancelFunc // nil while the node is silent
	finished *sync.WaitGroup
}

// Start registers the node and starts it.
func Start(ctx context.Context, opt Options) (*Node, error) {
	config := rest.CopyConfig(opt.Client)
	config.QPS, config.Burst = 50, 100 // kubeAPIQPS and kubeAPIBurst
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make client of node %s: %w", opt.Name, err)
	}
	n := &Node{opt: opt, client: client, look: make(chan struct{}, 1), boot: fmt.Sprintf("boot-%s-%d", opt.Name, time.Now().UnixNano())}
	if err := n.register(ctx); err != nil {
		return nil, err
	}
	n.Wake()
	return n, nil
}

// Name returns the name of the node.
func (n *Node) Name() string { return n.opt.Name }

// Silence aborts every request of the node at once, as a power cut does. It returns when none is in progress.
func (n *Node) Silence() {
	n.mu.Lock()
	stop, finished := n.stop, n.finished
	n.stop = nil
	n.mu.Unlock()
	if stop != nil {
		stop()
		finished.Wait()
	}
}

// Wake starts a silent node again: it resumes its pods and processes deletions.
func (n *Node) Wake() { n.live(false) }

func (n *Node) live(booted bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stop != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	n.stop, n.finished = cancel, &sync.WaitGroup{}
	pods := &pods{node: n, work: n.finished, booted: booted}
	n.finished.Go(func() { n.renew(ctx) })
	n.finished.Go(func() { n.report(ctx) })
	n.finished.Go(func() { pods.run(ctx) })
}

// Condition sets a condition of the node from its next status check, within ten seconds. A condition type that kubelets
// do not have is added, as monitors do.
func (n *Node) Condition(typ corev1.NodeConditionType, status corev1.ConditionStatus, reason, message string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broken = append(n.broken, corev1.NodeCondition{Type: typ, Status: status, Reason: reason, Message: message})
}

// Well reverts Condition.
func (n *Node) Well() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broken = nil
}

// register creates the Node object as a kubelet does, or keeps the existing one.
func (n *Node) register(ctx context.Context) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.opt.Name, Labels: map[string]string{
		corev1.LabelHostname: n.opt.Name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
	}, Annotations: map[string]string{"volumes.kubernetes.io/controller-managed-attach-detach": "true"}}}
	for k, v := range n.opt.Labels {
		node.Labels[k] = v
	}
	n.fill(&node.Status, time.Now())
	_, err := n.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("register node %s: %w", n.opt.Name, err)
	}
	n.event(ctx, "Starting", "Starting kubelet.")
	return nil
}

// event records an event of the kubelet about the node, asynchronously.
func (n *Node) event(ctx context.Context, reason, message string) {
	now := metav1.Now()
	_, _ = n.client.CoreV1().Events(metav1.NamespaceDefault).Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: fmt.Sprintf("%s.%x", n.opt.Name, now.UnixNano()), Namespace: metav1.NamespaceDefault},
		InvolvedObject: corev1.ObjectReference{Kind: "Node", Name: n.opt.Name, UID: "", APIVersion: "v1"},
		Reason:         reason, Message: message, Type: corev1.EventTypeNormal, Count: 1, FirstTimestamp: now, LastTimestamp: now,
		Source: corev1.EventSource{Component: "kubelet", Host: n.opt.Name},
	}, metav1.CreateOptions{})
}

// each calls f now and then every period until the node is silenced.
func each(ctx context.Context, period time.Duration, f func()) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		f()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
