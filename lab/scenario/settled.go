package scenario

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// settled waits until the kubelet reports and the runtime answers. What prepares a scenario may have started both anew, and on a
// computer with much other work that takes longer than a moment.
func (w *World) settled(ctx context.Context) error {
	since := time.Now()
	reports := func() bool {
		lease, err := w.Client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(ctx, w.Node, metav1.GetOptions{})
		return err == nil && lease.Spec.RenewTime != nil && lease.Spec.RenewTime.After(since)
	}
	for range 300 {
		if reports() {
			if _, err := w.Machine.Run(ctx, "timeout", "10", "/usr/local/bin/ctr", "version"); err == nil {
				return nil
			}
		}
		if !pause(ctx, time.Second) {
			return ctx.Err()
		}
	}
	return fmt.Errorf("prepared for what will break, node %s does not report", w.Node)
}
