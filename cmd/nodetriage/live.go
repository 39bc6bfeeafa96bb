package main

import (
	"errors"

	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/kube"
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
	return ask.Cluster{Connect: f.connect, Cloud: f.cloud.reader, KeepPart: true}
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
	return err == nil && len(raw.Clusters) == 0 && *f.cluster.APIServer == "" && config.Host == "http://localhost:8080"
}

// clusterName returns the context of the cluster, else its address.
func (f *sourceFlags) clusterName(config *rest.Config) string {
	if *f.cluster.Context != "" {
		return *f.cluster.Context
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
