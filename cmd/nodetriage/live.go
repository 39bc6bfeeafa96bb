package main

import (
	"context"
	"errors"
	"time"

	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/live"
)

var errNoCluster = errors.New("no kubeconfig found ($KUBECONFIG or ~/.kube/config)")

// withoutCluster are the ways to use the program without a cluster.
const withoutCluster = "name a cluster with --kubeconfig, or diagnose saved output: nodetriage diagnose FILE; nodetriage diagnose --example needs neither"

// config returns the configuration of the current context, or of the flags.
func (f *sourceFlags) config() (*rest.Config, error) {
	config, err := f.cluster.ToRESTConfig()
	if err != nil {
		return nil, hinted(err, "name a cluster with --kubeconfig or --context, or saved evidence with -f; nodetriage diagnose --example needs neither")
	}
	if f.noCluster(config) {
		return nil, hinted(errNoCluster, withoutCluster)
	}
	config.UserAgent = "nodetriage/" + version
	return config, nil
}

// reader returns a read-only Reader.
func (f *sourceFlags) reader() (*kube.Reader, error) {
	r, _, err := f.connect()
	return r, err
}

// connect returns a Reader and the user's name for its cluster.
func (f *sourceFlags) connect() (*kube.Reader, string, error) {
	config, err := f.config()
	if err != nil {
		return nil, "", err
	}
	r, err := kube.NewReader(config, kube.Options{})
	if err != nil {
		return nil, "", badUsage(err)
	}
	return r, f.clusterName(config), nil
}

// live returns the cluster of the current context, or of the flags. After an interrupt, the part that was read is judged.
func (f *sourceFlags) live() ask.Cluster {
	return ask.Cluster{Connect: f.connect, Cloud: f.cloud.reader, KeepPart: true, Lists: f.lists}
}

// firstLists limits the wait for the first lists of a cluster. The first refresh then reads the missing ones from the server.
const firstLists = 30 * time.Second

// follow keeps the lists of the cluster up to date until ctx ends. The channel receives a value after changes. Without the
// permission to watch a list, each look reads it from the server. If nodes are named, only they are followed, and each look reads
// what belongs to them.
func (f *sourceFlags) follow(ctx context.Context, nodes ...string) (<-chan struct{}, error) {
	if f.hide.on {
		return nil, nil // names are replaced in the evidence itself
	}
	reader, err := f.reader()
	if err != nil {
		return nil, err
	}
	targets := survey.Targets()
	if len(nodes) > 0 {
		targets = nil
		for _, node := range nodes {
			targets = append(targets, survey.NodeTargets(node)...)
		}
	}
	store := live.NewStore(targets)
	go func() { _ = store.Watch(ctx, reader) }() // without a client every list is read from the server
	first, cancel := context.WithTimeout(ctx, firstLists)
	defer cancel()
	store.Tried(first)
	if len(nodes) == 0 {
		f.lists = store
	}
	return store.Changes(), nil
}

// orFile adds to the error for a missing node or cluster that no file has its name.
func orFile(err error, nodes []string) error {
	if unknown := (*survey.NoNodeError)(nil); errors.As(err, &unknown) {
		return usagef("%w, and there is no file %q", err, unknown.Name)
	}
	if errors.Is(err, errNoCluster) && len(nodes) > 0 {
		return usagef("%w, and there is no file %q", err, nodes[0])
	}
	return err
}

// noCluster reports whether no cluster is configured. client-go then assumes one on this machine.
func (f *sourceFlags) noCluster(config *rest.Config) bool {
	raw, err := f.cluster.ToRawKubeConfigLoader().RawConfig()
	return err == nil && len(raw.Clusters) == 0 && f.cluster.overrides.ClusterInfo.Server == "" && config.Host == "http://localhost:8080"
}

// clusterName returns the context of the cluster, else its address.
func (f *sourceFlags) clusterName(config *rest.Config) string {
	if context := f.cluster.overrides.CurrentContext; context != "" {
		return context
	}
	if raw, err := f.cluster.ToRawKubeConfigLoader().RawConfig(); err == nil && raw.CurrentContext != "" {
		return raw.CurrentContext
	}
	return config.Host
}

// namespace returns the namespace of the current context, if no other was given.
func (f *sourceFlags) namespace() string {
	namespace, _, _ := f.cluster.ToRawKubeConfigLoader().Namespace()
	return namespace
}
