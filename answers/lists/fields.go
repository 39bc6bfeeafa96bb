package lists

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/nodetriage/nodetriage/evidence"
)

// Fields of field selectors, as in the API server (kubernetes pkg/registry/core/pod/strategy.go and
// pkg/registry/core/node/strategy.go, v1.36.3).
var (
	PodFields  = []string{"metadata.name", "metadata.namespace", "spec.nodeName", "spec.schedulerName", "status.phase", "status.podIP", "status.nominatedNodeName"}
	NodeFields = []string{"metadata.name", "spec.unschedulable"}
)

// ParseFields parses a selector of these fields, as status.phase=Pending or spec.nodeName!=worker-3.
func ParseFields(text string, of []string) (fields.Selector, error) {
	by, err := fields.ParseSelector(text)
	if err != nil {
		return nil, err
	}
	for _, r := range by.Requirements() {
		if !slices.Contains(of, r.Field) {
			return nil, fmt.Errorf("there is no field %q to select by; there are %s", r.Field, strings.Join(of, ", "))
		}
	}
	return by, nil
}

// FieldsOfNode returns the selectable fields of a node.
func FieldsOfNode(n *evidence.Node) fields.Set {
	return fields.Set{"metadata.name": n.Name, "spec.unschedulable": strconv.FormatBool(n.Spec.Unschedulable)}
}

func fieldsOfPod(p *evidence.Pod) fields.Set {
	out := fields.Set{
		"metadata.name": p.Name, "metadata.namespace": p.Namespace, "spec.nodeName": p.Node, "spec.schedulerName": "",
		"status.phase": string(p.Phase), "status.podIP": p.IP, "status.nominatedNodeName": p.Nominated,
	}
	switch {
	case p.Spec == nil:
	case p.Spec.SchedulerName == "": // not kept in the evidence
		out["spec.schedulerName"] = corev1.DefaultSchedulerName
	default:
		out["spec.schedulerName"] = p.Spec.SchedulerName
	}
	return out
}

// fieldUnknown reports whether the selector needs a field that a table does not show.
func fieldUnknown(by fields.Selector, p *evidence.Pod) bool {
	of := fieldsOfPod(p)
	return p.Partial && slices.ContainsFunc(by.Requirements(), func(r fields.Requirement) bool { return of[r.Field] == "" })
}
