package triage

import "testing"

// Messages name the objects that they are about, so that answers and commands can name them.
func TestNamesInLines(t *testing.T) {
	for text, want := range map[string]map[string]string{
		`Back-off restarting failed container calico-node in pod calico-node-9xwfv_kube-system(13930542-652a-4aeb-aace-6ccc98c6823b)`:    {"pod": "calico-node-9xwfv", "namespace": "kube-system"},
		`NetworkPlugin cni failed to set up pod "redis-6f4b649bff-85j4z_dev" network: add cmd: failed`:                                   {"pod": "redis-6f4b649bff-85j4z", "namespace": "dev"},
		`failed to create pod network sandbox k8s_coredns-7c65d6cfc9-prlbd_kube-system_335070f1-cc11-4569-bf97-e2ba7d000000_0(1): error`: {"pod": "coredns-7c65d6cfc9-prlbd", "namespace": "kube-system"},
		`error adding pod kube-system_coredns-7c65d6cfc9-prlbd to CNI network "cbr0"`:                                                    {"pod": "coredns-7c65d6cfc9-prlbd", "namespace": "kube-system"},
		`2018/06/18 12:33:05 Draining kube node terom-pharos-worker1 (with annotation pharos-host-upgrades.kontena.io/drain)...`:         {"node": "terom-pharos-worker1"},
		`caasp-admin:~ # kubectl drain --ignore-daemonsets caasp-worker-1`:                                                               {"node": "caasp-worker-1"},
		"iptables v1.6.0: can't initialize iptables table `nat': Table does not exist (do you need to insmod?)":                          {"table": "nat"},
		"iptables-restore v1.8.2 (legacy): Couldn't load match `rpfilter':No such file or directory":                                     {"match": "rpfilter"},
		`Multi-Attach error for volume "pvc-......" Volume is already used by pod(s) bootstrap-withings-sync`:                            {"volume": ""},
	} {
		found := map[string][]string{}
		namedIn(text, found)
		for name, value := range want {
			got := ""
			if len(found[name]) > 0 {
				got = found[name][0]
			}
			if got != value {
				t.Errorf("%s: the %s is %q", text, name, got)
			}
		}
	}
}
