package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// A line with the reason weighs more than one with the end, and that more than one about something skipped.
func TestDecides(t *testing.T) {
	for line, want := range map[string]int{
		"There are over 20 volumes mounted on the instance, no more can be mounted.":                                       3,
		"Output: mount: /dev/longhorn/pvc-1 already mounted or mount point busy.":                                          3,
		`Unable to register node "n1" with API server: User "x" cannot create resource "nodes" in API group ""`:            3,
		`time="2025-10-12T12:22:04Z" level=fatal msg="invalid value provided for --profile flag"`:                          0,
		`time="2025-10-12T12:22:04Z" level=warning msg="Unknown flag --ingress-controller found in config.yaml, skipping"`: -7,
		`Skipped "secret-localhost-serving-signer.yaml" secrets.v1./localhost-serving-signer as it already exists`:         -6,
		`E0301 10:02:55.954077 118 kubelet.go:2646] "Skipping pod synchronization" err="PLEG is not healthy"`:              0,
		`level=info msg="skip loading plugin" error="failed to run mkfs.erofs"`:                                            -6,
		`        [WARNING HTTPProxy]: Connection to "https://192.0.2.1" uses proxy "http://10.0.0.1:8080".`:                0,
		"rke2-server.service: Main process exited, code=exited, status=1/FAILURE":                                          -3,
		"kubelet[761]: with error: exit status 1":                                                                          -3,
		"kube-apiserver-1  | 2024/08/22 16:18:53 running command: exit status 1":                                           -3,
		"E0416 08:49:27.567704 1 mount_linux.go:143] Mount failed: exit status 32":                                         -3,
		"W0712 17:13:31.398508 761 docker_sandbox.go:384] nsenter: failed to execute ip: No such file or directory":        2,
	} {
		if got := logline.Decides(line); got != want {
			t.Errorf("Decides(%q) = %d, want %d", line, got, want)
		}
	}
}
