package scheduler

import (
	"context"
	"sync"

	"github.com/go-logr/logr"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
)

// scheduler is the framework with the default profile.
type scheduler struct {
	framework.Framework
	ctx        context.Context // has no logger; plugins log through it
	preemption *defaultpreemption.DefaultPreemption
}

// initMetrics registers the metrics that the framework writes unconditionally. They are not exported.
var initMetrics = sync.OnceFunc(metrics.InitMetrics)

func newScheduler(c *Cluster) (*scheduler, error) {
	initMetrics()
	s := &scheduler{ctx: klog.NewContext(context.Background(), logr.Discard())}
	cfg, err := latest.Default()
	if err != nil {
		return nil, err
	}
	profile := &cfg.Profiles[0]
	c.words.limit(profile)
	registry := plugins.NewInTreeRegistry()
	compareTolerations(registry)
	s.keepPreemption(registry)
	store, err := stores(c.snapshot.Data())
	if err != nil {
		return nil, err
	}
	claims := assumecache.NewAssumeCache(logr.Discard(), store.Resource().V1().ResourceClaims().Informer(), "ResourceClaim", "", nil)
	starting, started := context.WithCancel(s.ctx)
	defer started() // stops the metrics recorder of the framework, its only goroutine
	s.Framework, err = runtime.NewFramework(starting, registry, profile,
		runtime.WithLogger(logr.Discard()),
		runtime.WithInformerFactory(store),
		runtime.WithSnapshotSharedLister(view{c}),
		runtime.WithPodNominator(c.nominated),
		runtime.WithSharedDRAManager(dynamicresources.NewDRAManager(s.ctx, claims, nil, store)),
		runtime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(store.Storage().V1().CSINodes().Lister())),
	)
	return s, err
}

// compareTolerations enables Lt and Gt tolerations in the plugins, for the reason in mechanics.Tolerates.
func compareTolerations(r runtime.Registry) {
	features := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	features.EnableTaintTolerationComparisonOperators = true
	r[names.TaintToleration] = runtime.FactoryAdapter(features, tainttoleration.New)
	r[names.PodTopologySpread] = runtime.FactoryAdapter(features, podtopologyspread.New)
}

// keepPreemption keeps a reference to the preemption plugin, because only its dry run is needed.
func (s *scheduler) keepPreemption(r runtime.Registry) {
	build := r[names.DefaultPreemption]
	r[names.DefaultPreemption] = func(ctx context.Context, args apiruntime.Object, h fwk.Handle) (fwk.Plugin, error) {
		p, err := build(ctx, args, h)
		s.preemption, _ = p.(*defaultpreemption.DefaultPreemption)
		return p, err
	}
}
