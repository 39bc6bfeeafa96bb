//go:build unix

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/azure"
)

// knownScenario rejects an unknown scenario name.
func knownScenario(name string) error {
	names, err := azure.Names()
	if err != nil || name == "" || slices.Contains(names, name) {
		return err
	}
	return fmt.Errorf("use azure scenario %q: there is none; use one of %s", name, strings.Join(names, ", "))
}

// aks is an Azure scenario that joins a control plane.
type aks struct {
	scenario *azure.Scenario
	kubelets *kubelets
	emulator *azure.Emulator
}

// prepareAzure prepares the scenario, if there is one, and configures how the API server reaches its kubelets.
func prepareAzure(name string, opt *lab.Options) (*aks, error) {
	if name == "" {
		return nil, nil
	}
	s, err := azure.Load(name, time.Now())
	if err != nil {
		return nil, err
	}
	k, err := newKubelets()
	if err != nil {
		return nil, err
	}
	opt.APIServerArgs = append(opt.APIServerArgs, "--egress-selector-config-file="+k.egress())
	return &aks{scenario: s, kubelets: k}, nil
}

// join writes the cluster of the scenario to the control plane and simulates the kubelets of its nodes, which follow
// their VMs. It runs both and the emulator until close or the end of the context, and returns how to diagnose the
// cluster.
func (a *aks) join(ctx context.Context, c *lab.ControlPlane) (string, error) {
	if a == nil {
		return "", nil
	}
	client, err := c.Client()
	if err != nil {
		return "", err
	}
	store, err := c.Store()
	if err != nil {
		return "", err
	}
	n := newAzureNodes(client, store, a.kubelets, a.scenario)
	if err := n.write(ctx, a.scenario, time.Now()); err != nil {
		store.Close()
		return "", err
	}
	a.emulator = azure.Start(&a.scenario.State)
	a.emulator.OnMachine(func(m azure.Machine) { go n.follow(ctx, m) })
	go func() {
		defer store.Close()
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				_ = n.beat(ctx, now) // retried at the next tick
			}
		}
	}()
	return "nodetriage diagnose --azure-endpoint " + a.emulator.URL + "\n", nil
}

func (a *aks) close() {
	if a == nil {
		return
	}
	a.kubelets.close()
	if a.emulator != nil {
		a.emulator.Close()
	}
}
