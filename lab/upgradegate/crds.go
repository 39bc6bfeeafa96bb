package upgradegate

import (
	"context"
	"embed"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"
)

//go:embed crds/*.yaml
var crds embed.FS

// Resources of the contract.
var (
	Policies   = schema.GroupVersionResource{Group: "upgrade.aks.io", Version: "v1alpha1", Resource: "upgradegatepolicies"}
	Operations = schema.GroupVersionResource{Group: "upgrade.aks.io", Version: "v1alpha1", Resource: "upgradeoperations"}
	Requests   = schema.GroupVersionResource{Group: "health.aks.io", Version: "v1alpha1", Resource: "healthcheckrequests"}
	Signals    = schema.GroupVersionResource{Group: "health.aks.io", Version: "v1alpha1", Resource: "healthsignals"}
)

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// Install creates the definitions of the resources, as AKS does when the feature is enabled, and waits until they are served.
func Install(ctx context.Context, client dynamic.Interface) error {
	files, err := crds.ReadDir("crds")
	if err != nil {
		return err
	}
	for _, f := range files {
		data, err := crds.ReadFile("crds/" + f.Name())
		if err != nil {
			return err
		}
		var object unstructured.Unstructured
		if err := yaml.Unmarshal(data, &object.Object); err != nil {
			return fmt.Errorf("read %s: %w", f.Name(), err)
		}
		if _, err := client.Resource(definitions).Create(ctx, &object, metav1.CreateOptions{}); err != nil && !errors.IsAlreadyExists(err) {
			return fmt.Errorf("create %s: %w", f.Name(), err)
		}
	}
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		for _, r := range []schema.GroupVersionResource{Policies, Operations, Requests, Signals} {
			if _, err := client.Resource(r).List(ctx, metav1.ListOptions{}); err != nil {
				return false, nil
			}
		}
		return true, nil
	})
}
