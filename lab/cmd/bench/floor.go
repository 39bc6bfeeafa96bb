//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const pageSize = 500

// floor lists the objects that a diagnosis needs, as client-go does: protobuf, pages of 500, six resources in parallel,
// all objects kept.
func floor(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	config.ContentType = "application/vnd.kubernetes.protobuf"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	core, all := client.CoreV1(), metav1.NamespaceAll
	lists := []func(context.Context, metav1.ListOptions) (k8sruntime.Object, error){
		func(ctx context.Context, o metav1.ListOptions) (k8sruntime.Object, error) {
			return core.Nodes().List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (k8sruntime.Object, error) {
			return core.Pods(all).List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (k8sruntime.Object, error) {
			return core.Events(all).List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (k8sruntime.Object, error) {
			return client.CoordinationV1().Leases(all).List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (k8sruntime.Object, error) {
			return client.AppsV1().ReplicaSets(all).List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (k8sruntime.Object, error) {
			return client.PolicyV1().PodDisruptionBudgets(all).List(ctx, o)
		},
	}
	kept := make([][]k8sruntime.Object, len(lists))
	var group errgroup.Group
	for i, list := range lists {
		group.Go(func() error {
			options := metav1.ListOptions{Limit: pageSize}
			for {
				page, err := list(ctx, options)
				if err != nil {
					return err
				}
				kept[i] = append(kept[i], page)
				if options.Continue = page.(metav1.ListInterface).GetContinue(); options.Continue == "" {
					return nil
				}
			}
		})
	}
	err = group.Wait()
	runtime.KeepAlive(kept)
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	_, err = fmt.Fprintln(os.Stdout, "done")
	return err
}
