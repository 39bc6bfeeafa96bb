package mechanics

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestHostDirectories(t *testing.T) {
	socket := corev1.HostPathSocket
	for name, c := range map[string]struct {
		volume corev1.HostPathVolumeSource
		reads  bool
		data   bool
	}{
		"a directory of an application": {corev1.HostPathVolumeSource{Path: "/data/db"}, false, true},
		"read-only":                     {corev1.HostPathVolumeSource{Path: "/data/db"}, true, false},
		"a socket":                      {corev1.HostPathVolumeSource{Path: "/data/x.sock", Type: &socket}, false, false},
		"logs of the machine":           {corev1.HostPathVolumeSource{Path: "/var/log/pods"}, false, false},
		"the whole machine":             {corev1.HostPathVolumeSource{Path: "/"}, false, false},
		"beside a directory of system":  {corev1.HostPathVolumeSource{Path: "/etcd-data"}, false, true},
	} {
		spec := &corev1.PodSpec{
			Volumes:    []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{HostPath: &c.volume}}},
			Containers: []corev1.Container{{Name: "c", VolumeMounts: []corev1.VolumeMount{{Name: "v", MountPath: "/in", ReadOnly: c.reads}}}},
		}
		if got := len(HostDirectories(&evidence.Pod{Spec: spec})) > 0; got != c.data {
			t.Errorf("%s: holds data is %v", name, got)
		}
	}
	if HostDirectories(&evidence.Pod{}) != nil {
		t.Error("a pod whose spec was not read has a directory")
	}
}
