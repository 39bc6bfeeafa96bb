package hollow

import (
	"context"
	"fmt"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// renew renews the lease of the node.
func (n *Node) renew(ctx context.Context) {
	leases := n.client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	each(ctx, renewEvery, func() {
		now, seconds := metav1.NewMicroTime(time.Now()), int32(leaseSeconds)
		lease, err := leases.Get(ctx, n.opt.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			lease = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: n.opt.Name}}
			lease.Spec = coordinationv1.LeaseSpec{HolderIdentity: &n.opt.Name, LeaseDurationSeconds: &seconds, RenewTime: &now}
			if node, err := n.client.CoreV1().Nodes().Get(ctx, n.opt.Name, metav1.GetOptions{}); err == nil {
				lease.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}}
			}
			_, _ = leases.Create(ctx, lease, metav1.CreateOptions{})
			return
		}
		if err == nil { // a failed call is retried at the next tick
			lease.Spec.RenewTime = &now
			_, _ = leases.Update(ctx, lease, metav1.UpdateOptions{})
		}
	})
}

// report checks the node every ten seconds. It posts the status if it differs from the API server or is five minutes
// old (pkg/kubelet/kubelet_node_status.go tryUpdateNodeStatus v1.36.3).
func (n *Node) report(ctx context.Context) {
	var posted time.Time
	look := func() {
		node, err := n.client.CoreV1().Nodes().Get(ctx, n.opt.Name, metav1.GetOptions{})
		if err != nil { // a kubelet does not recreate its deleted Node without a restart
			return
		}
		now := time.Now()
		was, before := ready(node.Status), node.Status.DeepCopy()
		n.fill(&node.Status, now)
		if sameButBeats(*before, node.Status) && now.Sub(posted) < reportEvery {
			return
		}
		if _, err := n.client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{}); err != nil {
			return
		}
		posted = now
		if is := ready(node.Status); is != was {
			reason := map[bool]string{true: "NodeReady", false: "NodeNotReady"}[is == corev1.ConditionTrue]
			n.event(ctx, reason, fmt.Sprintf("Node %s status is now: %s", n.opt.Name, reason))
		}
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		look()
		select {
		case <-tick.C:
		case <-n.look:
		case <-ctx.Done():
			return
		}
	}
}

func ready(s corev1.NodeStatus) corev1.ConditionStatus {
	for _, c := range s.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status
		}
	}
	return corev1.ConditionUnknown
}

func sameButBeats(a, b corev1.NodeStatus) bool {
	plain := func(s corev1.NodeStatus) corev1.NodeStatus {
		s = *s.DeepCopy()
		for i := range s.Conditions {
			s.Conditions[i].LastHeartbeatTime = metav1.Time{}
		}
		return s
	}
	return equality.Semantic.DeepEqual(plain(a), plain(b))
}

// fill writes the status of the node; conditions of other writers remain.
func (n *Node) fill(s *corev1.NodeStatus, now time.Time) {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("16Gi"),
		corev1.ResourcePods: resource.MustParse("110"), corev1.ResourceEphemeralStorage: resource.MustParse("100Gi"),
	}
	s.Capacity, s.Allocatable = room, room
	// With a loopback address the node proxy of the API server rejects the node instead of calling another machine.
	s.Addresses = []corev1.NodeAddress{
		{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("127.1.%d.%d", n.opt.Index/250, n.opt.Index%250+4)},
		{Type: corev1.NodeHostName, Address: n.opt.Name},
	}
	s.DaemonEndpoints.KubeletEndpoint.Port = 10250
	s.NodeInfo = corev1.NodeSystemInfo{
		MachineID: n.opt.Name, SystemUUID: n.opt.Name, KernelVersion: "hollow", OSImage: "hollow node of a lab",
		ContainerRuntimeVersion: "hollow://1.0", KubeletVersion: "v1.36.3", OperatingSystem: "linux", Architecture: "amd64",
	}
	well := []corev1.NodeCondition{
		{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
		{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
		{Type: corev1.NodePIDPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
		{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status"},
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	s.VolumesInUse = n.mounted
	s.NodeInfo.BootID = n.boot
	all := append(well, n.broken...)
	for i, c := range all {
		if !slices.ContainsFunc(all[i+1:], func(later corev1.NodeCondition) bool { return later.Type == c.Type }) {
			setCondition(s, c, metav1.NewTime(now)) // the last one wins
		}
	}
}

func setCondition(s *corev1.NodeStatus, c corev1.NodeCondition, now metav1.Time) {
	c.LastHeartbeatTime, c.LastTransitionTime = now, now
	i := slices.IndexFunc(s.Conditions, func(old corev1.NodeCondition) bool { return old.Type == c.Type })
	if i < 0 {
		s.Conditions = append(s.Conditions, c)
		return
	}
	if s.Conditions[i].Status == c.Status {
		c.LastTransitionTime = s.Conditions[i].LastTransitionTime
	}
	s.Conditions[i] = c
}
