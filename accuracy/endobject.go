package accuracy

import (
	"slices"
	"strings"
	"time"
)

// objectEnd makes objects healthy: nodes are Ready and their heartbeats are recent, pods are running, and success events follow
// failure events.
type objectEnd struct {
	names names
	now   time.Time // of the evidence, after the end
	since time.Time // of the end
	// another: the end shows only in an unrelated pod. The failed pods are gone, and no event reports success.
	another bool
}

func (e objectEnd) at(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// newestObserved returns the time of the newest observation of objects, which is when they were read.
func newestObserved(files Files) (newest time.Time) {
	see := func(v any) {
		if s, ok := v.(string); ok {
			if t, err := time.Parse(time.RFC3339, s); err == nil && t.After(newest) {
				newest = t.UTC()
			}
		}
	}
	for _, f := range files {
		d, ok := parseDocument(f)
		if !ok {
			continue
		}
		d.each(func(kind string, o object) {
			see(o["takenAt"])
			see(o["renewed"])
			see(o["last"])
			see(at(o, "spec", "renewTime"))
			see(o["lastTimestamp"])
			for _, c := range append(listAt(o, "status", "conditions"), listAt(o, "conditions")...) {
				see(at(c, "lastHeartbeatTime"))
				see(at(c, "lastTransitionTime"))
			}
			see(at(o, "metadata", "creationTimestamp"))
			see(at(o, "status", "startTime"))
			for _, s := range listAt(o, "status", "containerStatuses") {
				see(at(s, "state", "running", "startedAt"))
				see(at(s, "lastState", "terminated", "finishedAt"))
			}
		})
	}
	return newest
}

// endOf are the changes of objects by kind.
var endOf = map[string]func(objectEnd, object){
	"Node":         objectEnd.node,
	"bundle/nodes": objectEnd.node,
	"Pod":          objectEnd.pod,
	"bundle/pods":  objectEnd.bundledPod,
	"Lease": func(e objectEnd, o object) {
		below(o, "spec")["renewTime"] = e.now.UTC().Format("2006-01-02T15:04:05.000000Z")
	},
	"bundle/leases":   func(e objectEnd, o object) { o["renewed"] = e.at(e.now) },
	"bundle/kubelets": func(_ objectEnd, o object) { o["gone"] = true }, // kubelets were not queried again
	"Bundle":          func(e objectEnd, o object) { o["takenAt"] = e.at(e.now) },
}

// steadyKinds are the kinds of objects that stay as they are.
var steadyKinds = []string{
	"Evidence", "Namespace", "bundle/namespaces", "bundle/priorityclasses", "bundle/csinodes", "bundle/storageclasses", "bundle/csidrivers", "bundle/workloads",
	"PriorityClass", "Deployment", "ReplicaSet", "StorageClass", "CSINode", "CSIDriver", "Service", "ConfigMap", "Job", "CronJob",
}

// end makes the objects of a document healthy. skip is the reason if it cannot.
func (e objectEnd) end(d document) (skip string) {
	var more []any
	d.each(func(kind string, o object) {
		change, known := endOf[kind]
		switch {
		case known:
			change(e, o)
		case kind == "Event" || kind == "bundle/events":
			if e.another {
				e.hosted(kind, o)
				return
			}
			events, ok := e.after(kind, o)
			if !ok {
				skip = "an event of whose success nothing is known"
			}
			more = append(more, events...)
		case kind == "":
			skip = "objects that are not of Kubernetes"
		case !slices.Contains(steadyKinds, kind):
			skip = "an object of whose end nothing is known: " + strings.TrimPrefix(kind, "bundle/")
		}
	})
	for _, root := range d.roots {
		if m, ok := root.(object); ok && m["gone"] != nil {
			return "an object that is being deleted is gone at the end, and nothing is left"
		}
	}
	dropGone(d, more)
	return skip
}

// dropGone removes deleted objects from the lists of a document, and adds later objects to the first suitable list.
func dropGone(d document, more []any) {
	for _, l := range d.lists() {
		kept := []any{}
		for _, item := range l["items"].([]any) {
			if at(item, "gone") == nil {
				kept = append(kept, item)
			}
		}
		if kind := textAt(l, "of"); kind == "events" || kind == "" {
			kept = append(kept, more...)
			more = nil
		}
		l["items"] = kept
	}
}

// runs reports whether all containers of a pod are ready.
func runs(pod object) bool {
	return !slices.ContainsFunc(listAt(pod, "status", "containerStatuses"), func(s any) bool { return at(s, "ready") != true }) && textAt(pod, "status", "phase") == "Running"
}

// hosted adds the node to a kubelet event that does not name it.
func (e objectEnd) hosted(kind string, o object) {
	source := o
	if kind == "Event" {
		source = below(o, "source")
	}
	if source["component"] == "kubelet" && source["host"] == nil {
		source["host"] = e.names.node()
	}
}

func (e objectEnd) node(o object) {
	if taints := listAt(o, "spec", "taints"); taints != nil {
		var kept []any
		for _, t := range taints {
			if !badTaint.MatchString(textAt(t, "key")) {
				kept = append(kept, t)
			}
		}
		delete(below(o, "spec"), "taints")
		if kept != nil {
			below(o, "spec")["taints"] = kept
		}
	}
	delete(below(o, "spec"), "unschedulable")
	for _, c := range listAt(o, "status", "conditions") {
		if c, ok := c.(object); ok {
			g := goodCondition(textAt(c, "type"))
			if c["status"] != g[0] {
				c["lastTransitionTime"] = e.at(e.since)
			}
			c["status"], c["reason"], c["message"] = g[0], g[1], g[2]
			c["lastHeartbeatTime"] = e.at(e.now)
		}
	}
}

// pod makes a pod run. A pod that is being deleted is gone, and so is one that failed if the end shows in another pod.
func (e objectEnd) pod(o object) {
	if at(o, "metadata", "deletionTimestamp") != nil || e.another && !runs(o) {
		o["gone"] = true
		return
	}
	status := below(o, "status")
	if status["phase"] == "Succeeded" {
		return
	}
	if textAt(o, "spec", "nodeName") == "" {
		below(o, "spec")["nodeName"] = e.names.node()
	}
	status["phase"] = "Running"
	for _, key := range []string{"reason", "message"} {
		delete(status, key)
	}
	if listAt(status, "containerStatuses") == nil {
		addStatuses(status, listAt(o, "spec", "containers"))
	}
	for _, s := range listAt(status, "containerStatuses") {
		e.container(s, false)
	}
	for _, s := range listAt(status, "initContainerStatuses") {
		e.container(s, true)
	}
	e.podConditions(status)
}

// addStatuses adds a status for each container to a pod that has none.
func addStatuses(status object, containers []any) {
	var made []any
	for _, c := range containers {
		made = append(made, object{"name": textAt(c, "name"), "image": textAt(c, "image"), "restartCount": 0, "state": object{}})
	}
	if made != nil {
		status["containerStatuses"] = made
	}
}

// container makes a container run since the end, or an init container complete.
func (e objectEnd) container(status any, init bool) {
	s, ok := status.(object)
	runs := at(s, "state", "running") != nil && at(s, "ready") == true
	done := init && at(s, "state", "terminated", "reason") == "Completed"
	if !ok || runs || done {
		return
	}
	if init {
		s["state"] = object{"terminated": object{"exitCode": 0, "reason": "Completed", "startedAt": e.at(e.since), "finishedAt": e.at(e.since)}}
	} else {
		s["state"] = object{"running": object{"startedAt": e.at(e.since)}}
	}
	s["ready"] = true
}

// podConditions makes all conditions of a pod true since the end, and adds Ready if it is missing.
func (e objectEnd) podConditions(status object) {
	ready := false
	for _, c := range listAt(status, "conditions") {
		c, ok := c.(object)
		if !ok {
			continue
		}
		ready = ready || textAt(c, "type") == "Ready"
		if c["status"] != "True" {
			c["status"], c["lastTransitionTime"] = "True", e.at(e.since)
			delete(c, "reason")
			delete(c, "message")
		}
	}
	if !ready {
		status["conditions"] = append(listAt(status, "conditions"), object{"type": "Ready", "status": "True", "lastTransitionTime": e.at(e.since)})
	}
}

// bundledPod is pod for the short form of bundles.
func (e objectEnd) bundledPod(o object) {
	if o["deleted"] != nil || e.another && o["ready"] != "true" {
		o["gone"] = true
		return
	}
	if o["phase"] == "Succeeded" || o["status"] == "Running" && o["ready"] == "true" {
		return
	}
	if textAt(o, "node") == "" {
		o["node"] = e.names.node()
	}
	o["phase"], o["status"], o["ready"], o["readySince"] = "Running", "Running", "true", e.at(e.since)
	o["readyCount"] = o["total"]
	for _, key := range []string{"reason", "message", "conditions", "containers"} {
		delete(o, key)
	}
}

// after returns the success events after a failure event.
func (e objectEnd) after(kind string, o object) ([]any, bool) {
	typ, reason := textAt(o, "type"), textAt(o, "reason")
	about := "involvedObject"
	if kind == "bundle/events" {
		about = "object"
	} else if o["regarding"] != nil {
		about = "regarding"
	}
	names := e.names
	subject, _ := o[about].(object)
	switch textAt(subject, "kind") {
	case "Node":
		names.nodes = []string{textAt(subject, "name")}
	case "Pod":
		names.pods = []string{textAt(subject, "namespace") + "/" + textAt(subject, "name")}
	}
	if reason == "Killing" || reason == "FailedKillPod" {
		return nil, true
	}
	good, ok := successes([]eventRow{{typ: typ, reason: reason}}, names)
	var out []any
	for _, g := range good {
		stamp := e.at(e.since)
		if kind == "bundle/events" {
			out = append(out, object{"object": subject, "type": "Normal", "reason": g.reason, "message": g.message, "component": g.from, "count": 1, "first": stamp, "last": stamp})
			continue
		}
		out = append(out, object{
			"apiVersion": "v1", "kind": "Event", "metadata": object{"name": "app.18" + strings.ToLower(g.reason), "namespace": "default", "creationTimestamp": stamp},
			"involvedObject": subject, "type": "Normal", "reason": g.reason, "message": g.message, "source": object{"component": g.from},
			"count": 1, "firstTimestamp": stamp, "lastTimestamp": stamp,
		})
	}
	return out, ok
}
