package rules_test

import (
	"cmp"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// stateful adds a StatefulSet with zonal disks.
func (c *cluster) stateful() {
	three := int32(3)
	c.others = append(c.others, &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db"}, Spec: appsv1.StatefulSetSpec{Replicas: &three, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}},
		Status: appsv1.StatefulSetStatus{Replicas: 3, ReadyReplicas: 3, AvailableReplicas: 3},
	})
	for i := range 3 {
		name := fmt.Sprintf("db-%d", i)
		p := c.pod("shop", name, fmt.Sprintf("np1-%d", i), "StatefulSet", "db", 12*24*time.Hour)
		p.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + name}}}}
		volume := "pvc-" + name
		c.others = append(c.others,
			&corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data-" + name}, Spec: corev1.PersistentVolumeClaimSpec{VolumeName: volume}},
			&corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: volume}, Spec: corev1.PersistentVolumeSpec{NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{
					Key: "topology.kubernetes.io/zone", Operator: corev1.NodeSelectorOpIn, Values: []string{fmt.Sprintf("westeurope-%d", i+1)},
				}}}},
			}}}},
			&storagev1.VolumeAttachment{ObjectMeta: metav1.ObjectMeta{Name: "csi-" + name}, Spec: storagev1.VolumeAttachmentSpec{
				NodeName: p.Spec.NodeName, Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: &volume},
			}, Status: storagev1.VolumeAttachmentStatus{Attached: true}})
	}
}

// event adds an event from that long ago.
func (c *cluster) event(kind, namespace, name, typ, reason, message string, before time.Duration) *corev1.Event {
	e := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: cmp.Or(namespace, "default"), Name: fmt.Sprintf("%s.%d", name, len(c.events))},
		InvolvedObject: corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name},
		Type:           typ, Reason: reason, Message: message, Count: 1, FirstTimestamp: ago(before), LastTimestamp: ago(before),
	}
	c.events = append(c.events, e)
	return e
}

// leftovers adds old pods and events that every cluster has.
func (c *cluster) leftovers() {
	evicted := c.pod("shop", "batch-old", "np1-3", "Job", "batch", 4*24*time.Hour)
	evicted.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 9Gi. "}
	done := c.pod("shop", "report-28", "np1-2", "Job", "report", time.Hour)
	done.Status = corev1.PodStatus{Phase: corev1.PodSucceeded}
	killed := c.find("web-5d9f-4") // restarted two days ago because of its memory limit
	killed.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "main", Ready: true, RestartCount: 1, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled", ExitCode: 137, FinishedAt: ago(48 * time.Hour)}},
	}}
	killed.Status.Conditions[1].LastTransitionTime = ago(48 * time.Hour)
	leaving := c.pod("shop", "web-old-1", "np1-5", "ReplicaSet", "web-old", 9*24*time.Hour)
	soon, grace := metav1.NewTime(at.Add(20*time.Second)), int64(30)
	leaving.DeletionTimestamp, leaving.DeletionGracePeriodSeconds = &soon, &grace
	starting := unready(c.pod("shop", "web-new-1", "np1-5", "ReplicaSet", "web-new", 40*time.Second), 40*time.Second, "ContainerCreating")
	c.event("Pod", "shop", starting.Name, "Warning", "Unhealthy", "Readiness probe failed: Get \"http://10.244.9.7:8080/healthz\": dial tcp 10.244.9.7:8080: connect: connection refused", 10*time.Second)
	waiting := unscheduled(c.pod("shop", "web-new-2", "", "ReplicaSet", "web-new", 15*time.Second), "0/12 nodes are available: 3 node(s) had untolerated taint(s), 9 Insufficient cpu.")
	c.event("Pod", "shop", waiting.Name, "Warning", "FailedScheduling", "0/12 nodes are available: 3 node(s) had untolerated taint(s), 9 Insufficient cpu.", 15*time.Second)
	c.event("Pod", "shop", "web-5d9f-1", "Warning", "FailedMount", "MountVolume.SetUp failed for volume \"config\" : failed to sync configmap cache: timed out waiting for the condition", 9*24*time.Hour)
	c.event("Pod", "shop", "gone-77", "Warning", "FailedCreatePodSandBox", "Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = context deadline exceeded", 50*time.Minute)
	c.event("Pod", "shop", "gone-77", "Warning", "BackOff", "Back-off restarting failed container main in pod gone-77", 45*time.Minute)
	c.event("Node", "", "spot-9", "Normal", "RemovingNode", "Node spot-9 event: Removing Node spot-9 from Controller", 30*time.Minute)
}

func (c *cluster) leases() {
	add := func(namespace, name string, renewed time.Duration, seconds int32) {
		t := metav1.NewMicroTime(at.Add(-renewed))
		c.others = append(c.others, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			Spec: coordinationv1.LeaseSpec{HolderIdentity: &name, RenewTime: &t, LeaseDurationSeconds: &seconds}})
	}
	for i, n := range c.nodes {
		add(corev1.NamespaceNodeLease, n.Name, time.Duration(i%11)*time.Second, 40)
	}
	add("kube-system", "kube-controller-manager", 2*time.Second, 15)
	add("kube-system", "kube-scheduler", time.Second, 15)
}

func (c *cluster) surroundings() {
	fail := admissionv1.Fail
	c.others = append(c.others,
		&admissionv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "guard"}, Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "guard.example.com", FailurePolicy: &fail,
			ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "guard", Name: "guard"}},
			Rules:        []admissionv1.RuleWithOperations{{Rule: admissionv1.Rule{APIGroups: []string{""}, Resources: []string{"pods"}}}},
		}}},
		&discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: "guard", Name: "guard-1", Labels: map[string]string{discoveryv1.LabelServiceName: "guard"}},
			Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.244.1.7"}}}},
		&certificatesv1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "csr-1", CreationTimestamp: ago(time.Hour)},
			Spec:   certificatesv1.CertificateSigningRequestSpec{SignerName: certificatesv1.KubeAPIServerClientKubeletSignerName, Username: "system:node:spot-2"},
			Status: certificatesv1.CertificateSigningRequestStatus{Conditions: []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved}}}})
}
