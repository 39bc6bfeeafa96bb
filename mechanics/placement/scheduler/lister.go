package scheduler

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// lister caches the node lists that plugins use until something changes.
type lister struct {
	list         []fwk.NodeInfo
	slots        []int // of list
	stale        bool  // the two lists below
	affinity     []fwk.NodeInfo
	antiAffinity []fwk.NodeInfo
}

// view implements the listers of the framework for a Cluster.
type view struct{ c *Cluster }

var (
	_ fwk.SharedLister = view{}
	_ fwk.PodNominator = nominator{}
)

func (v view) NodeInfos() fwk.NodeInfoLister           { return v }
func (v view) StorageInfos() fwk.StorageInfoLister     { return v }
func (v view) PodGroupStates() fwk.PodGroupStateLister { return noPodGroups{} }

func (v view) List() ([]fwk.NodeInfo, error) { return v.c.list(), nil }

func (v view) HavePodsWithAffinityList() ([]fwk.NodeInfo, error) {
	v.refresh()
	return v.c.lister.affinity, nil
}

func (v view) HavePodsWithRequiredAntiAffinityList() ([]fwk.NodeInfo, error) {
	v.refresh()
	return v.c.lister.antiAffinity, nil
}

func (v view) refresh() {
	l := &v.c.lister
	if !l.stale && l.list != nil {
		return
	}
	l.affinity, l.antiAffinity = nil, nil
	for _, n := range v.c.list() {
		if len(n.GetPodsWithAffinity()) > 0 {
			l.affinity = append(l.affinity, n)
		}
		if len(n.GetPodsWithRequiredAntiAffinity()) > 0 {
			l.antiAffinity = append(l.antiAffinity, n)
		}
	}
	l.stale = false
}

func (v view) Get(name string) (fwk.NodeInfo, error) {
	if n := v.c.nodes[name]; n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("there is no node %s", name)
}

func (v view) IsPVCUsedByPods(key string) bool {
	for _, n := range v.c.nodes {
		if n.PVCRefCounts[key] > 0 {
			return true
		}
	}
	return false
}

// noPodGroups is empty because gang scheduling is off by default.
type noPodGroups struct{}

func (noPodGroups) Get(namespace, name string) (fwk.PodGroupState, error) {
	return nil, fmt.Errorf("unknown pod group %s/%s", namespace, name)
}

// nominator has the nominated pods, which wait on a node for preempted pods to terminate. They use resources there.
type nominator map[string][]fwk.PodInfo

func (n nominator) NominatedPodsForNode(node string) []fwk.PodInfo { return n[node] }

// The set never changes while a Cluster exists.
func (nominator) AddNominatedPod(klog.Logger, fwk.PodInfo, *fwk.NominatingInfo) {}
func (nominator) DeleteNominatedPodIfExists(*corev1.Pod)                        {}
func (nominator) UpdateNominatedPod(klog.Logger, *corev1.Pod, fwk.PodInfo)      {}
