package paste

import (
	"strconv"

	"github.com/nodetriage/nodetriage/evidence"
)

// notPrinted is a count that the table does not show.
const notPrinted = -1

// workload builds a controller of pods; nil if a count or the age is invalid.
func workload(t *table, kind string, c cells, l line, counts map[string]*int) *evidence.Workload {
	if !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return nil
	}
	for name, to := range counts {
		n, err := strconv.Atoi(c[name])
		if err != nil {
			return nil
		}
		*to = n
	}
	namespace := c["NAMESPACE"]
	if namespace == "" {
		namespace = t.ask.namespace
	}
	return &evidence.Workload{
		Kind: kind, Namespace: namespace, Name: trimKind(c["NAME"]), Selector: c.get("SELECTOR"), Partial: true, Ref: t.p.ref(l),
	}
}

func (t *table) addWorkload(w *evidence.Workload, l line) bool {
	if w != nil && t.p.text.room("workloads", l) {
		t.p.text.workloads = append(t.p.text.workloads, w)
	}
	return w != nil
}

func daemonSetRow(t *table, c cells, l line) bool {
	desired, current, ready, updated, available := 0, 0, notPrinted, notPrinted, notPrinted
	counts := map[string]*int{"DESIRED": &desired, "CURRENT": &current}
	for name, to := range map[string]*int{"READY": &ready, "UPTODATE": &updated, "AVAILABLE": &available} {
		if t.cols.has(name) { // 1.5 did not print them
			counts[name] = to
		}
	}
	w := workload(t, "DaemonSet", c, l, counts)
	if w != nil {
		w.Replicas, w.Current, w.Ready, w.Updated, w.Available = desired, current, ready, updated, available
	}
	return t.addWorkload(w, l)
}

func deploymentRow(t *table, c cells, l line) bool {
	desired, current, ready, updated, available := 0, notPrinted, notPrinted, 0, 0
	counts := map[string]*int{"UPTODATE": &updated, "AVAILABLE": &available}
	if t.cols.has("DESIRED") { // up to 1.14
		counts["DESIRED"], counts["CURRENT"] = &desired, &current
	} else {
		var ok bool
		if ready, desired, ok = parseOf(c["READY"]); !ok {
			return false
		}
	}
	w := workload(t, "Deployment", c, l, counts)
	if w != nil {
		w.Replicas, w.Current, w.Ready, w.Updated, w.Available = desired, current, ready, updated, available
		if ready == notPrinted {
			w.Ready = available // at least these
		}
	}
	return t.addWorkload(w, l)
}

// replicaSetRow reads ReplicaSets and ReplicationControllers, which have the same table.
func replicaSetRow(t *table, c cells, l line) bool {
	var desired, current, ready int
	kind := "ReplicaSet"
	if t.ask.kind() == "ReplicationController" {
		kind = "ReplicationController"
	}
	w := workload(t, kind, c, l, map[string]*int{"DESIRED": &desired, "CURRENT": &current, "READY": &ready})
	if w != nil {
		w.Replicas, w.Current, w.Ready, w.Available, w.Updated = desired, current, ready, ready, current
	}
	return t.addWorkload(w, l)
}

// statefulSetRow reads NAME READY AGE, and NAME DESIRED CURRENT AGE of versions before 1.14.
func statefulSetRow(t *table, c cells, l line) bool {
	desired, current, ready := 0, notPrinted, notPrinted
	counts := map[string]*int{}
	if t.cols.has("DESIRED") {
		counts["DESIRED"], counts["CURRENT"] = &desired, &current
	} else {
		var ok bool
		if ready, desired, ok = parseOf(c["READY"]); !ok {
			return false
		}
	}
	w := workload(t, "StatefulSet", c, l, counts)
	if w != nil {
		w.Replicas, w.Current, w.Ready, w.Available, w.Updated = desired, current, ready, ready, notPrinted
	}
	return t.addWorkload(w, l)
}

func jobRow(t *table, c cells, l line) bool {
	w := workload(t, "Job", c, l, nil)
	if w == nil || c["COMPLETIONS"] == "" {
		return false
	}
	// The table counts completed pods. It does not show the parallelism or the running pods.
	w.Replicas, w.Current, w.Ready, w.Available, w.Updated = notPrinted, notPrinted, notPrinted, notPrinted, notPrinted
	return t.addWorkload(w, l)
}
