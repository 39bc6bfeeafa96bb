//go:build unix

package lab

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/rest"
)

// CatchUp waits until the API server's caches have taken in what was loaded into etcd: until then it
// answers consistent reads with a timeout.
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
		var err error
		for _, k := range kinds {
			if err = k.group.Get().Resource(k.resource).Param("limit", "1").Do(ctx).Error(); err != nil {
				break
			}
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
