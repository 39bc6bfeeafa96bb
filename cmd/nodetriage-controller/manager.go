package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	registry "sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/access"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/controller/metrics"
	"github.com/nodetriage/nodetriage/controller/nodecondition"
	"github.com/nodetriage/nodetriage/controller/publish"
	"github.com/nodetriage/nodetriage/controller/veto"
	"github.com/nodetriage/nodetriage/kube"
)

// The times of leader election. Another replica takes over at most leaseDuration and 1.2 retries after the leader is gone.
const (
	leaseDuration = 10 * time.Second
	renewDeadline = 7 * time.Second
	retryPeriod   = 2 * time.Second
)

// newManager returns the manager of everything that runs.
func newManager(s settings) (manager.Manager, error) {
	config, err := s.cluster()
	if err != nil {
		return nil, err
	}
	namespace, err := s.leaseNamespace()
	if err != nil {
		return nil, err
	}
	m, err := ctrl.NewManager(config, options(s, namespace))
	if err != nil {
		return nil, err
	}
	e, err := newEngine(config, s)
	if err != nil {
		return nil, err
	}
	collector := metrics.New(e, linked)
	if err := errors.Join(addWhen(m, s.NodeCondition, nodecondition.New(m.GetClient(), e)), addWhen(m, s.Veto, veto.New(m.GetClient(), m.GetAPIReader(), e))); err != nil {
		return nil, err
	}
	return m, errors.Join(
		registry.Registry.Register(collector), m.Add(collector),
		m.Add(always(e.Run)), m.Add(publish.New(m.GetClient(), e)), s.upgradeGate.add(m, config, e), s.alertWebhook.add(m, s.ClusterName, e),
		m.AddHealthzCheck("engine", func(*http.Request) error { return e.Alive() }),
		m.AddReadyzCheck("judged", func(*http.Request) error { return judged(e) }),
	)
}

func options(s settings, namespace string) ctrl.Options {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		corev1.AddToScheme, authenticationv1.AddToScheme, authorizationv1.AddToScheme, v1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err) // the types are ours
		}
	}
	served := metricsserver.Options{BindAddress: s.MetricsAddress, SecureServing: s.MetricsSecure}
	if s.MetricsSecure {
		served.FilterProvider = func(config *rest.Config, with *http.Client) (metricsserver.Filter, error) {
			c, err := client.New(config, client.Options{HTTPClient: with, Scheme: scheme})
			if err != nil {
				return nil, err
			}
			filter := access.New(c)
			return func(log logr.Logger, next http.Handler) (http.Handler, error) { return filter.Wrap(log, next), nil }, nil
		}
	}
	lease, renew, retry, patience := leaseDuration, renewDeadline, retryPeriod, 10*time.Second
	return ctrl.Options{
		Scheme: scheme, Metrics: served, HealthProbeBindAddress: s.HealthAddress,
		LeaderElection: s.LeaderElect, LeaderElectionID: "nodetriage-controller", LeaderElectionNamespace: namespace,
		LeaderElectionReleaseOnCancel: true, LeaseDuration: &lease, RenewDeadline: &renew, RetryPeriod: &retry,
		GracefulShutdownTimeout: &patience,
	}
}

// cluster returns the configuration of the cluster.
func (s *settings) cluster() (*rest.Config, error) {
	if s.Kubeconfig == "" {
		config, err := rest.InClusterConfig()
		if err != nil {
			return nil, errors.New("not in a pod: name a cluster with --kubeconfig")
		}
		return named(config), nil
	}
	config, err := clientcmd.BuildConfigFromFlags("", s.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	return named(config), nil
}

func named(config *rest.Config) *rest.Config {
	config.UserAgent = "nodetriage-controller/" + linked
	return config
}

func newEngine(config *rest.Config, s settings) (*engine.Engine, error) {
	reader, err := kube.NewReader(config, kube.Options{})
	if err != nil {
		return nil, err
	}
	knowledge, err := engine.NewKnowledge(linked)
	if err != nil {
		return nil, err
	}
	return engine.New(reader, knowledge, engine.Options{Name: s.ClusterName, AskKubelets: s.AskKubelets}), nil
}

// addWhen adds what runs only if the owner switched it on.
func addWhen(m manager.Manager, on bool, r manager.Runnable) error {
	if !on {
		return nil
	}
	return m.Add(r)
}

// judged returns an error before the first judgement.
func judged(e *engine.Engine) error {
	if !e.Current().Judged() {
		return errors.New("the cluster has not been judged yet")
	}
	return nil
}

// always is a function that runs on every replica.
type always func(context.Context) error

// Start is the function.
func (f always) Start(ctx context.Context) error { return f(ctx) }

// NeedLeaderElection reports that it runs without being the leader.
func (always) NeedLeaderElection() bool { return false }
