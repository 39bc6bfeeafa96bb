//go:build unix

package lab

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// CatchUp waits until the caches of the API server contain everything that was loaded into etcd. Until then they answer
// reads that may be old with a part of the data. They answer consistent reads with a timeout or from etcd. Therefore
// CatchUp requests data that is not older than the current state of etcd.
func (c *ControlPlane) CatchUp(ctx context.Context) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	core := client.CoreV1().RESTClient()
	kinds := []struct {
		group    rest.Interface
		resource string
	}{
		{core, "namespaces"}, {core, "nodes"}, {core, "pods"}, {core, "events"},
		{client.CoordinationV1().RESTClient(), "leases"}, {client.AppsV1().RESTClient(), "replicasets"},
		{client.PolicyV1().RESTClient(), "poddisruptionbudgets"},
	}
	for {
		now, err := client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{Limit: 1})
		for _, k := range kinds {
			if err != nil {
				break
			}
			err = k.group.Get().Resource(k.resource).Param("limit", "1").
				Param("resourceVersion", now.ResourceVersion).Param("resourceVersionMatch", string(metav1.ResourceVersionMatchNotOlderThan)).
				Do(ctx).Error()
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
