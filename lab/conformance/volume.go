//go:build unix

package conformance

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// volume is a claim with a volume of a CSI driver; empty: no volume.
type volume struct {
	Name   string
	Shared bool // ReadWriteMany
	Unused bool // the status of its node does not list it as in use
}

const csiDriver = "disk.csi.example.com"

func (v *volume) create(ctx context.Context, s *stage) error {
	if v.Name == "" {
		return nil
	}
	mode := corev1.ReadWriteOnce
	if v.Shared {
		mode = corev1.ReadWriteMany
	}
	modes, room, none := []corev1.PersistentVolumeAccessMode{mode}, corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}, ""
	pv := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: s.Name + "-" + v.Name}, Spec: corev1.PersistentVolumeSpec{
		Capacity: room, AccessModes: modes, ClaimRef: &corev1.ObjectReference{Namespace: s.Name, Name: v.Name},
		PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: csiDriver, VolumeHandle: s.Name + "-" + v.Name}},
	}}
	pvc := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: v.Name}, Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: modes, VolumeName: pv.Name, StorageClassName: &none, Resources: corev1.VolumeResourceRequirements{Requests: room},
	}}
	_, err := s.client.CoreV1().PersistentVolumes().Create(ctx, pv, metav1.CreateOptions{})
	_, err2 := s.client.CoreV1().PersistentVolumeClaims(s.Name).Create(ctx, pvc, metav1.CreateOptions{})
	return errors.Join(err, err2)
}

// mount sets volumesInUse of the nodes that go down.
func (s *stage) mount() {
	var used []corev1.UniqueVolumeName
	for _, l := range s.Loads {
		if l.Volume.Name != "" && !l.Volume.Unused {
			used = append(used, corev1.UniqueVolumeName(fmt.Sprintf("kubernetes.io/csi/%s^%s-%s", csiDriver, s.Name, l.Volume.Name)))
		}
	}
	if len(used) > 0 {
		for _, n := range s.down {
			s.plane.Hollow(n).Mounted(used...)
		}
	}
}

// attach simulates the attacher of the driver: it completes every attachment.
func attach(ctx context.Context, client *kubernetes.Clientset) {
	list := cache.NewListWatchFromClient(client.StorageV1().RESTClient(), "volumeattachments", "", fields.Everything())
	handle := func(o any) {
		a, ok := o.(*storagev1.VolumeAttachment)
		if !ok || a.Status.Attached {
			return
		}
		a = a.DeepCopy()
		a.Status.Attached = true
		_, _ = client.StorageV1().VolumeAttachments().UpdateStatus(ctx, a, metav1.UpdateOptions{}) // a conflict brings another event
	}
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: list, ObjectType: &storagev1.VolumeAttachment{},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: handle, UpdateFunc: func(_, o any) { handle(o) }},
	})
	informer.RunWithContext(ctx)
}
