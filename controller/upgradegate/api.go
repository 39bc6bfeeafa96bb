package upgradegate

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
)

// fieldManager owns the fields of signals that are applied.
const fieldManager = "nodetriage-upgrade-gate"

// Scheme returns the types of both API groups in the version that the server serves.
func Scheme(version string) *runtime.Scheme {
	s := runtime.NewScheme()
	health.AddToScheme(s, version)
	upgrade.AddToScheme(s, version)
	return s
}

// api is the signals.API of a cluster. Reads come from the cache of the client if it has one.
type api struct{ client client.Client }

func (a api) Requests(ctx context.Context) ([]health.HealthCheckRequest, error) {
	var list health.HealthCheckRequestList
	if err := a.client.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("list health check requests: %w", err)
	}
	return list.Items, nil
}

func (a api) Policies(ctx context.Context) ([]upgrade.UpgradeGatePolicy, error) {
	var list upgrade.UpgradeGatePolicyList
	if err := a.client.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("list upgrade gate policies: %w", err)
	}
	return list.Items, nil
}

func (a api) Signals(ctx context.Context, provider string) ([]health.HealthSignal, error) {
	var list health.HealthSignalList
	if err := a.client.List(ctx, &list, client.MatchingLabels{health.ProviderLabel: provider}); err != nil {
		return nil, fmt.Errorf("list health signals: %w", err)
	}
	return list.Items, nil
}

// Apply creates or corrects a signal by server-side apply: the request is the same each time, and changes nothing the second time.
func (a api) Apply(ctx context.Context, s *health.HealthSignal) (*health.HealthSignal, error) {
	gvk, err := a.client.GroupVersionKindFor(s)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": gvk.GroupVersion().String(), "kind": gvk.Kind,
		"metadata": map[string]any{"name": s.Name, "labels": s.Labels, "ownerReferences": s.OwnerReferences},
		"spec":     s.Spec,
	})
	if err != nil {
		return nil, err
	}
	stored := &health.HealthSignal{ObjectMeta: metav1.ObjectMeta{Name: s.Name}}
	if err := a.client.Patch(ctx, stored, client.RawPatch(types.ApplyPatchType, body), client.FieldOwner(fieldManager), client.ForceOwnership); err != nil {
		return nil, fmt.Errorf("apply health signal %s: %w", s.Name, err)
	}
	return stored, nil
}

// SetStatus writes the status at the resource version of the signal. Another version is a conflict.
func (a api) SetStatus(ctx context.Context, s *health.HealthSignal) error {
	body, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"resourceVersion": s.ResourceVersion},
		"status":   s.Status,
	})
	if err != nil {
		return err
	}
	to := &health.HealthSignal{ObjectMeta: metav1.ObjectMeta{Name: s.Name}}
	if err := a.client.Status().Patch(ctx, to, client.RawPatch(types.MergePatchType, body), client.FieldOwner(fieldManager)); err != nil {
		return fmt.Errorf("write the status of health signal %s: %w", s.Name, err)
	}
	return nil
}
