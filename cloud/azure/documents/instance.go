package documents

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// instanceValues reads the instance view of a machine: host name, VM agent, failed disks and extensions.
func instanceValues(r *resource, tree map[string]any) {
	set := func(key, value string) {
		if value != "" {
			r.Properties[key] = wording.Cut(value, maxName)
		}
	}
	set("host", instanceHost(tree))
	set("zone", strings.Join(stringsIn(tree, "zones"), ","))
	set("image", imageOf(tree))
	r.programs = programs(tree)
	set("vmAgent", agentState(tree))
	for key, list := range map[string]string{"failedDisks": "disks", "failedExtensions": "extensions"} {
		var names []string
		for _, item := range viewList(tree, list) {
			for _, s := range objectsIn(item, "statuses") {
				if strings.Contains(strings.ToLower(text(s, "code")), "/failed") && len(names) < 10 {
					names = append(names, text(item, "name"))
					break
				}
			}
		}
		set(key, strings.Join(names, ", "))
	}
	if _, announced := lookup(tree, "instanceView.maintenanceRedeployStatus.lastOperationResultCode"); announced {
		set("maintenance", text(tree, "instanceView.maintenanceRedeployStatus.lastOperationResultCode"))
	}
	for _, health := range []string{"instanceView.vmHealth.status.code", "properties.instanceView.vmHealth.status.code", "vmHealth.status.code"} {
		set("health", text(tree, health))
	}
}

// setValues reads the number of machines per state from the view of a scale set.
func setValues(r *resource, tree map[string]any) {
	counts := map[string]int{}
	for _, s := range objectsIn(tree, "virtualMachine.statusesSummary") {
		state, ok := cutFold(text(s, "code"), "ProvisioningState/")
		n, err := strconv.Atoi(fmt.Sprint(s["count"]))
		if !ok || err != nil || n < 0 || len(counts) >= 10 {
			continue
		}
		state, _, _ = strings.Cut(strings.ToLower(state), "/")
		counts[wording.Cut(state, maxName)] += n
	}
	var list []string
	for _, state := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s=%d", state, counts[state]))
	}
	if len(list) > 0 {
		r.Properties["machineStates"] = strings.Join(list, ",")
	}
}

// agentState returns the state of the VM agent in an instance view: "Ready" or "Not Ready".
func agentState(tree map[string]any) string {
	for _, at := range []string{"vmAgent", "instanceView.vmAgent", "properties.instanceView.vmAgent"} {
		agent, _ := lookup(tree, at)
		if agent, ok := agent.(map[string]any); ok {
			for _, s := range objectsIn(agent, "statuses") {
				if display := text(s, "displayStatus"); display != "" {
					return display
				}
			}
		}
	}
	return ""
}

func statusCodes(tree map[string]any) []string {
	var out []string
	for _, s := range viewList(tree, "statuses") {
		out = append(out, text(s, "code"))
	}
	return out
}

// viewList returns a list of an instance view, which may be the document or part of an instance.
func viewList(tree map[string]any, key string) []map[string]any {
	for _, at := range []string{key, "instanceView." + key, "properties.instanceView." + key} {
		if list := objectsIn(tree, at); list != nil {
			return list
		}
	}
	return nil
}

// objectsIn returns the objects of the list at the path.
func objectsIn(tree map[string]any, path string) []map[string]any {
	v, _ := lookup(tree, path)
	list, _ := v.([]any)
	var out []map[string]any
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// maxPrograms bounds the extensions of one machine.
const maxPrograms = 30

// programs returns the extensions in an instance view with their results.
func programs(tree map[string]any) (out []evidence.CloudProgram) {
	for _, item := range viewList(tree, "extensions") {
		name := text(item, "name")
		if name == "" || len(out) == maxPrograms {
			continue
		}
		p := evidence.CloudProgram{Name: wording.Cut(name, maxName)}
		for _, s := range objectsIn(item, "statuses") {
			code := text(s, "code")
			if state, ok := cutFold(code, "ProvisioningState/"); ok {
				state, _, _ = strings.Cut(state, "/") // the rest is the code of the extension
				p.State = wording.Cut(state, maxName)
			}
		}
		out = append(out, p)
	}
	return out
}

// imageOf returns the image of the OS disk: the last parts of its ID, or its marketplace name.
func imageOf(tree map[string]any) string {
	for _, at := range []string{"storageProfile.imageReference", "properties.storageProfile.imageReference"} {
		v, _ := lookup(tree, at)
		ref, ok := v.(map[string]any)
		if !ok {
			continue
		}
		if id := text(ref, "id"); id != "" {
			name := partOfID(id, "images")
			if version := partOfID(id, "versions"); version != "" {
				name += "/" + version
			}
			return strings.TrimPrefix(name, "/")
		}
		var parts []string
		for _, key := range []string{"publisher", "offer", "sku", "version"} {
			if part := text(ref, key); part != "" {
				parts = append(parts, part)
			}
		}
		return strings.Join(parts, ":")
	}
	return ""
}
