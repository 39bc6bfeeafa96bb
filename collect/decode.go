package collect

import (
	"encoding/json"
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

	"github.com/nodetriage/nodetriage/kube"
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
	case "Namespace":
		return &corev1.Namespace{}
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
	case "StorageClass":
		return &storagev1.StorageClass{}
	case "CSIDriver":
		return &storagev1.CSIDriver{}
	case "CSIStorageCapacity":
		return &storagev1.CSIStorageCapacity{}
	case "CertificateSigningRequest":
		return &certificatesv1.CertificateSigningRequest{}
	case "ValidatingWebhookConfiguration":
		return &admissionv1.ValidatingWebhookConfiguration{}
	case "MutatingWebhookConfiguration":
		return &admissionv1.MutatingWebhookConfiguration{}
	case "ValidatingAdmissionPolicy":
		return &admissionv1.ValidatingAdmissionPolicy{}
	case "ValidatingAdmissionPolicyBinding":
		return &admissionv1.ValidatingAdmissionPolicyBinding{}
	case "MutatingAdmissionPolicy":
		return &admissionv1.MutatingAdmissionPolicy{}
	case "MutatingAdmissionPolicyBinding":
		return &admissionv1.MutatingAdmissionPolicyBinding{}
	case "EndpointSlice":
		return &discoveryv1.EndpointSlice{}
	case "NodeMetrics":
		return &kube.NodeUsage{}
	}
	return nil
}

// decodeObject makes a typed object of JSON, and tells the fields that had to be left out; nil for kinds that nothing
// reads.
func decodeObject(raw []byte, kind, apiVersion string) (any, []unfit, error) {
	if !isRead(kind, apiVersion) {
		return nil, nil, nil
	}
	fresh := func() any { return newObject(kind) }
	newEvent := kind == "Event" && strings.HasPrefix(apiVersion, "events.k8s.io/")
	if newEvent {
		fresh = func() any { return &eventsv1.Event{} }
	}
	obj, left, err := unmarshal(raw, fresh)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", kind, err)
	}
	if len(left) > 0 && nameOf(obj) == "" {
		return nil, nil, fmt.Errorf("read %s: %s", kind, leftOut(left))
	}
	if newEvent {
		return coreEvent(obj.(*eventsv1.Event)), left, nil
	}
	return obj, left, nil
}

// coreEvent is the core form of an events.k8s.io Event.
func coreEvent(e *eventsv1.Event) *corev1.Event {
	out := &corev1.Event{
		ObjectMeta: e.ObjectMeta, InvolvedObject: e.Regarding, Reason: e.Reason, Message: e.Note, Type: e.Type,
		EventTime: e.EventTime, ReportingController: e.ReportingController, Source: e.DeprecatedSource,
		FirstTimestamp: e.DeprecatedFirstTimestamp, LastTimestamp: e.DeprecatedLastTimestamp, Count: e.DeprecatedCount,
	}
	if e.Series != nil {
		out.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out
}

// kindByShape names the kind of an object that says it nowhere, by fields that only that kind has.
func kindByShape(raw []byte) string {
	var shape struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		InvolvedObject json.RawMessage `json:"involvedObject"`
		Spec           struct {
			Containers json.RawMessage `json:"containers"`
			RenewTime  json.RawMessage `json:"renewTime"`
		} `json:"spec"`
		Status struct {
			NodeInfo json.RawMessage `json:"nodeInfo"`
		} `json:"status"`
	}
	if json.Unmarshal(raw, &shape) != nil || shape.Metadata.Name == "" {
		return ""
	}
	switch {
	case shape.InvolvedObject != nil:
		return "Event"
	case shape.Spec.Containers != nil:
		return "Pod"
	case shape.Status.NodeInfo != nil:
		return "Node"
	case shape.Spec.RenewTime != nil:
		return "Lease"
	}
	return ""
}
