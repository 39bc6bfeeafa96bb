package load

import (
	"context"
	"fmt"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
)

// Put stores objects as they are, with their status, their times and their ids; those without an id get one.
func (s *Store) Put(ctx context.Context, objects ...runtime.Object) error {
	var records []record
	for _, o := range objects {
		m, err := apimeta.Accessor(o)
		if err != nil {
			return fmt.Errorf("store an object: %w", err)
		}
		if m.GetUID() == "" {
			m.SetUID(uid(m.GetNamespace() + "/" + m.GetName()))
		}
		key := ""
		switch o.(type) {
		case *corev1.Node:
			key = "/registry/minions/" + m.GetName()
		case *corev1.Pod:
			key = "/registry/pods/" + m.GetNamespace() + "/" + m.GetName()
		case *corev1.Event:
			key = "/registry/events/" + m.GetNamespace() + "/" + m.GetName()
		case *policyv1.PodDisruptionBudget:
			key = "/registry/poddisruptionbudgets/" + m.GetNamespace() + "/" + m.GetName()
		case *coordinationv1.Lease:
			key = "/registry/leases/" + m.GetNamespace() + "/" + m.GetName()
		default:
			return fmt.Errorf("store %s: objects of type %T are not known here", m.GetName(), o)
		}
		records = append(records, record{key, o})
	}
	_, err := s.write(ctx, func(yield func(record) bool) {
		for _, r := range records {
			if !yield(r) {
				return
			}
		}
	})
	return err
}
