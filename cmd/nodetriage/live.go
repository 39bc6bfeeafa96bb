package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/report"
)

var errNoCluster = errors.New("find a cluster: there is no kubeconfig ($KUBECONFIG or ~/.kube/config); " +
	"name one with --kubeconfig, or diagnose saved output with nodetriage diagnose PATH, or - for standard input; nodetriage diagnose --example needs neither")

// config finds the cluster of the current context, or of the flags.
func (f *sourceFlags) config() (*rest.Config, error) {
	config, err := f.cluster.ToRESTConfig()
	if err != nil {
		return nil, &usageError{&hinted{err, "name a cluster with --kubeconfig or --context, or saved evidence with -f; nodetriage diagnose --example needs neither"}}
	}
	if f.noCluster(config) {
		return nil, &usageError{errNoCluster}
	}
	config.UserAgent = "nodetriage/" + version
	return config, nil
}

// reader makes a Reader, with which nothing can be written.
func (f *sourceFlags) reader() (*kube.Reader, error) {
	config, err := f.config()
	if err != nil {
		return nil, err
	}
	r, err := kube.NewReader(config, kube.Options{})
	if err != nil {
		return nil, &usageError{err}
	}
	return r, nil
}

// reach is how much of a cluster is read, and how much garbage may pile up meanwhile.
type reach struct {
	read    func(ctx context.Context, r *kube.Reader, b *collect.Builder, opt survey.Options) error
	garbage allowance
}

// about reads what concerns the nodes; without one, all.
func about(nodes []string) reach {
	if len(nodes) == 0 {
		return reach{survey.Cluster, garbageOfCluster}
	}
	return reach{garbage: garbageOfPart, read: func(ctx context.Context, r *kube.Reader, b *collect.Builder, opt survey.Options) error {
		return survey.Nodes(ctx, r, b, nodes, opt)
	}}
}

// live reads the cluster of the current context, as far as that reaches; nodes are those that were asked for.
func (f *sourceFlags) live(ctx context.Context, nodes []string, k *knowledge, what reach) (*evidence.Snapshot, error) {
	config, err := f.config()
	if err != nil {
		return nil, err
	}
	reader, err := f.reader()
	if err != nil {
		return nil, err
	}
	b := f.builder(evidence.Source{Kind: "cluster", Name: f.clusterName(config), Node: strings.Join(nodes, ", ")}, k)
	p := startProgress("reading the cluster", 0, objectsInWords)
	stop := boundGarbage(what.garbage)
	err = what.read(ctx, reader, b, survey.Options{Progress: p.objects()})
	if f.long {
		stop()
		debug.SetGCPercent(moreGarbage)
	}
	p.end()
	var unknown *survey.NoNodeError
	switch {
	case err == nil:
	case interrupted(ctx) && !b.Empty():
		return b.Snapshot(), nil // what was read until then
	case errors.As(err, &unknown):
		if near := nearest(unknown.Name, unknown.Some); near != "" {
			return nil, usagef("%w; did you mean %s?", err, report.Clean(near))
		}
		return nil, &usageError{err}
	case len(nodes) == 0:
		return nil, fmt.Errorf("read the cluster: %w", err)
	default:
		return nil, fmt.Errorf("read nodes: %w", err)
	}
	if err := f.cloud.read(ctx, b); err != nil {
		return nil, err
	}
	if f.beside != nil {
		if err := f.beside(b); err != nil {
			return nil, err
		}
	}
	return b.Snapshot(), nil
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
