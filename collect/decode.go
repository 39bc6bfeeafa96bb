package collect

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// decodeObject decodes JSON to a typed object; nil for kinds that are not supported. If without is set, it may leave out fields
// that do not decode, and returns them.
func decodeObject(raw []byte, kind, apiVersion string, without bool) (any, []unfit, error) {
	if !isRead(kind, apiVersion) {
		return nil, nil, nil
	}
	fresh := evidence.ObjectOf(kind).New
	newEvent := kind == "Event" && strings.HasPrefix(apiVersion, "events.k8s.io/")
	if newEvent {
		fresh = func() any { return &eventsv1.Event{} }
	}
	obj, left, err := unmarshal(raw, fresh, without)
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

// isRead reports whether objects of a kind are supported; an empty version is accepted.
func isRead(kind, apiVersion string) bool {
	o := evidence.ObjectOf(kind)
	return o != nil && o.In(apiVersion)
}

// coreEvent converts an events.k8s.io Event to a core Event.
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

// kindByShape returns the kind of an object without a kind field, by fields that only that kind has.
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
