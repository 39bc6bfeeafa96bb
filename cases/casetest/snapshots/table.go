package snapshots

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// TableTime is when the cluster of a table was read; its objects are a day old.
var TableTime = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// Table returns the cluster that the file "table" of a case describes, and with it the evidence of the case's other files
// except those named.
func Table(t testing.TB, c *casetest.Case, without ...string) *evidence.Snapshot {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range c.Files(append(without, "table", "args", "want")...) {
		files[f.Name] = f.Data
	}
	return OfTable(t, string(c.File("table")), files)
}

// OfTable returns the cluster that a table describes, as kubectl get -o json shows it, and with it the evidence of other files.
//
// A line is a kind, a name, and what differs from the usual:
//
//	node NAME [pool-label=VALUE] [zone=Z] [cpu=4] [version=v1.33.1] [cordoned] [not-ready] [taint=KEY] [provider=ID]
//	deployment NAMESPACE/NAME on=NODE,NODE [cpu=500m] [grace=30] [start=20] [not-ready=NODE,NODE] [finalizer=F] [scratch] [pvc=CLAIM]
//	    [pinned=NODE] [selects=LABEL:VALUE] [tolerates=KEY] [dead=SECONDS or dead=forever] [hook=SECONDS]
//	statefulset, daemonset, pod: the same
//	budget NAMESPACE/NAME min=1 or max=50%, of the workload of the same name [app=NAME] [stale] [failed=WHY]
//	server VERSION
//	unread KIND
//
// A pod on the node "-" is Pending.
func OfTable(t testing.TB, text string, files map[string][]byte) *evidence.Snapshot {
	t.Helper()
	tb := &table{t: t, lists: map[string][]object{"Node": {}, "Pod": {}, "Deployment": {}, "ReplicaSet": {}, "StatefulSet": {}, "DaemonSet": {}, "PodDisruptionBudget": {}, "EndpointSlice": {}, "Event": {}}}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 {
			tb.line(words)
		}
	}
	b := collect.NewBuilder(evidence.Source{Kind: "file", Name: "cluster.json"}, noSignatures(t))
	for _, kind := range slices.Sorted(maps.Keys(tb.lists)) {
		data, err := json.Marshal(object{"apiVersion": versions[kind], "kind": kind + "List", "metadata": object{"resourceVersion": ""}, "items": tb.lists[kind]})
		if err != nil {
			t.Fatal(err)
		}
		b.AddStream(strings.ToLower(kind)+"s.json", bytes.NewReader(data))
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.AddStream(name, bytes.NewReader(files[name]))
	}
	for kind := range tb.lists {
		b.Cover(covered[kind], evidence.Complete)
	}
	b.TakenAt(TableTime)
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Server.Version = tb.server })
	return b.Snapshot()
}

var versions = map[string]string{
	"Node": "v1", "Pod": "v1", "Event": "v1", "EndpointSlice": "discovery.k8s.io/v1", "Deployment": "apps/v1", "ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1",
	"PodDisruptionBudget": "policy/v1",
}

// covered are the kinds of evidence of which a table describes all there is.
var covered = map[string]evidence.Kind{
	"Node": evidence.Nodes, "Pod": evidence.Pods, "EndpointSlice": evidence.Endpoints, "Event": evidence.Events, "Deployment": evidence.Workloads, "ReplicaSet": evidence.Workloads,
	"StatefulSet": evidence.Workloads, "DaemonSet": evidence.Workloads, "PodDisruptionBudget": evidence.PDBs,
}

type object = map[string]any

// table is the cluster while its lines are read.
type table struct {
	t      testing.TB
	lists  map[string][]object // by kind
	server string              // its version
	apps   map[string][]bool   // by namespace and name: whether its pods are ready
}

// settings are the words of a line after the name: KEY=VALUE, or KEY alone.
type settings map[string]string

func (s settings) get(key, usual string) string {
	if v, set := s[key]; set {
		return v
	}
	return usual
}

func (s settings) list(key string) []string {
	return strings.FieldsFunc(s[key], func(r rune) bool { return r == ',' })
}

func (tb *table) line(words []string) {
	tb.t.Helper()
	if len(words) < 2 {
		tb.t.Fatalf("table: %q has no name", words)
	}
	set := settings{}
	for _, w := range words[2:] {
		k, v, _ := strings.Cut(w, "=")
		set[k] = v
	}
	switch kind, name := words[0], words[1]; kind {
	case "node":
		tb.node(name, set)
	case "budget":
		tb.budget(name, set)
	case "server":
		tb.server = name
	case "unread":
		delete(tb.lists, name)
	case "deployment", "statefulset", "daemonset", "pod":
		tb.workload(kind, name, set)
	default:
		tb.t.Fatalf("table: there is no %q", kind)
	}
}

func (tb *table) add(kind string, metadata, spec, status object) {
	metadata["creationTimestamp"] = TableTime.Add(-24 * time.Hour)
	metadata["generation"] = 1
	tb.lists[kind] = append(tb.lists[kind], object{"apiVersion": versions[kind], "kind": kind, "metadata": metadata, "spec": spec, "status": status})
}

func (tb *table) node(name string, set settings) {
	labels, spec := object{"kubernetes.io/hostname": name}, object{}
	for k, v := range set {
		if strings.Contains(k, "/") || k == "pool" {
			labels[k] = v
		}
	}
	if id := set["provider"]; id != "" {
		spec["providerID"] = id
	}
	if zone := set["zone"]; zone != "" {
		labels["topology.kubernetes.io/zone"] = zone
	}
	var taints []object
	if key := set["taint"]; key != "" {
		taints = append(taints, object{"key": key, "effect": "NoSchedule"})
	}
	if _, cordoned := set["cordoned"]; cordoned {
		spec["unschedulable"] = true
		taints = append(taints, object{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})
	}
	spec["taints"] = taints
	ready := "True"
	if _, not := set["not-ready"]; not {
		ready = "Unknown"
	}
	room := object{"cpu": set.get("cpu", "4"), "memory": "16Gi", "pods": set.get("pods", "30")}
	tb.add("Node", object{"name": name, "labels": labels}, spec, object{
		"allocatable": room, "capacity": room, "nodeInfo": object{"kubeletVersion": set.get("version", "v1.33.1")},
		"conditions": []object{{"type": "Ready", "status": ready, "lastHeartbeatTime": TableTime, "lastTransitionTime": TableTime.Add(-time.Hour)}},
	})
}

// owned is the metadata of an object with a controller.
func owned(namespace, name, kind, owner string, labels object) object {
	m := object{"namespace": namespace, "name": name, "uid": namespace + "-" + name, "labels": labels}
	if kind != "" {
		m["ownerReferences"] = []object{{"apiVersion": "apps/v1", "kind": kind, "name": owner, "uid": namespace + "-" + owner, "controller": true}}
	}
	return m
}

func (tb *table) workload(kind, of string, set settings) {
	namespace, name, _ := strings.Cut(of, "/")
	labels, nodes := object{"app": name}, set.list("on")
	template := tb.podSpec(set)
	scale := object{"replicas": len(nodes), "selector": object{"matchLabels": labels}, "template": object{"metadata": object{"labels": labels}, "spec": template}}
	counts := object{"replicas": len(nodes), "readyReplicas": len(nodes) - len(set.list("not-ready"))}
	owner, ownerKind := name, ""
	switch kind {
	case "deployment":
		tb.add("Deployment", owned(namespace, name, "", "", labels), scale, counts)
		owner, ownerKind = name+"-1", "ReplicaSet"
		tb.add("ReplicaSet", owned(namespace, owner, "Deployment", name, labels), scale, counts)
	case "statefulset":
		ownerKind = "StatefulSet"
		tb.add(ownerKind, owned(namespace, name, "", "", labels), scale, counts)
	case "daemonset":
		ownerKind = "DaemonSet"
		tb.add(ownerKind, owned(namespace, name, "", "", labels), scale, object{
			"desiredNumberScheduled": len(nodes), "currentNumberScheduled": len(nodes), "updatedNumberScheduled": len(nodes),
			"numberReady": counts["readyReplicas"], "numberAvailable": counts["readyReplicas"],
		})
	}
	for i, node := range nodes {
		spec := maps.Clone(template)
		ready := !slices.Contains(set.list("not-ready"), node)
		status := object{"phase": "Running", "conditions": []object{{"type": "Ready", "status": condition(ready), "lastTransitionTime": TableTime.Add(-24*time.Hour + tb.seconds(set.get("start", "20")))}}}
		if node == "-" {
			ready = false
			status = object{"phase": "Pending", "conditions": []object{{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0 nodes are available"}}}
		} else {
			spec["nodeName"] = node
		}
		metadata := owned(namespace, fmt.Sprintf("%s-%d", name, i), ownerKind, owner, labels)
		if f := set["finalizer"]; f != "" {
			metadata["finalizers"] = []string{f}
		}
		tb.add("Pod", metadata, spec, status)
		if tb.apps == nil {
			tb.apps = map[string][]bool{}
		}
		tb.apps[of] = append(tb.apps[of], ready)
	}
}

func condition(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func (tb *table) seconds(text string) time.Duration {
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.t.Fatalf("table: %q is no number of seconds", text)
	}
	return time.Duration(n) * time.Second
}

func (tb *table) podSpec(set settings) object {
	container := object{"name": "main", "image": "app"}
	if cpu := set["cpu"]; cpu != "" {
		container["resources"] = object{"requests": object{"cpu": cpu}}
	}
	spec := object{"containers": []object{container}, "terminationGracePeriodSeconds": int(tb.seconds(set.get("grace", "30")) / time.Second)}
	var volumes []object
	if _, scratch := set["scratch"]; scratch {
		volumes = append(volumes, object{"name": "scratch", "emptyDir": object{}})
	}
	if claim := set["pvc"]; claim != "" {
		volumes = append(volumes, object{"name": "data", "persistentVolumeClaim": object{"claimName": claim}})
	}
	spec["volumes"] = volumes
	if node := set["pinned"]; node != "" {
		spec["nodeSelector"] = object{"kubernetes.io/hostname": node}
	}
	if label, value, _ := strings.Cut(set["selects"], ":"); label != "" {
		spec["nodeSelector"] = object{label: value}
	}
	if v := set["hook"]; v != "" {
		container["lifecycle"] = object{"preStop": object{"sleep": object{"seconds": int(tb.seconds(v) / time.Second)}}}
	}
	spec["tolerations"] = tb.tolerations(set)
	return spec
}

// tolerations are those that a pod asks for, and those that the API server adds: how long it stays on a dead node.
func (tb *table) tolerations(set settings) []object {
	var out []object
	if key := set["tolerates"]; key != "" {
		out = append(out, object{"key": key, "operator": "Exists"})
	}
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		toleration := object{"key": key, "operator": "Exists", "effect": "NoExecute"}
		if v := set.get("dead", "300"); v != "forever" {
			toleration["tolerationSeconds"] = int(tb.seconds(v) / time.Second)
		}
		out = append(out, toleration)
	}
	return out
}

// budget counts the pods of its workload as the disruption controller does.
func (tb *table) budget(of string, set settings) {
	namespace, name, _ := strings.Cut(of, "/")
	app := set.get("app", name)
	pods := tb.apps[namespace+"/"+app]
	expected, healthy := len(pods), 0
	for _, ready := range pods {
		if ready {
			healthy++
		}
	}
	spec := object{"selector": object{"matchLabels": object{"app": app}}}
	desired := 0
	if v, given := set["min"]; given {
		spec["minAvailable"] = number(v)
		desired = part(v, expected)
	}
	if v, given := set["max"]; given {
		spec["maxUnavailable"] = number(v)
		desired = max(0, expected-part(v, expected))
	}
	var conditions []object
	allowed := max(0, healthy-desired)
	if why := set["failed"]; why != "" {
		allowed, conditions = 0, []object{{"type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed", "message": why}}
	}
	seen := 1
	if _, stale := set["stale"]; stale {
		seen = 0
	}
	tb.add("PodDisruptionBudget", object{"namespace": namespace, "name": name}, spec, object{
		"observedGeneration": seen, "expectedPods": expected, "currentHealthy": healthy, "desiredHealthy": desired, "disruptionsAllowed": allowed, "conditions": conditions,
	})
}

// number is a number, or the percentage as it stands.
func number(v string) any {
	if n, err := strconv.Atoi(v); err == nil {
		return n
	}
	return v
}

// part is the number of so many pods that a number or a percentage stands for.
func part(v string, of int) int {
	percent, is := strings.CutSuffix(v, "%")
	n, _ := strconv.Atoi(percent)
	if is {
		return (of*n + 99) / 100
	}
	return n
}
