package scheduler

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/nodetriage/nodetriage/evidence"
)

// stores fills the informer caches of plugins. The informers are never started because there is no API server.
func stores(d *evidence.Data) (informers.SharedInformerFactory, error) {
	f := informers.NewSharedInformerFactory(nil, 0)
	var budgets []any
	for _, b := range d.PDBs {
		if !b.Partial {
			budgets = append(budgets, b.PodDisruptionBudget)
		}
	}
	var nodes []*corev1.Node
	for _, n := range d.Nodes {
		nodes = append(nodes, n.Node)
	}
	for _, err := range []error{
		fill(f.Core().V1().Nodes().Informer(), nodes),
		fill(f.Core().V1().PersistentVolumeClaims().Informer(), d.Claims),
		fill(f.Core().V1().PersistentVolumes().Informer(), d.Volumes),
		fill(f.Storage().V1().CSINodes().Informer(), d.CSINodes),
		fill(f.Storage().V1().StorageClasses().Informer(), d.StorageClasses),
		fill(f.Storage().V1().CSIDrivers().Informer(), d.CSIDrivers),
		fill(f.Storage().V1().CSIStorageCapacities().Informer(), d.StorageCapacities),
		fill(f.Core().V1().Namespaces().Informer(), d.Namespaces),
		fill(f.Policy().V1().PodDisruptionBudgets().Informer(), budgets),
	} {
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func fill[T any](informer cache.SharedIndexInformer, objects []T) error {
	for _, o := range objects {
		if err := informer.GetIndexer().Add(o); err != nil {
			return fmt.Errorf("store %T: %w", o, err)
		}
	}
	return nil
}
