package catalog_test

import (
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// silences lists everything that can make a kubelet stop its heartbeats, by effect. A cause that prevents pods from starting is
// not included: a kubelet reports that.
var silences = map[string][]string{
	"the machine does not run, or is gone": {
		"machine-off", "machine-hardware-failure", "disk-hardware-failure", "kernel-bug", "node-lost", "correlated-failure",
		"cloud-host-maintenance", "cloud-node-deleted", "cloud-spot-eviction", "cloud-subscription-disabled", "cloud-cluster-stopped",
		"cloud-pool-count-differs", "cloud-repair-in-progress", "disk-encryption-key-unavailable", "node-removal-in-progress",
	},
	"an operation on the machine failed, and it did not come back": {
		"cloud-vm-failed", "cloud-capacity-unavailable", "cloud-quota-exceeded", "cloud-service-error", "cloud-resource-missing",
		"cloud-public-ip-limit", "provision-script-failed", "provision-outbound-blocked",
	},
	"the network path is cut": {
		"network-partition", "nic-driver-failure", "apiserver-unreachable", "apiserver-stale-connection", "node-dns-failure",
		"node-ip-changed", "conntrack-table-full", "neighbour-table-full", "provision-apiserver-blocked", "provision-dns-failed",
		"packet-loss", "host-network-manager-conflict", "host-firewall-drops",
	},
	"the credentials do not serve": {
		"kubelet-auth-rejected", "kubelet-client-cert-expired", "kubelet-identity-mismatch", "csr-not-approved",
	},
	"the clock is wrong": {"clock-skew"},
	"the kubelet asks the cloud before it reports (in-tree cloud providers)": {
		"cloud-metadata-failure", "cloud-api-throttled", "cloud-credentials-expired", "cloud-permission-denied",
	},
	"the kubelet does not run, or does not come up again": {
		"kubelet-stopped", "kubelet-crash-looping", "kubelet-bug", "kubelet-config-invalid", "kubelet-state-corrupt", "swap-enabled",
		"cgroup-driver-mismatch", "cgroup-version-unsupported", "runtime-down", "runtime-cri-disabled", "runtime-socket-denied", "runtime-bug",
		"runtime-storage-corrupt", "runtime-filesystem-unsupported", "disk-pressure", "inode-exhaustion", "inotify-exhaustion", "filesystem-readonly", "kernel-module-missing",
		"bootstrap-misconfigured", "node-image-defective", "systemd-unresponsive", "mount-table-full",
		"unit-start-blocked", "port-in-use", "selinux-denies", "nested-container-limits", "service-memory-limit",
	},
	"the node is starved or stuck": {
		"memory-pressure-oom", "pid-exhaustion", "open-files-exhausted", "shim-leak", "kernel-lockup", "storage-backend-hang", "cpu-starvation",
	},
	"the API server does not take the report": {
		"admission-webhook-blocks-node", "control-plane-degraded", "etcd-unavailable", "etcd-disk-slow", "node-object-deleted",
		"control-plane-tunnel-broken", // webhooks are called through it
	},
}

func TestWhatSilencesAKubelet(t *testing.T) {
	c := builtin(t)
	can := map[string]bool{}
	for _, list := range silences {
		for _, id := range list {
			can[id] = true
			if !c.Explains(id, "node-silent") {
				t.Errorf("%s should explain node-silent", id)
			}
		}
	}
	for _, cause := range c.Causes() {
		if c.Explains(cause.ID, "node-silent") && !can[cause.ID] {
			t.Errorf("%s explains node-silent, and no mechanism is known by which it silences a kubelet", cause.ID)
		}
	}
}

// Effects that a cause cannot have, although something on the same path could.
func TestExplainsOnlyWhatItCanDo(t *testing.T) {
	c := builtin(t)
	for cause, symptoms := range map[string][]string{
		"cni-ip-exhausted":          {"pods-not-stopping", "node-not-ready"},
		"sandbox-image-unavailable": {"node-silent"},
		"disk-pressure-false":       {"no-space-left", "runtime-error"},
		"memory-pressure-false":     {"oom-kill", "node-not-ready"},
		"runtime-hung":              {"node-silent", "kubelet-exited"},
		"kube-proxy-failing":        {"node-silent", "lease-renewal-failed"},
		"gpu-device-plugin":         {"cni-uninitialized", "pods-not-starting"},
		"gpu-hardware-failure":      {"cni-uninitialized", "pods-not-starting"},
		"cloud-disk-detach-failed":  {"node-silent", "node-not-ready"},
		"cloud-vm-agent-dead":       {"node-silent"},
		"monitor-false-alarm":       {"node-not-ready"},
		"drain-blocked-pdb":         {"node-not-ready", "pods-not-stopping"},
	} {
		for _, s := range symptoms {
			if c.Explains(cause, s) {
				t.Errorf("%s explains %s, which it cannot bring about", cause, s)
			}
		}
	}
}

func TestExplainsWhatItDoes(t *testing.T) {
	c := builtin(t)
	for symptom, causes := range map[string][]string{
		"pods-not-starting":     {"cni-binary-missing", "cni-ip-exhausted", "runtime-down", "sandbox-image-unavailable", "kubelet-stopped", "mount-table-full", "systemd-unresponsive"},
		"pods-not-stopping":     {"cni-binary-missing", "runtime-hung", "storage-backend-hang", "machine-off", "drain-blocked-finalizer"},
		"volumes-not-following": {"machine-off", "kubelet-stopped", "volume-detach-stuck", "cloud-disk-detach-failed", "control-plane-degraded"},
		"node-never-came":       {"provision-dns-failed", "cloud-quota-exceeded", "csr-not-approved", "swap-enabled", "kubelet-auth-rejected"},
	} {
		for _, id := range causes {
			if !c.Explains(id, symptom) {
				t.Errorf("%s does not explain %s", id, symptom)
			}
		}
	}
}

func TestSupersedesInheritsNothing(t *testing.T) {
	with := func(id, explains, supersedes string) string {
		return "---\nid: " + id + "\ntitle: T\nlayer: kubelet\nseverity: error\nscope: node\nexplains: [" + explains +
			"]\nsupersedes: [" + supersedes + "]\n---\nText.\n"
	}
	c, err := catalog.Read(pages(map[string]string{"a": with("a", "", "b"), "b": with("b", "c", ""), "c": with("c", "", ""), "d": with("d", "a", "")}))
	if err != nil {
		t.Fatal(err)
	}
	if !c.Explains("a", "b") || !c.Explains("d", "b") {
		t.Error("a comes before b, and so does what brings a about")
	}
	if c.Explains("a", "c") || c.Explains("d", "c") {
		t.Error("a does not bring about what b does")
	}
	for name, bad := range map[string]map[string]string{
		"a circle":         {"a": with("a", "", "b"), "b": with("b", "a", "")},
		"not a cause":      {"a": with("a", "", "ghost")},
		"in both lists":    {"a": with("a", "b", "b"), "b": with("b", "", "")},
		"a cause of a kin": {"a": with("a", "b", ""), "b": with("b", "", "a")},
	} {
		if _, err := catalog.Read(pages(bad)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func builtin(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func pages(texts map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for id, text := range texts {
		out["causes/"+id+".md"] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}
