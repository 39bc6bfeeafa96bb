package accuracy

import (
	"regexp"
	"strings"
	"time"
)

// eventRow is one event in the format of kubectl: in a description, or in the table of "kubectl get events".
type eventRow struct {
	typ, reason, from, object, message string
	age                                time.Duration
	indent                             string
	table                              bool // of kubectl get events, which has another order of columns
	namespace                          string
	line                               string // as it was read
}

var (
	describedRow = regexp.MustCompile(`^(\s*)(Normal|Warning)\s+(\w+)\s+(` + agePattern + `)((?: \(x\d+ over ` + agePattern + `\))?)\s+([a-z][\w.-]*(?:, \S+)?)?\s*(.*)$`)
	listedRow    = regexp.MustCompile(`^(\s*)(?:([a-z0-9][a-z0-9-]*)\s+)?(` + agePattern + `)((?: \(x\d+ over ` + agePattern + `\))?)\s+(Normal|Warning)\s+(\w+)\s+([a-z]+/\S+)\s+(.*)$`)
	agelessRow   = regexp.MustCompile(`^\s*(?:(?:Normal|Warning)\s+\w+\s+<\w+>|` + agePattern + `\s+` + agePattern + `\s+\d+\s)`)
	repeatedAge  = regexp.MustCompile(`over (` + agePattern + `)\)`)
	eventHeader  = regexp.MustCompile(`^\s*(?:Type\s+Reason\s+Age\s+From\s+Message|(?:NAMESPACE\s+)?LAST SEEN\s+TYPE\s+REASON\s+OBJECT\s+MESSAGE|----\s+------\s+----\s+----\s+-------|Events:\s*(?:<none>)?)\s*$`)
)

func parseEventRow(line string) (eventRow, bool) {
	if m := describedRow.FindStringSubmatch(line); m != nil {
		return eventRow{typ: m[2], reason: m[3], age: parseAge(m[4]), from: m[6], message: m[7], indent: m[1], line: line}, true
	}
	if m := listedRow.FindStringSubmatch(line); m != nil {
		return eventRow{namespace: m[2], age: parseAge(m[3]), typ: m[5], reason: m[6], object: m[7], message: m[8], indent: m[1], table: true, line: line}, true
	}
	return eventRow{}, false
}

// aged returns the row as printed after a time of d.
func (r eventRow) aged(d time.Duration) string {
	at := describedRow.FindStringSubmatchIndex(r.line)
	age, rest := 4, 5
	if r.table {
		at = listedRow.FindStringSubmatchIndex(r.line)
		age, rest = 3, 4
	}
	again := repeatedAge.ReplaceAllStringFunc(r.line[at[2*rest]:at[2*rest+1]], func(s string) string {
		return "over " + formatAge(parseAge(repeatedAge.FindStringSubmatch(s)[1])+d) + ")"
	})
	return r.line[:at[2*age]] + older(r.line[at[2*age]:at[2*age+1]], d) + again + r.line[at[2*rest+1]:]
}

// like formats another event like this one, about the same object unless another is given.
func (r eventRow) like(age time.Duration, e event) string {
	if !r.table {
		return r.indent + strings.Join([]string{"Normal ", e.reason, formatAge(age), e.from, e.message}, "  ")
	}
	object := e.object
	if object == "" {
		object = r.object
	}
	cells := []string{formatAge(age) + "  ", "Normal ", e.reason, object, e.message}
	if r.namespace != "" {
		cells = append([]string{r.namespace}, cells...)
	}
	return r.indent + strings.Join(cells, "   ")
}

// event is a success event.
type event struct{ reason, from, object, message string }

// Success events by reason of the failure. A deleted pod has no success event, so the reasons of its end are not here.
const (
	endStarted   = "pod started"
	endNode      = "node well"
	endCreated   = "object created"
	endScaled    = "node added"
	endAttached  = "volume attached"
	endScheduled = "pod scheduled"
	endProvision = "volume provisioned"
)

var endsOf = map[string][]string{
	"FailedCreatePodSandBox": {endStarted}, "FailedMount": {endStarted}, "BackOff": {endStarted}, "Failed": {endStarted},
	"ErrImagePull": {endStarted}, "FailedCreatePodContainer": {endStarted}, "NetworkNotReady": {endStarted}, "Unhealthy": {endStarted},
	"FailedSync": {endStarted}, "UnexpectedAdmissionError": {endStarted}, "InspectFailed": {endStarted}, "DNSConfigForming": {endStarted},
	"FailedScheduling": {endScheduled, endStarted}, "FailedAttachVolume": {endAttached, endStarted},
	"FailedMapVolume": {endStarted}, "NotTriggerScaleUp": {endScaled, endScheduled, endStarted},
	"FailedToScaleUpGroup": {endScaled, endScheduled, endStarted}, "FailedCreate": {endCreated}, "FailedDaemonPod": {endCreated},
	"ProvisioningFailed": {endProvision}, "WaitForFirstConsumer": nil,
	"NodeNotReady": {endNode}, "EvictionThresholdMet": {endNode}, "ImageGCFailed": {endNode}, "ContainerGCFailed": {endNode},
	"FreeDiskSpaceFailed": {endNode}, "InvalidDiskCapacity": {endNode}, "SystemOOM": {endNode}, "OOMKilling": {endNode},
	"TaskHung": {endNode}, "NodeHasDiskPressure": {endNode}, "NodeHasInsufficientMemory": {endNode},
	"NodeHasInsufficientPID": {endNode}, "KubeletIsDown": {endNode}, "UnregisterNetDevice": {endNode}, "Rebooted": {endNode},
	"EgressBlocked": {endNode}, "NodeUnresponsive": {endNode}, "FailedNodeAllocatableEnforcement": {endNode}, "Evicted": {endNode},
	"CgroupV1": nil, "NodeHasSufficientMemory": nil, "NodeHasNoDiskPressure": nil, "NodeHasSufficientPID": nil, "NodeReady": nil,
}

// successes returns the events that end those of the given reasons, oldest first; false if the success of one is unknown.
func successes(rows []eventRow, n names) ([]event, bool) {
	ends := map[string]bool{}
	pod, node := "default/app-0", n.node()
	if len(n.pods) > 0 {
		pod = n.pods[0]
	}
	object := map[string]string{}
	for _, r := range rows {
		kinds, known := endsOf[r.reason]
		if !known && r.typ == "Warning" {
			return nil, false
		}
		for _, k := range kinds {
			ends[k] = true
			if r.object != "" {
				object[k] = r.object
			}
			if kind, name, ok := strings.Cut(r.object, "/"); ok && kind == "pod" {
				ns := r.namespace
				if ns == "" {
					ns = "default"
				}
				pod = ns + "/" + name
			}
		}
	}
	var out []event
	put := func(end, reason, from, message string) {
		if ends[end] {
			out = append(out, event{reason, from, object[end], message})
		}
	}
	put(endScaled, "TriggeredScaleUp", "cluster-autoscaler", "pod triggered scale-up: [{pool-1 3->4 (max: 10)}]")
	put(endCreated, "SuccessfulCreate", "replicaset-controller", "Created pod: app-7d4b9c6f5-x2v8q")
	put(endProvision, "ProvisioningSucceeded", "persistentvolume-controller", "Successfully provisioned volume pvc-0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a")
	put(endScheduled, "Scheduled", "default-scheduler", "Successfully assigned "+pod+" to "+node)
	volumes := n.volumes
	if len(volumes) == 0 {
		volumes = []string{"pvc-0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a"}
	}
	for _, v := range volumes {
		put(endAttached, "SuccessfulAttachVolume", "attachdetach-controller", `AttachVolume.Attach succeeded for volume "`+v+`"`)
	}
	put(endStarted, "Pulled", "kubelet", `Container image "registry.example.com/app:1.4" already present on machine and can be accessed by the pod`)
	put(endStarted, "Created", "kubelet", "Created container: app")
	put(endStarted, "Started", "kubelet", "Started container app")
	for _, reason := range []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID", "NodeReady"} {
		put(endNode, reason, "kubelet", "Node "+node+" status is now: "+reason)
	}
	return out, true
}
