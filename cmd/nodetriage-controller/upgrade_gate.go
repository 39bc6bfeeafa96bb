package main

import (
	"fmt"
	"regexp"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/signals"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/controller/upgradegate"
)

// upgradeGate are the settings of the upgrade health gate. It is off by default, because a gate that does not answer stops upgrades.
type upgradeGate struct {
	Enabled    bool   `json:"upgrade-gate"`
	Provider   string `json:"upgrade-gate-provider,omitempty"`
	OnDeadline string `json:"upgrade-gate-on-deadline,omitempty"`
}

// providerForm is the form of a label value that the API server accepts as a provider.
var providerForm = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`)

func (g *upgradeGate) check() error {
	switch gate.Choice(g.OnDeadline) {
	case gate.Proceed, gate.Stop:
	default:
		return fmt.Errorf("invalid value %q for --upgrade-gate-on-deadline; use %s or %s", g.OnDeadline, gate.Proceed, gate.Stop)
	}
	if !providerForm.MatchString(g.Provider) {
		return fmt.Errorf("invalid value %q for --upgrade-gate-provider; use a label value", g.Provider)
	}
	return nil
}

// add adds the gate to the manager if it is on.
func (g *upgradeGate) add(m manager.Manager, config *rest.Config, e *engine.Engine) error {
	if !g.Enabled {
		return nil
	}
	observer, err := upgradegate.NewMetrics(metrics.Registry)
	if err != nil {
		return err
	}
	return m.Add(&upgradegate.Gate{
		Config: config, Nodes: upgradegate.NewJudged(e), Observer: observer, Leads: m.Elected(),
		Settings: signals.Settings{Provider: g.Provider, OnDeadline: gate.Choice(g.OnDeadline)},
	})
}
