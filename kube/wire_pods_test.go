package kube

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// podsOfTemplates returns pods after admission: three of one template, one of another between them, one without a
// token.
func podsOfTemplates() []corev1.Pod {
	list := somePods(5)
	for i := range list {
		p := &list[i]
		p.Spec.NodeName = "worker-" + p.Name
		p.Spec.Volumes = []corev1.Volume{{Name: "data"}, {Name: "kube-api-access-" + p.Name}, {Name: "cache"}}
		p.Spec.Containers = []corev1.Container{{Name: "web", Image: "web:1", Env: []corev1.EnvVar{{Name: "A", Value: "b"}}, VolumeMounts: []corev1.VolumeMount{
			{Name: "data", MountPath: "/data"}, {Name: "kube-api-access-" + p.Name, MountPath: "/var/run/secrets"},
		}}}
		p.Spec.InitContainers = []corev1.Container{{Name: "init", VolumeMounts: []corev1.VolumeMount{{Name: "kube-api-access-" + p.Name}}}}
		p.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1"}
	}
	list[2].Spec.Containers[0].Image = "other:2"
	controls := true
	for i := range list {
		p := &list[i]
		p.Labels, p.Annotations = map[string]string{"app": "web"}, map[string]string{"of": "template"}
		p.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web", Controller: &controls}}
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}, {Type: corev1.PodScheduled}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "web", Ready: true}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init"}}
	}
	list[2].Labels["app"] = "other"
	list[4].Labels, list[4].Annotations, list[4].OwnerReferences = nil, nil, nil
	list[4].Spec.Volumes, list[4].Spec.Containers[0].VolumeMounts = nil, nil
	return list
}

// withoutToken returns the pod as in a list.
func withoutToken(p corev1.Pod) corev1.Pod {
	p = *p.DeepCopy()
	p.ManagedFields = nil
	var volumes []corev1.Volume
	for _, v := range p.Spec.Volumes {
		if !strings.HasPrefix(v.Name, string(tokenVolume)) {
			volumes = append(volumes, v)
		}
	}
	p.Spec.Volumes = volumes
	for _, list := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
		for i := range list {
			var mounts []corev1.VolumeMount
			for _, m := range list[i].VolumeMounts {
				if !strings.HasPrefix(m.Name, string(tokenVolume)) {
					mounts = append(mounts, m)
				}
			}
			list[i].VolumeMounts = mounts
		}
	}
	return p
}

// Pods in a list equal the result of the generated decoder, except managed fields and the token volume. Adjacent pods
// of one template share containers, labels and owner references.
func TestDecodePods(t *testing.T) {
	list := corev1.PodList{Items: podsOfTemplates()}
	got, _, err := decodeList(protobuf("v1", "PodList", &list), nil, new(podDecoder).decode)
	if err != nil || len(got) != 5 {
		t.Fatal(got, err)
	}
	for i := range got {
		if want := withoutToken(list.Items[i]); !equality.Semantic.DeepEqual(got[i], want) {
			t.Errorf("got  %+v\nwant %+v", got[i], want)
		}
	}
	other := corev1.PodList{Items: somePods(5)}
	again, _, err := decodeList(protobuf("v1", "PodList", &other), slices.Clone(got), new(podDecoder).decode)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again {
		if want := withoutToken(other.Items[i]); !equality.Semantic.DeepEqual(again[i], want) {
			t.Errorf("in the place of another pod: got  %+v\nwant %+v", again[i], want)
		}
	}
	shared := func(a, b int) bool {
		one, other := &got[a], &got[b]
		containers := &one.Spec.Containers[0] == &other.Spec.Containers[0]
		labels := reflect.ValueOf(one.Labels).Pointer() == reflect.ValueOf(other.Labels).Pointer()
		if containers != labels {
			t.Errorf("pods %d and %d share either containers or labels alone", a, b)
		}
		return containers
	}
	if !shared(0, 1) || shared(1, 2) || shared(2, 3) || shared(3, 4) {
		t.Error("not the pods of one template alone share their containers")
	}
}

func FuzzDecodePods(f *testing.F) {
	list := corev1.PodList{Items: podsOfTemplates()}
	raw, err := list.Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("\x12\x00\x12\x02\x12\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		want, ok := asServed[corev1.PodList](raw)
		if !ok {
			return
		}
		before, _, err := decodeList(protobuf("v1", "PodList", &list), nil, new(podDecoder).decode)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := decodeList(protobuf("v1", "PodList", &want), before, new(podDecoder).decode)
		if err != nil || len(got) != len(want.Items) {
			t.Fatal(err, len(got), len(want.Items))
		}
		for i := range got {
			if w := withoutToken(want.Items[i]); !equality.Semantic.DeepEqual(got[i], w) {
				t.Fatalf("got  %+v\nwant %+v", got[i], w)
			}
		}
	})
}
