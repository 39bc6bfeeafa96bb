package scenario

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// maxWait is the timeout for operations of the lab that take seconds on an idle host.
const maxWait = 5 * time.Minute

// eventually waits until a condition is true; its error names the condition.
func eventually(ctx context.Context, what string, is func() bool) error {
	for end := time.Now().Add(maxWait); !is(); {
		switch {
		case !lab.Pause(ctx, time.Second):
			return ctx.Err()
		case time.Now().After(end):
			return fmt.Errorf("not within %s: %s", maxWait, what)
		}
	}
	return nil
}

// settled waits until the kubelet posts status and the runtime answers, because the preparation of a scenario may have
// restarted both.
func (w *World) settled(ctx context.Context) error {
	since := time.Now()
	return eventually(ctx, "prepared for what will break, the kubelet of "+w.Node+" reports, and its runtime answers", func() bool {
		lease, err := w.Client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(ctx, w.Node, metav1.GetOptions{})
		return err == nil && lease.Spec.RenewTime != nil && lease.Spec.RenewTime.After(since) && w.runtimeAnswers(ctx) == nil
	})
}

func (w *World) runtimeAnswers(ctx context.Context) error {
	_, err := w.Machine.Run(ctx, "timeout", "10", "/usr/local/bin/ctr", "version")
	return err
}
