//go:build unix

package lab_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// cleanUp returns a context for the cleanup, because the context of the test has ended.
func cleanUp() context.Context { return context.Background() }

const attachError = "rpc error: code = Internal desc = Attach volume failed: disk is locked"

// addVolume gives the node a pod with a volume that cannot be attached: claim, volume and attachment.
func addVolume(t *testing.T, node string) {
	t.Helper()
	client, err := plane.Client()
	if err != nil {
		t.Fatal(err)
	}
	meta := metav1.ObjectMeta{Name: "lab-volume", Namespace: "team-00"}
	modes := []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	room := corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
	const driver, handle = "disk.csi.azure.com", "disks/lab-volume"
	pv := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: meta.Name}, Spec: corev1.PersistentVolumeSpec{
		Capacity: room, AccessModes: modes, ClaimRef: &corev1.ObjectReference{Namespace: meta.Namespace, Name: meta.Name},
		PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: driver, VolumeHandle: handle}},
	}}
	pvc := &corev1.PersistentVolumeClaim{ObjectMeta: meta, Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: modes, VolumeName: pv.Name, Resources: corev1.VolumeResourceRequirements{Requests: room},
	}}
	pod := &corev1.Pod{ObjectMeta: meta, Spec: corev1.PodSpec{
		NodeName: node, Containers: []corev1.Container{{Name: "app", Image: "registry.example.com/app"}},
		Volumes: []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: pvc.Name}}}},
	}}
	attachment := &storagev1.VolumeAttachment{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("csi-%x", sha256.Sum256([]byte(handle+driver+node)))},
		Spec:       storagev1.VolumeAttachmentSpec{Attacher: driver, NodeName: node, Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: &pv.Name}},
	}
	ctx, create := t.Context(), metav1.CreateOptions{}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err = client.CoreV1().PersistentVolumes().Create(ctx, pv, create)
	check(err)
	_, err = client.CoreV1().PersistentVolumeClaims(meta.Namespace).Create(ctx, pvc, create)
	check(err)
	_, err = client.CoreV1().Pods(meta.Namespace).Create(ctx, pod, create)
	check(err)
	attachment, err = client.StorageV1().VolumeAttachments().Create(ctx, attachment, create)
	check(err)
	attachment.Status.AttachError = &storagev1.VolumeError{Time: metav1.Now(), Message: attachError}
	_, err = client.StorageV1().VolumeAttachments().UpdateStatus(ctx, attachment, metav1.UpdateOptions{})
	check(err)
	t.Cleanup(func() {
		now := int64(0)
		gone := metav1.DeleteOptions{GracePeriodSeconds: &now}
		client.StorageV1().VolumeAttachments().Delete(cleanUp(), attachment.Name, gone)
		client.CoreV1().Pods(meta.Namespace).Delete(cleanUp(), pod.Name, gone)
		unprotect := []byte(`{"metadata":{"finalizers":null}}`) // no controller exists that would
		client.CoreV1().PersistentVolumeClaims(meta.Namespace).Delete(cleanUp(), pvc.Name, gone)
		client.CoreV1().PersistentVolumeClaims(meta.Namespace).Patch(cleanUp(), pvc.Name, types.MergePatchType, unprotect, metav1.PatchOptions{})
		client.CoreV1().PersistentVolumes().Delete(cleanUp(), pv.Name, gone)
		client.CoreV1().PersistentVolumes().Patch(cleanUp(), pv.Name, types.MergePatchType, unprotect, metav1.PatchOptions{})
	})
}

// The attachment of a volume of a node is read by its name, without a list of all attachments.
func TestVolumeOfOneNode(t *testing.T) {
	node := size.Node(8)
	addVolume(t, node)
	r := diagnose(t, plane.Kubeconfig, node)
	found := slices.ContainsFunc(r.Findings, func(f finding) bool {
		return f.Cause == "volume-attach-failed" && slices.ContainsFunc(f.Evidence, func(e evidence) bool { return strings.Contains(e.Text, attachError) })
	})
	if !found {
		t.Errorf("the failed attachment was not found: %+v, %s", r.Findings, r)
	}
}
