package signals

import (
	"crypto/sha256"
	"encoding/hex"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
)

// maxName is the longest name of an object.
const maxName = 253

// Name returns the name of the signal of a provider for a request. It depends on the UID, because a request may be deleted and made again
// with the same name, and on the provider, because the owner may change it.
func Name(request string, uid types.UID, provider string) string {
	sum := sha256.Sum256([]byte(string(uid) + "/" + provider))
	end := "-nodetriage-" + hex.EncodeToString(sum[:4])
	return request[:min(len(request), maxName-len(end))] + end
}

// newSignal returns the signal for a request, without a verdict.
func newSignal(r *request, provider string) *health.HealthSignal {
	s := &health.HealthSignal{
		ObjectMeta: metav1.ObjectMeta{
			Name:   Name(r.Name, r.UID, provider),
			Labels: map[string]string{health.ProviderLabel: provider},
			// Not as a controller, and without blocking the deletion: AKS deletes requests when it likes.
			OwnerReferences: []metav1.OwnerReference{{APIVersion: r.version, Kind: "HealthCheckRequest", Name: r.Name, UID: r.UID}},
		},
		Spec: health.HealthSignalSpec{Type: health.TypeFor(r.Spec.Scope)},
	}
	if r.Spec.Scope == health.Node {
		s.Spec.TargetRef = &health.ObjectRef{APIVersion: "v1", Kind: "Node", Name: r.Target()}
	}
	return s
}
