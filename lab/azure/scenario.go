package azure

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"
	"time"

	"sigs.k8s.io/yaml"
)

// Scenario is a state of Azure and of its cluster, with the fault.
type Scenario struct {
	Name string `json:"-"`
	// Truth is the cause that must be found first; empty: no finding is allowed.
	Truth string `json:"truth"`
	// Quote is a text that its evidence must contain: the error code.
	Quote string `json:"quote"`
	// Remedy is a text that its remedies must contain, including their commands.
	Remedy string `json:"remedy"`
	// Never lists causes that must not be found.
	Never []string `json:"never"`
	State
	// Nodes are the nodes of the cluster by instance number; null: the node does not exist.
	Nodes map[string]*Node `json:"nodes"`
	// Objects are the other objects of the cluster.
	Objects []map[string]any `json:"objects"`
}

// Node contains the differences from a healthy node.
type Node struct {
	Name        string            `json:"name"`
	ProviderID  string            `json:"providerID"`
	Ready       string            `json:"ready"`
	Since       string            `json:"since"`    // transition time of Ready
	Cordoned    string            `json:"cordoned"` // start time
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	Taints      []map[string]any  `json:"taints"`
	Conditions  []any             `json:"conditions"` // in addition to the standard conditions
	Stays       bool              `json:"stays"`      // unchanged when its VM works again
}

//go:embed testdata
var files embed.FS

// Names lists the scenarios.
func Names() ([]string, error) {
	entries, err := files.ReadDir("testdata/scenarios")
	if err != nil {
		return nil, fmt.Errorf("list scenarios: %w", err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names, nil
}

// Load reads a scenario as of now: a healthy cluster (testdata/base.yaml), changed by the file of the scenario. Times
// in the files have the form {{ago "10m"}}.
func Load(name string, now time.Time) (*Scenario, error) {
	base, err := read("testdata/base.yaml", now)
	if err != nil {
		return nil, err
	}
	change, err := read(path.Join("testdata/scenarios", name+".yaml"), now)
	if err != nil {
		return nil, err
	}
	merged := merge(base, change)
	raw, err := json.Marshal(merged)
	if err != nil {
		return nil, fmt.Errorf("merge scenario %s: %w", name, err)
	}
	s := &Scenario{Name: name}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf("read scenario %s: %w", name, err)
	}
	return s, nil
}

// The files contain short IDs.
var ids = strings.NewReplacer(
	"$cluster", "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/aks",
	"$set", "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/MC_rg_aks_region/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss",
	"$nodes", "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/MC_rg_aks_region",
	"$net", "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/net/providers/Microsoft.Network",
	"$sub", "/subscriptions/00000000-0000-0000-0000-000000000001",
)

func read(name string, now time.Time) (map[string]any, error) {
	raw, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	ago := func(d string) (string, error) {
		back, err := time.ParseDuration(d)
		return now.Add(-back).UTC().Format(time.RFC3339), err
	}
	t, err := template.New(name).Funcs(template.FuncMap{"ago": ago}).Parse(string(raw))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var text strings.Builder
	if err := t.Execute(&text, nil); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var out map[string]any
	if err := yaml.UnmarshalStrict([]byte(ids.Replace(text.String())), &out); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, nil
}

// merge applies a merge patch (RFC 7396), but keeps null, which means that an object does not exist.
func merge(base, change map[string]any) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range change {
		inner, isMap := v.(map[string]any)
		old, wasMap := out[k].(map[string]any)
		if isMap && wasMap {
			out[k] = merge(old, inner)
		} else {
			out[k] = v
		}
	}
	return out
}

// Cluster returns the Kubernetes objects of the scenario.
func (s *Scenario) Cluster(now time.Time) []map[string]any {
	var out []map[string]any
	for _, number := range slices.Sorted(maps.Keys(s.Nodes)) {
		if n := s.Nodes[number]; n != nil {
			out = append(out, n.object(number, now))
		}
	}
	return append(out, s.Objects...)
}

// NameAs returns the name of the node with that number.
func (n *Node) NameAs(number string) string {
	if n.Name != "" {
		return n.Name
	}
	return "aks-np1-12345678-vmss00000" + number
}

func (n *Node) object(number string, now time.Time) map[string]any {
	stamp := func(back time.Duration) string { return now.Add(-back).UTC().Format(time.RFC3339) }
	name, id := n.NameAs(number), n.ProviderID
	if id == "" {
		id = "azure://" + ids.Replace("$set") + "/virtualMachines/" + number
	}
	ready, since := "True", stamp(300*time.Hour)
	if n.Ready != "" {
		ready, since = n.Ready, n.Since
	}
	labels := map[string]any{"kubernetes.azure.com/agentpool": "np1", "agentpool": "np1", "kubernetes.azure.com/node-image-version": "AKSUbuntu-2204gen2containerd-202605.18.0",
		"kubernetes.io/os": "linux", "kubernetes.io/hostname": name}
	for k, v := range n.Labels {
		labels[k] = v
	}
	beat := stamp(time.Minute)
	if ready == "Unknown" {
		beat = since
	}
	spec := map[string]any{"providerID": id, "podCIDR": "10.244." + number + ".0/24", "podCIDRs": []any{"10.244." + number + ".0/24"}}
	taints := []any{}
	for _, t := range n.Taints {
		taints = append(taints, t)
	}
	if n.Cordoned != "" {
		spec["unschedulable"] = true
		taints = append(taints, map[string]any{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": n.Cordoned})
	}
	if ready == "Unknown" {
		taints = append(taints, map[string]any{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute", "timeAdded": since})
	}
	spec["taints"] = taints
	return map[string]any{
		"apiVersion": "v1", "kind": "Node",
		"metadata": map[string]any{"name": name, "uid": "node-" + number, "creationTimestamp": stamp(300 * time.Hour), "labels": labels, "annotations": n.Annotations},
		"spec":     spec,
		"status": map[string]any{
			"addresses":   []any{map[string]any{"type": "InternalIP", "address": "10.10.4." + number}, map[string]any{"type": "Hostname", "address": name}},
			"nodeInfo":    map[string]any{"kubeletVersion": "v1.33.3", "osImage": "Ubuntu 22.04.5 LTS", "containerRuntimeVersion": "containerd://1.7.27", "operatingSystem": "linux", "architecture": "amd64"},
			"conditions":  append(conditions(ready, since, beat), n.Conditions...),
			"capacity":    map[string]any{"cpu": "4", "memory": "16Gi", "pods": "30"},
			"allocatable": map[string]any{"cpu": "3860m", "memory": "14Gi", "pods": "30"},
		},
	}
}

// Conditions returns the conditions of a node in that state since that time.
func Conditions(ready string, since, beat time.Time) []any {
	return conditions(ready, since.UTC().Format(time.RFC3339), beat.UTC().Format(time.RFC3339))
}

func conditions(ready, since, beat string) []any {
	condition := func(typ, status, reason string) any {
		return map[string]any{"type": typ, "status": status, "reason": reason, "message": "", "lastTransitionTime": since, "lastHeartbeatTime": beat}
	}
	reason := map[string]string{"True": "KubeletReady", "False": "KubeletNotReady", "Unknown": "NodeStatusUnknown"}[ready]
	out := []any{condition("Ready", ready, reason)}
	for typ, reason := range map[string]string{"MemoryPressure": "KubeletHasSufficientMemory", "DiskPressure": "KubeletHasNoDiskPressure", "PIDPressure": "KubeletHasSufficientPID"} {
		if ready == "Unknown" {
			out = append(out, condition(typ, "Unknown", "NodeStatusUnknown"))
		} else {
			out = append(out, condition(typ, "False", reason))
		}
	}
	return out
}
