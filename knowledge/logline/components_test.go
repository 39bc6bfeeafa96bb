package logline

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// Components use the speakers of the rules, and the topic of a line identifies its component.
func TestComponentsSpeak(t *testing.T) {
	speakers := []Speaker{Kubelet, Containerd, CRIO, Docker, Runc, Proxy, APIServer, Controllers, Scheduler, Etcd, DNS, Agent, CSI, Device, Distro}
	for _, c := range components.All() {
		s := Speaker(c.SpokenBy())
		if !slices.Contains(speakers, s) {
			t.Errorf("%s: no speaker %q", c.Name, s)
		}
		for _, name := range c.Programs {
			if got := Named(name); got != s {
				t.Errorf("%s: Named(%q) = %q, want %q", c.Name, name, got, s)
			}
		}
	}
}

func TestTopicsOfComponents(t *testing.T) {
	for line, want := range map[string]Speaker{
		"dial unix /var/run/calico/x: refused": Agent, "OVSDB did not answer": Agent, "no route over VXLAN": Agent, "cannot lock crio": Containerd, "runc did not start": Containerd,
		"NVRM: Xid 79": Device, "no GPU was found": Device, "dqlite is not there": Etcd, "MountVolume.SetUp failed": CSI, "GET :6443 timed out": APIServer, "GET :10250 timed out": Kubelet,
		"KUBE-SERVICES is missing": Proxy, "nothing is known": Unknown,
	} {
		if got := TopicOf(line); got != want {
			t.Errorf("TopicOf(%q) = %q, want %q", line, got, want)
		}
	}
}
