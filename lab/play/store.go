package play

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

// store is the target of the watch of all pods.
type store struct {
	ctx context.Context
	*Kubelets
}

func (s store) Add(o any) error    { return s.see(o) }
func (s store) Update(o any) error { return s.see(o) }
func (s store) Resync() error      { return nil }

func (s store) Delete(o any) error {
	if p, ok := o.(*corev1.Pod); ok {
		s.gone(p)
	}
	return nil
}

func (s store) Replace(list []any, _ string) error {
	for _, o := range list {
		_ = s.see(o)
	}
	return nil
}

func (s store) see(o any) error {
	if p, ok := o.(*corev1.Pod); ok {
		s.play(s.ctx, p)
	}
	return nil
}
