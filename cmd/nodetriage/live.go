package main

import (
	"errors"

	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/kube"
)

var errNoCluster = errors.New("find a cluster: there is no kubeconfig ($KUBECONFIG or ~/.kube/config); " +
	"name one with --kubeconfig, or diagnose saved output with nodetriage diagnose PATH, or - for standard input; nodetriage diagnose --example needs neither")

// config finds the cluster of the current context, or of the flags.
func (f *sourceFlags) config() (*rest.Config, error) {
	config, err := f.cluster.ToRESTConfig()
	if err != nil {
		return nil, badUsage(&hinted{err, "name a cluster with --kubeconfig or --context, or saved evidence with -f; nodetriage diagnose --example needs neither"})
	}
	if f.noCluster(config) {
		return nil, badUsage(errNoCluster)
	}
	config.UserAgent = "nodetriage/" + version
	return config, nil
}

// reader makes a Reader, with which nothing can be written.
func (f *sourceFlags) reader() (*kube.Reader, error) {
	r, _, err := f.connect()
	return r, err
}

// connect makes a Reader, and returns what the user calls its cluster.
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

// live is the cluster of the current context, or of the flags. Interrupted, it is judged as far as it was read.
func (f *sourceFlags) live() ask.Cluster {
	return ask.Cluster{Connect: f.connect, Cloud: f.cloud.reader, KeepPart: true}
}

// orFile adds to the error for a node that is not there, or for want of a cluster, that no file has its name.
func orFile(err error, nodes []string) error {
	if unknown := (*survey.NoNodeError)(nil); errors.As(err, &unknown) {
		return usagef("%w (there is no file of that name either)", err)
	}
	if errors.Is(err, errNoCluster) && len(nodes) > 0 {
		return usagef("no file is named %s, and for a node of that name: %w", nodes[0], err)
	}
	return err
}

// noCluster reports whether nothing names a cluster: then client-go assumes one on this machine.
func (f *sourceFlags) noCluster(config *rest.Config) bool {
	raw, err := f.cluster.ToRawKubeConfigLoader().RawConfig()
	return err == nil && len(raw.Clusters) == 0 && *f.cluster.APIServer == "" && config.Host == "http://localhost:8080"
}

// clusterName is what the user calls the cluster: its context, else its address.
func (f *sourceFlags) clusterName(config *rest.Config) string {
	if *f.cluster.Context != "" {
		return *f.cluster.Context
	}
	if raw, err := f.cluster.ToRawKubeConfigLoader().RawConfig(); err == nil && raw.CurrentContext != "" {
		return raw.CurrentContext
	}
	return config.Host
}

// namespace is that of the current context, for want of one that was given.
func (f *sourceFlags) namespace() string {
	namespace, _, _ := f.cluster.ToRawKubeConfigLoader().Namespace()
	return namespace
}
