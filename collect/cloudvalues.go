package collect

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// addCloudValues adds a document as an activity or as a resource, with the resources inside it.
func addCloudValues(d *evidence.Data, tree map[string]any, name string, at time.Time) {
	ref := evidence.Ref{Source: name, ObservedAt: at}
	if op := text(tree, "operationName.value", "operationName"); op != "" {
		d.CloudActivities = append(d.CloudActivities, &evidence.CloudActivity{
			Operation: Bound(op, maxName), Status: Bound(text(tree, "status.value", "status"), maxName), Time: at,
			Caller: Bound(text(tree, "caller"), maxName), Resource: Bound(text(tree, "resourceId"), maxName), Errors: cloudErrors(tree), Ref: ref,
		})
		return
	}
	d.CloudResources = append(d.CloudResources, cloudResource(tree, ref))
	for _, at := range []string{"agentPoolProfiles", "properties.agentPoolProfiles"} { // of a cluster
		list, _ := lookup(tree, at)
		pools, _ := list.([]any)
		for i, p := range pools {
			if pool, ok := p.(map[string]any); ok && i < maxPools {
				r := cloudResource(pool, evidence.Ref{Source: name, Locator: fmt.Sprintf("%s[%d]", at, i), ObservedAt: ref.ObservedAt})
				r.Type = "pool"
				d.CloudResources = append(d.CloudResources, r)
			}
		}
	}
}

const maxPools = 200 // of one cluster

// chosenProperties are the fields that evidence.CloudResource.Properties keeps.
var chosenProperties = []string{
	"count", "vmSize", "mode", "nodeImageVersion", "orchestratorVersion", "currentOrchestratorVersion", "enableAutoScaling",
	"minCount", "maxCount", "maxPods", "instanceId", "latestModelApplied", "limit", "currentValue", "level", "notes",
}

func cloudResource(tree map[string]any, ref evidence.Ref) *evidence.CloudResource {
	r := &evidence.CloudResource{
		Type: cloudType(tree), ID: Bound(text(tree, "id"), maxName), Name: Bound(text(tree, "name", "computerName"), maxName),
		Provisioning: Bound(text(tree, "provisioningState", "properties.provisioningState"), maxName),
		Power:        Bound(text(tree, "powerState.code", "properties.powerState.code"), maxName),
		Errors:       cloudErrors(tree), Ref: ref, Properties: map[string]string{},
	}
	for _, k := range chosenProperties {
		for _, at := range []string{k, "properties." + k} {
			if v, ok := lookup(tree, at); ok && v != nil {
				r.Properties[k] = Bound(fmt.Sprint(v), maxName)
			}
		}
	}
	if agent := agentState(tree); agent != "" {
		r.Properties["vmAgent"] = agent
	}
	for _, code := range statusCodes(tree) {
		if state, ok := strings.CutPrefix(code, "PowerState/"); ok && r.Power == "" {
			r.Power = Bound(state, maxName)
		}
		if state, ok := strings.CutPrefix(code, "ProvisioningState/"); ok && r.Provisioning == "" {
			r.Provisioning = Bound(state, maxName)
		}
	}
	return r
}

const maxCloudErrors = 50 // of one document

// cloudErrors lists every code with a message in the tree, the outermost first.
func cloudErrors(v any) []evidence.CloudError {
	var out []evidence.CloudError
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if depth > maxFlatDepth || len(out) >= maxCloudErrors {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			code, message := text(v, "code", "Code"), text(v, "message", "Message")
			if code != "" && !strings.HasPrefix(code, "PowerState/") && !strings.Contains(strings.ToLower(code), "succeeded") {
				out = append(out, evidence.CloudError{Code: Bound(code, maxName), Message: Bound(message, maxEvidence), Target: Bound(text(v, "target"), maxName)})
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				visit(v[k], depth+1)
			}
		case []any:
			for _, e := range v {
				visit(e, depth+1)
			}
		case string:
			if inner, ok := embedded(v); ok {
				visit(inner, depth+1)
			}
		}
	}
	visit(v, 0)
	return out
}

// agentState is what an instance view says of the agent inside the machine: "Ready" or "Not Ready".
func agentState(tree map[string]any) string {
	for _, at := range []string{"vmAgent.statuses", "instanceView.vmAgent.statuses", "properties.instanceView.vmAgent.statuses"} {
		list, _ := lookup(tree, at)
		items, _ := list.([]any)
		for _, item := range items {
			if m, ok := item.(map[string]any); ok && text(m, "displayStatus") != "" {
				return Bound(text(m, "displayStatus"), 200)
			}
		}
	}
	return ""
}

func statusCodes(tree map[string]any) []string {
	var out []string
	for _, at := range []string{"statuses", "instanceView.statuses", "properties.instanceView.statuses"} {
		list, _ := lookup(tree, at)
		items, _ := list.([]any)
		for _, item := range items {
			if m, ok := item.(map[string]any); ok {
				out = append(out, text(m, "code"))
			}
		}
	}
	return out
}
