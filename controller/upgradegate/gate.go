package upgradegate

import (
	"context"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/signals"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
)

// period is the time between two looks at the requests. They come from a cache, so a look costs no request.
const period = time.Second

// absent is the time between two looks for the API groups of a cluster that does not have them yet.
const absent = 30 * time.Second

// versions are the versions of the API groups that are understood, the best first.
var versions = []string{"v1", "v1alpha1"}

// Gate answers health check requests. It is off unless the owner switches it on: with an UpgradeGatePolicy, a missing answer stops
// upgrades.
type Gate struct {
	Config   *rest.Config
	Nodes    signals.Nodes
	Settings signals.Settings
	Observer signals.Observer
	// Leads is closed when this process leads. Before that it only counts what the leader leaves unanswered.
	Leads <-chan struct{}
}

// NeedLeaderElection reports that every replica runs it, so that the cache of a new leader is warm.
func (g *Gate) NeedLeaderElection() bool { return false }

// Start runs the gate until ctx ends. It waits for the API groups, because they may be installed later.
func (g *Gate) Start(ctx context.Context) error {
	config := rest.CopyConfig(g.Config)
	config.QPS = -1 // the server decides: a burst of requests must be answered in time
	version, err := served(ctx, config)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	scheme := Scheme(version)
	cached, err := cache.New(config, cache.Options{Scheme: scheme})
	if err != nil {
		return fmt.Errorf("prepare the cache of upgrade requests: %w", err)
	}
	c, err := client.New(config, client.Options{Scheme: scheme, Cache: &client.CacheOptions{Reader: cached}})
	if err != nil {
		return fmt.Errorf("prepare the client of upgrade requests: %w", err)
	}
	for _, o := range []client.Object{&health.HealthCheckRequest{}, &health.HealthSignal{}, &upgrade.UpgradeGatePolicy{}} {
		if _, err := cached.GetInformer(ctx, o); err != nil {
			return fmt.Errorf("watch upgrade requests: %w", err)
		}
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- cached.Start(running) }()
	if !cached.WaitForCacheSync(ctx) {
		return <-failed
	}
	return g.loop(ctx, signals.New(api{c}, g.Nodes, g.Settings, g.Observer, time.Now), failed)
}

func (g *Gate) loop(ctx context.Context, p *signals.Publisher, failed <-chan error) error {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		leads := false
		select {
		case <-g.Leads:
			leads = true
		default:
		}
		if err := p.Pass(ctx, leads); err != nil && ctx.Err() == nil {
			log.FromContext(ctx).Error(err, "answer health check requests; the next look tries again")
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case <-tick.C:
		}
	}
}

// served waits until the server has both API groups, and returns the version to use; "" if ctx ended.
func served(ctx context.Context, config *rest.Config) (string, error) {
	d, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return "", fmt.Errorf("prepare discovery: %w", err)
	}
	for said := false; ; said = true {
		list, err := d.ServerGroups()
		if err == nil {
			if v := best(list); v != "" {
				return v, nil
			}
		}
		if !said {
			log.FromContext(ctx).Info("the cluster does not offer upgrade health gates yet", "error", err)
		}
		select {
		case <-ctx.Done():
			return "", nil
		case <-time.After(absent):
		}
	}
}

// best returns the best version that both groups have, or "".
func best(list *metav1.APIGroupList) string {
	served := map[string][]string{}
	for _, group := range list.Groups {
		for _, v := range group.Versions {
			served[group.Name] = append(served[group.Name], v.Version)
		}
	}
	for _, v := range versions {
		if slices.Contains(served[health.Group], v) && slices.Contains(served[upgrade.Group], v) {
			return v
		}
	}
	return ""
}
