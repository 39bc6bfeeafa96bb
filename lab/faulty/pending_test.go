//go:build unix

package faulty_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// waiting is a pod that no scheduler has processed yet, and that fits on every node.
const waiting = "waiting"

// ofPending runs why for a pending pod. The answer is that it fits, which depends on everything that decides about
// scheduling.
var ofPending = command{"why-pending", []string{"why", waiting, "-n", "shop"}, []string{"The pod fits on", "Fits on"}, spare(
	everythingBut("the pod has no claim and no owner, asks for no other pod, and is admitted already", "pods", "nodes", "leases"),
	because("a node that was read and has room takes the pod, whatever other nodes there are", "nodes"),
)}

// The answer about a pending pod depends on every input of the scheduler.
func TestPendingPod(t *testing.T) {
	c := &cluster{now: time.Now()}
	pod := &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodPending, QOSClass: corev1.PodQOSBurstable}}
	spec, _ := template(waiting)
	pod.Spec = spec.Spec
	c.put(pod, "shop", waiting)
	pod.UID, pod.Labels, pod.CreationTimestamp = "pending", spec.Labels, c.ago(2*time.Second)
	if err := store.Put(t.Context(), c.objects...); err != nil {
		t.Fatal(err)
	}
	client, err := plane.Client()
	if err != nil {
		t.Fatal(err)
	}
	none := int64(0)
	t.Cleanup(func() {
		if err := client.CoreV1().Pods("shop").Delete(context.Background(), waiting, metav1.DeleteOptions{GracePeriodSeconds: &none}); err != nil {
			t.Error(err)
		}
	})
	judgeAll(t, open(t, "pending"), []command{ofPending})
}
