package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

func TestGravityOf(t *testing.T) {
	for line, want := range map[string]logline.Gravity{
		"E0101 00:00:00.1 1 main.go:1] agent lost its lease, exiting":                                                  logline.Fatal,
		"kubelet.service: Main process exited, code=exited, status=1/FAILURE":                                          logline.Fatal,
		`I0101 00:00:00.1 1 node_lifecycle_controller.go:1044] "Some Nodes are Ready. Exiting master disruption mode"`: logline.Plain,
		"I0101 00:00:00.1 1 kubelet.go:1] failed to get the image, will retry":                                         logline.Warning,
		"E0101 00:00:00.1 1 kubelet.go:1] \"Failed to pull image\"":                                                    logline.Error,
		"[2213119.118201] TCP: out of memory -- consider tuning tcp_mem":                                               logline.Error,
		"Jan  1 00:00:00 n1 kernel: neighbour: arp_cache: neighbor table overflow!":                                    logline.Error,
		"Jan  1 00:00:00 n1 kernel: nf_conntrack: nf_conntrack: table full, dropping packet":                           logline.Error,
		"    + CategoryInfo          : ParserError: (:) [], ParseException":                                            logline.Fatal,
		"    + CategoryInfo          : ObjectNotFound: (x:String) [], CommandNotFoundException":                        logline.Error,
		"Output: mount: /dev/longhorn/pvc-1 already mounted or mount point busy.":                                      logline.Error,
		"There are over 20 volumes mounted on the instance, no more can be mounted.":                                   logline.Error,
		"Jan  1 00:00:00 n1 kernel: cni0: port 1(veth1) entered forwarding state":                                      logline.Plain,
	} {
		if got := logline.GravityOf(line); got != want {
			t.Errorf("GravityOf(%q) = %v, want %v", line, got, want)
		}
	}
}
