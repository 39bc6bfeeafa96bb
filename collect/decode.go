package collect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// newObject makes an empty object by kind, whatever the version: the fields that are read here kept their
// names through the versions. Kinds that nothing reads, Secrets among them, give nil.
func newObject(kind string) any {
	switch kind {
	case "Node":
		return &corev1.Node{}
	case "Pod":
		return &corev1.Pod{}
	case "Event":
		return &corev1.Event{}
	case "Lease":
		return &coordinationv1.Lease{}
	case "PodDisruptionBudget":
		return &policyv1.PodDisruptionBudget{}
	case "Deployment":
		return &appsv1.Deployment{}
	case "ReplicaSet":
		return &appsv1.ReplicaSet{}
	case "StatefulSet":
		return &appsv1.StatefulSet{}
	case "DaemonSet":
		return &appsv1.DaemonSet{}
	case "Job":
		return &batchv1.Job{}
	case "ReplicationController":
		return &corev1.ReplicationController{}
	case "PersistentVolumeClaim":
		return &corev1.PersistentVolumeClaim{}
	case "PersistentVolume":
		return &corev1.PersistentVolume{}
	case "VolumeAttachment":
		return &storagev1.VolumeAttachment{}
	case "CSINode":
		return &storagev1.CSINode{}
	case "PriorityClass":
		return &schedulingv1.PriorityClass{}
	case "CertificateSigningRequest":
		return &certificatesv1.CertificateSigningRequest{}
	case "ValidatingWebhookConfiguration":
		return &admissionv1.ValidatingWebhookConfiguration{}
	case "MutatingWebhookConfiguration":
		return &admissionv1.MutatingWebhookConfiguration{}
	case "EndpointSlice":
		return &discoveryv1.EndpointSlice{}
	}
	return nil
}

// head is what tells the kind of a JSON object.
type head struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Items      []json.RawMessage `json:"items"`
}

var errNotKubernetes = errors.New("not a Kubernetes object")

// decodeObject makes a typed object of JSON; kind overrides a kind that is missing. It returns nil without
// an error for kinds that nothing reads.
func decodeObject(raw []byte, kind string) (any, error) {
	var h head
	if err := json.Unmarshal(raw, &h); err != nil {
		return nil, err
	}
	if h.Kind == "" {
		h.Kind = kind
	}
	if h.Kind == "" {
		return nil, errNotKubernetes
	}
	if h.Kind == "Event" && strings.HasPrefix(h.APIVersion, "events.k8s.io/") {
		return decodeNewEvent(raw)
	}
	obj := newObject(h.Kind)
	if obj == nil {
		return nil, nil
	}
	if err := json.Unmarshal(raw, obj); err != nil {
		return nil, fmt.Errorf("read %s: %w", h.Kind, err)
	}
	return obj, nil
}

// decodeNewEvent reads an events.k8s.io Event into the core form.
func decodeNewEvent(raw []byte) (any, error) {
	var e eventsv1.Event
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("read Event: %w", err)
	}
	out := &corev1.Event{
		ObjectMeta: e.ObjectMeta, InvolvedObject: e.Regarding, Reason: e.Reason, Message: e.Note, Type: e.Type,
		EventTime: e.EventTime, ReportingController: e.ReportingController, Source: e.DeprecatedSource,
		FirstTimestamp: e.DeprecatedFirstTimestamp, LastTimestamp: e.DeprecatedLastTimestamp, Count: e.DeprecatedCount,
	}
	if e.Series != nil {
		out.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out, nil
}
