package load

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// uid derives a UID from a name, so that owners can be referenced before they are written.
func uid(name string) types.UID {
	h := sha256.Sum256([]byte(name))
	return types.UID(fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16]))
}

func (p plan) nodes(yield func(record) bool) bool {
	for i := range p.Nodes {
		n := p.wellNode(i)
		if i < p.Sick {
			sicknesses[i%len(sicknesses)].node(p, n)
		}
		if !yield(record{"/registry/minions/" + n.Name, n}) {
			return false
		}
	}
	return true
}

// wellNode returns a node like that of a managed cloud: two dozen labels, thirty images, five conditions.
func (p plan) wellNode(i int) *corev1.Node {
	name, pool := p.node(i), fmt.Sprintf("pool%d", i%p.Pools)
	n := &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}, ObjectMeta: meta("", name, p.time(20*day))}
	n.Labels = map[string]string{
		"kubernetes.azure.com/agentpool": pool, "agentpool": pool, "kubernetes.io/hostname": name,
		"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64", "beta.kubernetes.io/os": "linux",
		"topology.kubernetes.io/region": "westeurope", "topology.kubernetes.io/zone": fmt.Sprintf("westeurope-%d", i%zones+1),
		"topology.disk.csi.azure.com/zone": fmt.Sprintf("westeurope-%d", i%zones+1),
		"node.kubernetes.io/instance-type": "Standard_D8s_v5", "beta.kubernetes.io/instance-type": "Standard_D8s_v5",
		"kubernetes.azure.com/node-image-version": "AKSUbuntu-2204gen2containerd-202510.03.0",
		"kubernetes.azure.com/cluster":            "MC_lab_lab_westeurope", "kubernetes.azure.com/mode": "user",
		"kubernetes.azure.com/os-sku": "Ubuntu", "kubernetes.azure.com/role": "agent", "kubernetes.azure.com/storageprofile": "managed",
		"kubernetes.azure.com/storagetier": "Premium_LRS", "kubernetes.azure.com/kubelet-identity-client-id": string(uid("identity")),
		"storageprofile": "managed", "storagetier": "Premium_LRS",
	}
	n.Annotations = map[string]string{
		"node.alpha.kubernetes.io/ttl":                           "0",
		"volumes.kubernetes.io/controller-managed-attach-detach": "true",
		"csi.volume.kubernetes.io/nodeid":                        `{"disk.csi.azure.com":"` + name + `","file.csi.azure.com":"` + name + `"}`,
	}
	n.ManagedFields = managed(p.now, nodeFields)
	n.Spec = corev1.NodeSpec{PodCIDR: fmt.Sprintf("10.%d.%d.0/24", 64+i/256, i%256), ProviderID: "azure:///subscriptions/lab/" + name}
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("32Gi"),
		corev1.ResourcePods: resource.MustParse("110"), corev1.ResourceEphemeralStorage: resource.MustParse("120Gi"),
	}
	n.Status = corev1.NodeStatus{
		Capacity: room, Allocatable: room,
		Conditions: []corev1.NodeCondition{
			p.condition(corev1.NodeMemoryPressure, corev1.ConditionFalse, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
			p.condition(corev1.NodeDiskPressure, corev1.ConditionFalse, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
			p.condition(corev1.NodePIDPressure, corev1.ConditionFalse, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
			p.condition("KernelDeadlock", corev1.ConditionFalse, "KernelHasNoDeadlock", "kernel has no deadlock"),
			p.condition(corev1.NodeReady, corev1.ConditionTrue, "KubeletReady", "kubelet is posting ready status"),
		},
		Addresses: []corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: address(i)}, {Type: corev1.NodeHostName, Address: name},
		},
		DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: 10250}},
		NodeInfo: corev1.NodeSystemInfo{
			MachineID: string(uid("machine" + name)), SystemUUID: string(uid("system" + name)), BootID: string(uid("boot" + name)),
			KernelVersion: "5.15.0-1096-azure", OSImage: "Ubuntu 22.04.5 LTS", ContainerRuntimeVersion: "containerd://1.7.28-1",
			KubeletVersion: "v1.36.3", OperatingSystem: "linux", Architecture: "amd64",
		},
	}
	for k := range 30 {
		image := fmt.Sprintf("registry.example.com/oss/component-%d", k)
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{
			Names: []string{image + "@sha256:" + strings.Repeat("ab", 32), image + ":v1.2.3"}, SizeBytes: int64(1000000 * k),
		})
	}
	return n
}

func (p plan) condition(typ corev1.NodeConditionType, status corev1.ConditionStatus, reason, message string) corev1.NodeCondition {
	return corev1.NodeCondition{
		Type: typ, Status: status, Reason: reason, Message: message,
		LastHeartbeatTime: p.time(time.Minute), LastTransitionTime: p.time(19 * day),
	}
}

func (p plan) leases(yield func(record) bool) bool {
	for i := range p.Nodes {
		name := p.node(i)
		renewed := metav1.NewMicroTime(p.now.Add(-time.Duration(i%10) * time.Second))
		if i < p.Sick && sicknesses[i%len(sicknesses)].silent {
			renewed = metav1.NewMicroTime(p.now.Add(-sickSince))
		}
		seconds := int32(40)
		l := &coordinationv1.Lease{
			TypeMeta:   metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"},
			ObjectMeta: meta(corev1.NamespaceNodeLease, name, p.time(20*day)),
			Spec:       coordinationv1.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: &seconds, RenewTime: &renewed},
		}
		l.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: name, UID: uid("/" + name)}}
		if !yield(record{"/registry/leases/" + l.Namespace + "/" + name, l}) {
			return false
		}
	}
	return true
}

// address returns the address of a node without a machine. It is a loopback address, so that the node proxy of the API
// server rejects it ("address not allowed") instead of calling another machine in the network of the lab.
func address(i int) string { return fmt.Sprintf("127.1.%d.%d", i/250, i%250+4) }
