//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/azure"
	"github.com/nodetriage/nodetriage/lab/load"
)

// knownScenario refuses a name that no scenario has.
func knownScenario(name string) error {
	names, err := azure.Names()
	if err != nil || name == "" || slices.Contains(names, name) {
		return err
	}
	return fmt.Errorf("use azure scenario %q: there is none; use one of %s", name, strings.Join(names, ", "))
}

// joinAzure puts the cluster of the scenario into the control plane, keeps its healthy nodes' heartbeats, runs the emulator
// with their machines until the context ends, and returns how to diagnose it.
func joinAzure(ctx context.Context, c *lab.ControlPlane, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	s, err := azure.Load(name, time.Now())
	if err != nil {
		return "", err
	}
	store, err := c.Store()
	if err != nil {
		return "", err
	}
	if err := writeCluster(ctx, store, s, time.Now()); err != nil {
		store.Close()
		return "", err
	}
	e := azure.Start(&s.State)
	go func() {
		defer store.Close()
		defer e.Close()
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				_ = renewLeases(ctx, store, s, now) // tried again at the next tick
			}
		}
	}()
	return "nodetriage diagnose --azure-endpoint " + e.URL + "\n", nil
}

func writeCluster(ctx context.Context, store *load.Store, s *azure.Scenario, now time.Time) error {
	var objects []runtime.Object
	for i, o := range s.Cluster(now) {
		raw, err := json.Marshal(o)
		if err != nil {
			return fmt.Errorf("write object %d of scenario %s: %w", i, s.Name, err)
		}
		obj, _, err := scheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
		if err != nil {
			return fmt.Errorf("read object %d of scenario %s: %w", i, s.Name, err)
		}
		if n, ok := obj.(*corev1.Node); ok { // a loopback address, so that the API server's node proxy calls no other machine
			for j := range n.Status.Addresses {
				if n.Status.Addresses[j].Type == corev1.NodeInternalIP {
					n.Status.Addresses[j].Address = fmt.Sprintf("127.1.0.%d", 4+i)
				}
			}
		}
		objects = append(objects, obj)
	}
	if err := store.Put(ctx, objects...); err != nil {
		return err
	}
	return renewLeases(ctx, store, s, now)
}

// renewLeases renews the leases of the nodes that are not silent.
func renewLeases(ctx context.Context, store *load.Store, s *azure.Scenario, now time.Time) error {
	var leases []runtime.Object
	for _, o := range s.Cluster(now) {
		raw, err := json.Marshal(o)
		if err != nil {
			return err
		}
		var n corev1.Node
		if json.Unmarshal(raw, &n) != nil || n.Kind != "Node" || silent(&n) {
			continue
		}
		at, seconds := metav1.NewMicroTime(now), int32(40)
		leases = append(leases, &coordinationv1.Lease{
			TypeMeta:   metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"},
			ObjectMeta: metav1.ObjectMeta{Name: n.Name, Namespace: corev1.NamespaceNodeLease, UID: "lease-" + n.UID, CreationTimestamp: n.CreationTimestamp},
			Spec:       coordinationv1.LeaseSpec{HolderIdentity: &n.Name, LeaseDurationSeconds: &seconds, RenewTime: &at},
		})
	}
	return store.Put(ctx, leases...)
}

func silent(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionUnknown
		}
	}
	return true
}
