package load

import (
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// owned lists the fields of an object that one manager owns: its name, the subresource, the fields by their paths.
type owned struct {
	manager, subresource string
	fields               string
}

// The managed fields of real objects, with a realistic length: half of the bytes of a pod.
var (
	podFields = []owned{
		{"kube-controller-manager", "", `{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{},"f:team":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"0\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},` + env() + `"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:readinessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}`},
		{"kubelet", "status", `{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.0.0.1\"}":{".":{},"f:ip":{}}},"f:startTime":{}}}`},
	}
	nodeFields = []owned{
		{"kubelet", "", `{"f:metadata":{"f:annotations":{".":{},"f:volumes.kubernetes.io/controller-managed-attach-detach":{}},"f:labels":{".":{},` + names("f:label-", 20) + `"f:kubernetes.io/hostname":{}}},"f:spec":{"f:providerID":{}}}`},
		{"kube-controller-manager", "", `{"f:metadata":{"f:annotations":{"f:node.alpha.kubernetes.io/ttl":{}}},"f:spec":{"f:podCIDR":{},"f:podCIDRs":{".":{},"v:\"10.64.0.0/24\"":{}}}}`},
		{"kubelet", "status", `{"f:status":{"f:conditions":{"k:{\"type\":\"DiskPressure\"}":{"f:lastHeartbeatTime":{}},"k:{\"type\":\"MemoryPressure\"}":{"f:lastHeartbeatTime":{}},"k:{\"type\":\"PIDPressure\"}":{"f:lastHeartbeatTime":{}},"k:{\"type\":\"Ready\"}":{"f:lastHeartbeatTime":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{}}},"f:images":{}}}`},
	}
	setFields = []owned{
		{"kube-controller-manager", "", `{"f:metadata":{"f:annotations":{".":{},"f:deployment.kubernetes.io/desired-replicas":{},"f:deployment.kubernetes.io/revision":{}},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}}},"f:spec":{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},` + env() + `"f:image":{},"f:name":{},"f:resources":{}}},"f:restartPolicy":{}}}}}`},
		{"kube-controller-manager", "status", `{"f:status":{"f:availableReplicas":{},"f:fullyLabeledReplicas":{},"f:observedGeneration":{},"f:readyReplicas":{},"f:replicas":{}}}`},
	}
	budgetFields = []owned{
		{"kubectl-client-side-apply", "", `{"f:metadata":{"f:annotations":{}},"f:spec":{"f:maxUnavailable":{},"f:selector":{}}}`},
		{"kube-controller-manager", "status", `{"f:status":{"f:currentHealthy":{},"f:desiredHealthy":{},"f:disruptionsAllowed":{},"f:expectedPods":{},"f:observedGeneration":{}}}`},
	}
)

func env() string {
	var b strings.Builder
	b.WriteString(`"f:env":{".":{}`)
	for k := range 8 {
		fmt.Fprintf(&b, `,"k:{\"name\":\"SETTING_%d\"}":{".":{},"f:name":{},"f:value":{}}`, k)
	}
	return b.String() + "},"
}

func names(prefix string, n int) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, `"%s%d.example.com/name":{},`, prefix, k)
	}
	return b.String()
}

func managed(now time.Time, list []owned) []metav1.ManagedFieldsEntry {
	var out []metav1.ManagedFieldsEntry
	at := metav1.NewTime(now)
	for _, o := range list {
		out = append(out, metav1.ManagedFieldsEntry{
			Manager: o.manager, Subresource: o.subresource, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1",
			Time: &at, FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(o.fields)},
		})
	}
	return out
}
