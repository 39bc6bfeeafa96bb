//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/retry"

	"github.com/nodetriage/nodetriage/lab/azure"
	"github.com/nodetriage/nodetriage/lab/load"
)

// azureNodes are the nodes of a scenario. They follow their VMs.
type azureNodes struct {
	client   kubernetes.Interface
	store    *load.Store
	kubelets *kubelets
	stays    map[string]bool // do not follow

	mu    sync.Mutex
	alive map[string]bool
}

func newAzureNodes(client kubernetes.Interface, store *load.Store, k *kubelets, s *azure.Scenario) *azureNodes {
	a := &azureNodes{client: client, store: store, kubelets: k, stays: map[string]bool{}, alive: map[string]bool{}}
	for number, n := range s.Nodes {
		if n != nil && n.Stays {
			a.stays[n.NameAs(number)] = true
		}
	}
	return a
}

// write writes the cluster of the scenario to the store without changes.
func (a *azureNodes) write(ctx context.Context, s *azure.Scenario, now time.Time) error {
	var objects []runtime.Object
	for i, o := range s.Cluster(now) {
		raw, err := json.Marshal(o)
		if err != nil {
			return fmt.Errorf("write object %d of scenario %s: %w", i, s.Name, err)
		}
		obj, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		if err != nil {
			return fmt.Errorf("read object %d of scenario %s: %w", i, s.Name, err)
		}
		if n, ok := obj.(*corev1.Node); ok {
			a.set(n, !silent(n))
		}
		objects = append(objects, obj)
	}
	if err := a.store.Put(ctx, objects...); err != nil {
		return err
	}
	return a.beat(ctx, now)
}

// set starts or stops the heartbeats of a node and its kubelet.
func (a *azureNodes) set(n *corev1.Node, alive bool) {
	a.mu.Lock()
	a.alive[n.Name] = alive
	a.mu.Unlock()
	for _, address := range n.Status.Addresses {
		if address.Type == corev1.NodeInternalIP {
			a.kubelets.set(address.Address, alive)
		}
	}
}

// beat renews the leases of the running nodes.
func (a *azureNodes) beat(ctx context.Context, now time.Time) error {
	a.mu.Lock()
	var leases []runtime.Object
	for name, alive := range a.alive {
		if !alive {
			continue
		}
		at, seconds := metav1.NewMicroTime(now), int32(40)
		leases = append(leases, &coordinationv1.Lease{
			TypeMeta:   metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"},
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: corev1.NamespaceNodeLease, CreationTimestamp: metav1.NewTime(now)},
			Spec:       coordinationv1.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: &seconds, RenewTime: &at},
		})
	}
	a.mu.Unlock()
	return a.store.Put(ctx, leases...)
}

// follow updates a node after a change of its VM: a running VM becomes Ready, a deleted VM deletes the node. If the API
// server rejects an update, the node seems not to follow.
func (a *azureNodes) follow(ctx context.Context, m azure.Machine) {
	switch {
	case a.stays[m.Host]:
	case m.Event == "gone":
		if n, err := a.client.CoreV1().Nodes().Get(ctx, m.Host, metav1.GetOptions{}); err == nil {
			a.set(n, false)
			_ = a.client.CoreV1().Nodes().Delete(ctx, m.Host, metav1.DeleteOptions{})
		}
	default:
		_ = retry.RetryOnConflict(retry.DefaultRetry, func() error { return a.ready(ctx, m) })
	}
}

// ready makes a node Ready, as its kubelet and the controllers do. A missing node registers.
func (a *azureNodes) ready(ctx context.Context, m azure.Machine) error {
	nodes := a.client.CoreV1().Nodes()
	n, err := nodes.Get(ctx, m.Host, metav1.GetOptions{})
	if err != nil {
		n, err = nodes.Create(ctx, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: m.Host, Labels: map[string]string{"kubernetes.azure.com/agentpool": m.Pool, "agentpool": m.Pool}},
			Spec:       corev1.NodeSpec{ProviderID: m.ProviderID},
		}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("10.10.5.%d", len(a.alive))}}
		n.Status.DaemonEndpoints.KubeletEndpoint.Port = 10250
	}
	status := n.Status
	status.Conditions = nil
	raw, err := json.Marshal(azure.Conditions("True", time.Now(), time.Now()))
	if err == nil {
		err = json.Unmarshal(raw, &status.Conditions)
	}
	if err != nil {
		return err
	}
	n.Spec.Taints = slices.DeleteFunc(n.Spec.Taints, func(t corev1.Taint) bool {
		return t.Key == corev1.TaintNodeUnreachable || t.Key == corev1.TaintNodeNotReady
	})
	if n, err = nodes.Update(ctx, n, metav1.UpdateOptions{}); err != nil {
		return err
	}
	n.Status = status
	if n, err = nodes.UpdateStatus(ctx, n, metav1.UpdateOptions{}); err != nil {
		return err
	}
	a.set(n, true)
	return a.beat(ctx, time.Now())
}

func silent(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionUnknown
		}
	}
	return true
}
