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

// knownScenario refuses a name that no scenario has.
func knownScenario(name string) error {
	names, err := azure.Names()
	if err != nil || name == "" || slices.Contains(names, name) {
		return err
	}
	return fmt.Errorf("use azure scenario %q: there is none; use one of %s", name, strings.Join(names, ", "))
}

// aks is a scenario of Azure that joins a control plane.
type aks struct {
	scenario *azure.Scenario
	kubelets *kubelets
	emulator *azure.Emulator
}

// prepareAzure readies the scenario, if there is one, and tells the API server the way to its kubelets.
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

// join puts the cluster of the scenario into the control plane, plays the kubelets of its nodes, which follow their
// machines, runs the emulator with those until close or the context's end, and returns how to diagnose it.
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
				_ = n.beat(ctx, now) // tried again at the next tick
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
