package triage_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// fleet returns evidence of nodes of one pool, and the first ones are unhealthy; change is applied to each.
func fleet(sick, well int, change func(d *evidence.Data, n *evidence.Node, i int, sick bool)) *evidence.Snapshot {
	d := evidence.Data{TakenAt: now, Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete, evidence.Pods: evidence.Complete}}
	for i := range sick + well {
		down := time.Duration(0)
		if i < sick {
			down = 20 * time.Minute
		}
		n := node(fmt.Sprintf("n%04d", i), down, map[string]string{"agentpool": "np1", "kubernetes.io/hostname": fmt.Sprintf("n%04d", i)})
		n.CreationTimestamp = metav1.NewTime(now.Add(-time.Duration(i+1) * 24 * time.Hour))
		n.Node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}
		change(&d, n, i, i < sick)
		d.Nodes = append(d.Nodes, n)
	}
	return evidence.New(d)
}

func daemonPod(d *evidence.Data, node, name, image string) {
	d.Pods = append(d.Pods, &evidence.Pod{
		Namespace: "kube-system", Name: name + "-" + node, Node: node, Phase: corev1.PodRunning, Owner: evidence.Owner{Kind: "DaemonSet", Name: name},
		Spec: &corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}},
	})
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// Traits that only unhealthy nodes have are listed, for a group and for a single node. Traits that all nodes have, or that differ
// on every node, are not.
func TestTraits(t *testing.T) {
	tests := map[string]struct {
		change func(d *evidence.Data, n *evidence.Node, i int, sick bool)
		want   map[string]string
		group  bool // needs several nodes
	}{
		"nothing": {func(*evidence.Data, *evidence.Node, int, bool) {}, map[string]string{}, false},
		"a label": {func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
			n.Labels["canary"] = pick(sick, "yes", "no")
		}, map[string]string{"label canary": "yes"}, false},
		"a label that is missing": {func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
			if !sick {
				n.Labels["prepared"] = "true"
			}
		}, map[string]string{"label prepared": "none"}, false},
		"a taint, not one of its state": {func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
			if sick {
				n.Spec.Taints = []corev1.Taint{{Key: "node.kubernetes.io/unreachable", Effect: corev1.TaintEffectNoExecute}, {Key: "rack", Value: "7", Effect: corev1.TaintEffectNoSchedule}}
			}
		}, map[string]string{"taint rack": "7:NoSchedule"}, false},
		"devices that are gone": {func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
			n.Node.Status.Allocatable["nvidia.com/gpu"] = resource.MustParse(pick(sick, "0", "8"))
		}, map[string]string{"device nvidia.com/gpu": "none"}, false},
		"devices that are missing": {func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
			if !sick {
				n.Node.Status.Allocatable["nvidia.com/gpu"] = resource.MustParse("8")
			}
		}, map[string]string{"device nvidia.com/gpu": "none"}, false},
		"a setting of the kubelet": {func(d *evidence.Data, n *evidence.Node, i int, sick bool) {
			d.Kubelets = append(d.Kubelets, &evidence.Kubelet{Node: n.Name, Config: map[string]string{"cgroupDriver": pick(sick, "cgroupfs", "systemd"), "podCIDR": fmt.Sprint(i), "maxPods": "110"}})
		}, map[string]string{"kubelet cgroupDriver": "cgroupfs"}, false},
		"the version of a DaemonSet": {func(d *evidence.Data, n *evidence.Node, _ int, sick bool) {
			daemonPod(d, n.Name, "kube-proxy", "registry.example/proxy:"+pick(sick, "2", "1"))
			daemonPod(d, n.Name, "agent", "registry.example/agent:1")
		}, map[string]string{"DaemonSet kube-system/kube-proxy": "registry.example/proxy:2"}, false},
		"a DaemonSet's pod that is missing": {func(d *evidence.Data, n *evidence.Node, _ int, sick bool) {
			if !sick {
				daemonPod(d, n.Name, "kube-proxy", "registry.example/proxy:1")
			}
		}, map[string]string{"DaemonSet kube-system/kube-proxy": "none"}, false},
		"the kernel": {func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
			n.Node.Status.NodeInfo.KernelVersion = pick(sick, "6.8", "5.15")
		}, map[string]string{"kernel": "6.8"}, false},
		"the boot": {func(d *evidence.Data, n *evidence.Node, i int, sick bool) {
			d.NodeReports = append(d.NodeReports, &nodereport.Report{Node: n.Name, Machine: &nodereport.Machine{
				Booted: pick(sick, now.Add(-25*time.Minute+time.Duration(i)*time.Minute), now.Add(-time.Duration(i)*24*time.Hour)),
			}})
		}, map[string]string{"booted": now.Add(-25 * time.Minute).UTC().Format("2006-01-02T15:04Z")}, true},
		"when they were made": {func(_ *evidence.Data, n *evidence.Node, i int, sick bool) {
			if sick {
				n.CreationTimestamp = metav1.NewTime(now.Add(-40*time.Minute + time.Duration(i)*time.Minute))
			}
		}, map[string]string{"made": now.Add(-40 * time.Minute).UTC().Format("2006-01-02T15:04Z")}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, sick := range []int{1, 4} {
				if sick == 1 && tt.group {
					continue
				}
				s := fleet(sick, 8, tt.change)
				got := map[string]string{}
				for _, c := range append(triage.Cohorts(s), triage.Alone(s, triage.Cohorts(s))...) {
					if len(c.Nodes) != sick {
						t.Errorf("%d sick nodes are told as %v", sick, c.Nodes)
					}
					for k, v := range c.Shared {
						if k != "minute" {
							got[k] = v
						}
					}
				}
				if fmt.Sprint(got) != fmt.Sprint(tt.want) {
					t.Errorf("%d of 12: %v, want %v", sick, got, tt.want)
				}
			}
		})
	}
}

// Traits that follow from the pool are covered by the pool, and a label that repeats the zone by the zone.
func TestTraitsOfThePool(t *testing.T) {
	s := fleet(4, 8, func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
		n.Labels["agentpool"] = pick(sick, "np2", "np1")
		n.Labels["team"] = pick(sick, "blue", "green")
	})
	if got := triage.Cohorts(s)[0].Shared; got["pool"] != "np2" || got["label team"] != "" {
		t.Errorf("they share %v", got)
	}
	s = fleet(4, 8, func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
		n.Labels["topology.kubernetes.io/zone"] = pick(sick, "z2", "z1")
		n.Labels["topology.disk.csi.example.com/zone"] = pick(sick, "z2", "z1")
	})
	if got := triage.Cohorts(s)[0].Shared; got["zone"] != "z2" || got["label topology.disk.csi.example.com/zone"] != "" {
		t.Errorf("they share %v", got)
	}
}

// Two healthy nodes may agree by chance, and missing data is not a difference.
func TestTraitsThatAreNotKnown(t *testing.T) {
	change := func(_ *evidence.Data, n *evidence.Node, _ int, sick bool) {
		n.Labels["canary"] = pick(sick, "yes", "no")
	}
	if s := fleet(1, 2, change); len(triage.Alone(s, nil)) > 0 {
		t.Error("two peers tell a difference")
	}
	s := fleet(1, 8, func(d *evidence.Data, n *evidence.Node, _ int, sick bool) {
		if !sick { // the unhealthy node could not be queried
			d.Kubelets = append(d.Kubelets, &evidence.Kubelet{Node: n.Name, Config: map[string]string{"cgroupDriver": "systemd"}})
		}
		d.Coverage[evidence.Pods] = evidence.Partial
		if !sick {
			daemonPod(d, n.Name, "kube-proxy", "registry.example/proxy:1")
		}
	})
	if got := triage.Alone(s, nil); len(got) > 0 {
		t.Errorf("what is not known sets it apart: %v", got)
	}
}

// BenchmarkTraits compares thousands of nodes.
func BenchmarkTraits(b *testing.B) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "registry.example/agent:1"}}}
	for _, sick := range []int{1, 500} {
		s := fleet(sick, 5000-sick, func(d *evidence.Data, n *evidence.Node, i int, sick bool) {
			for k := range 40 {
				n.Labels[fmt.Sprintf("label-%d", k)] = fmt.Sprint(i % (k + 1))
			}
			n.Labels["canary"] = pick(sick, "yes", "no")
			for k := range 10 {
				daemonPod(d, n.Name, fmt.Sprintf("agent-%d", k), "registry.example/agent:1")
				d.Pods[len(d.Pods)-1].Spec = spec
			}
		})
		b.Run(fmt.Sprint(sick), func(b *testing.B) {
			for range b.N {
				c := triage.Cohorts(s)
				triage.Alone(s, c)
			}
		})
	}
}
