//go:build unix

package faulty_test

import (
	"crypto/sha256"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const driver = "disk.example.com"

func (c *cluster) lease(namespace, name string) {
	holder, seconds, renewed := name, int32(40), metav1.NewMicroTime(c.now)
	if namespace == metav1.NamespaceSystem {
		seconds = 15
	}
	c.put(&coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &renewed}}, namespace, name)
}

func (c *cluster) claimSpec() corev1.PersistentVolumeClaimSpec {
	class, mode := "disk", corev1.PersistentVolumeFilesystem
	return corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: &class, VolumeMode: &mode,
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
	}
}

// claim is bound to a network volume that is attached to the node.
func (c *cluster) claim(namespace, name, node string) {
	spec, volume := c.claimSpec(), "pvc-"+name
	spec.VolumeName = volume
	size := corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
	claim := &corev1.PersistentVolumeClaim{Spec: spec, Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, AccessModes: spec.AccessModes, Capacity: size}}
	c.put(claim, namespace, name)
	claim.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes", "volume.kubernetes.io/storage-provisioner": driver}
	claim.Finalizers = []string{"kubernetes.io/pvc-protection"}
	c.put(&corev1.PersistentVolume{
		Spec: corev1.PersistentVolumeSpec{
			Capacity: size, AccessModes: spec.AccessModes, StorageClassName: *spec.StorageClassName, VolumeMode: spec.VolumeMode,
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimDelete,
			PersistentVolumeSource:        corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: driver, VolumeHandle: volume}},
			ClaimRef:                      &corev1.ObjectReference{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name, UID: claim.UID},
		},
		Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeBound},
	}, "", volume)
	c.put(&storagev1.VolumeAttachment{
		Spec:   storagev1.VolumeAttachmentSpec{Attacher: driver, NodeName: node, Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: &volume}},
		Status: storagev1.VolumeAttachmentStatus{Attached: true},
	}, "", fmt.Sprintf("csi-%x", sha256.Sum256([]byte(volume+driver+node)))) // as Kubernetes names them
}

func (c *cluster) storage() {
	for i, name := range []string{"disk", "disk-fast", "disk-slow"} {
		wait, reclaim := storagev1.VolumeBindingWaitForFirstConsumer, corev1.PersistentVolumeReclaimDelete
		c.put(&storagev1.StorageClass{Provisioner: driver, VolumeBindingMode: &wait, ReclaimPolicy: &reclaim}, "", name)
		yes, no, policy := true, false, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy
		c.put(&storagev1.CSIDriver{Spec: storagev1.CSIDriverSpec{
			AttachRequired: &yes, PodInfoOnMount: &no, StorageCapacity: &no, FSGroupPolicy: &policy, RequiresRepublish: &no, SELinuxMount: &no,
			VolumeLifecycleModes: []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent},
		}}, "", []string{driver, "file.example.com", "blob.example.com"}[i])
		room := resource.MustParse("1Ti")
		c.put(&storagev1.CSIStorageCapacity{StorageClassName: name, Capacity: &room, NodeTopology: &metav1.LabelSelector{}}, metav1.NamespaceSystem, "capacity-"+name)
	}
	for _, name := range nodes {
		c.put(&storagev1.CSINode{Spec: storagev1.CSINodeSpec{Drivers: []storagev1.CSINodeDriver{{Name: driver, NodeID: name, TopologyKeys: []string{"kubernetes.io/hostname"}}}}}, "", name)
	}
	for i, name := range []string{"shop-high", "shop-low"} {
		policy := corev1.PreemptLowerPriority
		c.put(&schedulingv1.PriorityClass{Value: int32(1000 * (i + 1)), PreemptionPolicy: &policy}, "", name)
	}
}

// certificates returns approved certificate signing requests of kubelets.
func (c *cluster) certificates() {
	for _, signer := range []string{certificatesv1.KubeletServingSignerName, certificatesv1.KubeAPIServerClientKubeletSignerName} {
		for i, name := range nodes {
			c.put(&certificatesv1.CertificateSigningRequest{
				Spec: certificatesv1.CertificateSigningRequestSpec{
					SignerName: signer, Username: "system:node:" + name, Groups: []string{"system:nodes", "system:authenticated"}, Request: []byte("request"),
					Usages: []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageServerAuth},
				},
				Status: certificatesv1.CertificateSigningRequestStatus{Certificate: []byte("certificate"), Conditions: []certificatesv1.CertificateSigningRequestCondition{{
					Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue, Reason: "AutoApproved", LastUpdateTime: c.ago(day), LastTransitionTime: c.ago(day),
				}}},
			}, "", fmt.Sprintf("csr-%d-%s", i, signer[len("kubernetes.io/"):]))
		}
	}
}

// admission applies to objects that this cluster does not have.
func (c *cluster) admission() {
	rule := admissionv1.RuleWithOperations{Operations: []admissionv1.OperationType{admissionv1.Create}, Rule: admissionv1.Rule{
		APIGroups: []string{"example.com"}, APIVersions: []string{"v1"}, Resources: []string{"things"}}}
	match := &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: rule}}}
	ignore, none, seconds := admissionv1.Ignore, admissionv1.SideEffectClassNone, int32(5)
	for i, name := range []string{"labels", "limits", "names"} {
		port := int32(443)
		to := admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "hooks", Name: "hooks", Port: &port}}
		c.put(&admissionv1.ValidatingWebhookConfiguration{Webhooks: []admissionv1.ValidatingWebhook{{
			Name: name + ".example.com", ClientConfig: to, Rules: []admissionv1.RuleWithOperations{rule}, FailurePolicy: &ignore, SideEffects: &none, TimeoutSeconds: &seconds,
			AdmissionReviewVersions: []string{"v1"}, NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		}}}, "", name)
		never := admissionv1.NeverReinvocationPolicy
		c.put(&admissionv1.MutatingWebhookConfiguration{Webhooks: []admissionv1.MutatingWebhook{{
			Name: name + ".example.com", ClientConfig: to, Rules: []admissionv1.RuleWithOperations{rule}, FailurePolicy: &ignore, SideEffects: &none, TimeoutSeconds: &seconds,
			AdmissionReviewVersions: []string{"v1"}, NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{}, ReinvocationPolicy: &never,
		}}}, "", name)
		c.put(&admissionv1.ValidatingAdmissionPolicy{Spec: admissionv1.ValidatingAdmissionPolicySpec{
			FailurePolicy: &ignore, MatchConstraints: match, Validations: []admissionv1.Validation{{Expression: "true"}},
		}}, "", name)
		c.put(&admissionv1.ValidatingAdmissionPolicyBinding{Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Warn},
		}}, "", name)
		c.put(&admissionv1.MutatingAdmissionPolicy{Spec: admissionv1.MutatingAdmissionPolicySpec{
			FailurePolicy: &ignore, MatchConstraints: match, ReinvocationPolicy: never, Mutations: []admissionv1.Mutation{{
				PatchType:          admissionv1.PatchTypeApplyConfiguration,
				ApplyConfiguration: &admissionv1.ApplyConfiguration{Expression: "Object{metadata: Object.metadata{labels: {\"kept\": \"true\"}}}"},
			}},
		}}, "", name)
		c.put(&admissionv1.MutatingAdmissionPolicyBinding{Spec: admissionv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name}}, "", name)
		ready, portName, tcp := true, "https", corev1.ProtocolTCP
		slice := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: &portName, Port: &port, Protocol: &tcp}},
			Endpoints: []discoveryv1.Endpoint{{Addresses: []string{fmt.Sprintf("10.64.9.%d", i+1)}, Conditions: discoveryv1.EndpointConditions{Ready: &ready}}}}
		c.put(slice, "hooks", "hooks-"+name)
		slice.Labels = map[string]string{discoveryv1.LabelServiceName: "hooks"}
	}
}

// events are the events of a quiet cluster, about nodes, pods of kube-system and others.
func (c *cluster) events() {
	about := func(kind, namespace, name, uid, reason, message string, ago time.Duration) {
		ref := corev1.ObjectReference{APIVersion: "v1", Kind: kind, Namespace: namespace, Name: name, UID: types.UID(uid)}
		in := namespace
		if in == "" {
			in = metav1.NamespaceDefault
		}
		e := &corev1.Event{InvolvedObject: ref, Reason: reason, Message: message, Type: corev1.EventTypeNormal, Count: 1,
			Source: corev1.EventSource{Component: "kubelet"}, FirstTimestamp: c.ago(ago), LastTimestamp: c.ago(ago)}
		c.put(e, in, fmt.Sprintf("%s.%x", name, len(c.objects)))
		e.CreationTimestamp = c.ago(ago)
	}
	for _, name := range nodes {
		for i := range 3 {
			about("Node", "", name, "node-"+name, "NodeHasSufficientMemory", "Node "+name+" status is now: NodeHasSufficientMemory", time.Duration(30+i)*time.Minute)
		}
	}
	for _, name := range []string{"web", "api", "cart"} {
		about("Pod", "shop", name+"-7d9c8b6f5-x0000", "", "Started", "Container started", 20*time.Minute)
	}
}
