//go:build unix

package lab

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CatchUp waits until the API server's caches have taken in what was loaded into etcd: until then it
// answers consistent reads with a timeout.
func (c *ControlPlane) CatchUp(ctx context.Context) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	one, all := metav1.ListOptions{Limit: 1}, metav1.NamespaceAll
	for {
		_, err := client.CoreV1().Pods(all).List(ctx, one)
		if err == nil {
			_, err = client.AppsV1().ReplicaSets(all).List(ctx, one)
		}
		if err == nil {
			_, err = client.CoreV1().Nodes().List(ctx, one)
		}
		if err == nil {
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return fmt.Errorf("wait for the API server's caches: %w: %w", ctx.Err(), err)
		}
	}
}
