//go:build unix

package main

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lab/load"
)

// snapshot returns a cluster as nodetriage would read it, without a control plane.
func snapshot(size load.Size, now time.Time) *evidence.Snapshot {
	t := evidence.NewTemplates()
	d := evidence.Data{
		TakenAt: now, Source: evidence.Source{Kind: "cluster", Name: "load"}, Server: evidence.Server{Version: "v1.36.3"},
		Coverage: map[evidence.Kind]evidence.Coverage{},
	}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.PDBs, evidence.Leases, evidence.Workloads, evidence.Webhooks} {
		d.Coverage[k] = evidence.Complete
	}
	load.Objects(size, now, func(o runtime.Object) {
		switch o := o.(type) {
		case *corev1.Namespace:
			d.Namespaces = append(d.Namespaces, evidence.FromNamespace(o))
		case *corev1.Node:
			d.Nodes = append(d.Nodes, evidence.FromNode(o))
		case *coordinationv1.Lease:
			d.Leases = append(d.Leases, evidence.FromLease(o))
		case *appsv1.ReplicaSet:
			d.Workloads = append(d.Workloads, t.FromReplicaSet(o))
		case *appsv1.DaemonSet:
			d.Workloads = append(d.Workloads, t.FromDaemonSet(o))
		case *corev1.Pod:
			d.Pods = append(d.Pods, t.FromPod(o))
		case *policyv1.PodDisruptionBudget:
			evidence.TrimMeta(&o.ObjectMeta)
			d.PDBs = append(d.PDBs, &evidence.PDB{PodDisruptionBudget: o})
		}
	})
	return evidence.New(d)
}
