package anonymize_test

import (
	"io"
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

func node(name, provider string) *evidence.Node {
	return &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.NodeSpec{ProviderID: provider}}}
}

func hidden(t *testing.T, word func(string) bool, nodes []*evidence.Node, pods ...*evidence.Pod) *anonymize.Names {
	t.Helper()
	d := &evidence.Data{Nodes: nodes, Pods: pods}
	n := anonymize.New(word)
	n.Declare(d)
	n.Hide(d)
	return n
}

func none(string) bool { return false }

func TestNamesKeepTheirForm(t *testing.T) {
	n := hidden(t, func(w string) bool { return w == "memory" || w == "eviction" }, []*evidence.Node{
		node("cp-berlin", ""), node("worker7.corp.acme.io", ""), node("ip-10-20-30-40.eu-central-1.compute.internal", "aws:///eu-central-1a/i-0123456789abcdef0"),
		node("aks-np1-12345678-vmss00000a", "azure:///subscriptions/3f2504e0-4f89-11d3-9a0c-0305e82c3301/resourceGroups/MC_shop_shop-prod_westeurope/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss/virtualMachines/10"),
	},
		&evidence.Pod{Namespace: "payments", Name: "ledger-6d4cf56db6-x7k2p", Owner: evidence.Owner{Kind: "ReplicaSet", Name: "ledger-6d4cf56db6"}},
		&evidence.Pod{Namespace: "payments", Name: "vault-db-0", Owner: evidence.Owner{Kind: "StatefulSet", Name: "vault-db"}},
		&evidence.Pod{Namespace: "memory", Name: "eviction"},
		&evidence.Pod{Namespace: "kube-system", Name: "kube-apiserver-cp-berlin", Node: "cp-berlin"},
		&evidence.Pod{Namespace: "kube-system", Name: "calico-node-x7k2p"},
	)
	for in, want := range map[string]string{
		"pod payments/ledger-6d4cf56db6-x7k2p on cp-berlin":   "pod ns-2/app-a-6d4cf56db6-x7k2p on node-1",
		"Deployment ledger, StatefulSet vault-db, vault-db-0": "Deployment app-a, StatefulSet app-b, app-b-0",
		"kube-system/kube-apiserver-cp-berlin":                "kube-system/kube-apiserver-node-1",
		"kube-system/calico-node-x7k2p":                       "kube-system/calico-node-x7k2p",
		"worker7.corp.acme.io worker7":                        "worker-1.domain-1.example worker-1",
		"aks-np1-12345678-vmss00000a":                         "aks-np1-00000001-vmss00000a",
		"/virtualMachineScaleSets/aks-np1-12345678-vmss/":     "/virtualMachineScaleSets/aks-np1-00000001-vmss/",
		"/resourcegroups/mc_shop_shop-prod_westeurope/":       "/resourcegroups/mc_group-1_cluster-1_westeurope/",
		"eviction manager: memory is low":                     "eviction manager: memory is low",
		"pod memory/eviction":                                 "pod ns-1/pod-a",
		"log: \"x\\ncp-berlin said\"":                         "log: \"x\\nnode-1 said\"",
		"kubelet v1.30.4.1 at 12:30:01 127.0.0.1 fe80":        "kubelet v1.30.4.1 at 12:30:01 127.0.0.1 fe80",
	} {
		if got := n.Text(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := n.Text("ip-10-20-30-40.eu-central-1.compute.internal"); !strings.HasPrefix(got, "ip-10-") || !strings.HasSuffix(got, "-40.eu-central-1.compute.internal") || got == "ip-10-20-30-40.eu-central-1.compute.internal" {
		t.Errorf("the host with an address becomes %s", got)
	}
}

// Whether a network contains an address does not change.
func TestNetworksKeepTheirStructure(t *testing.T) {
	n := hidden(t, none, []*evidence.Node{node("cp-berlin", "")})
	addresses := []string{"10.0.3.7", "10.0.4.1", "10.244.70.3", "10.244.130.3", "192.168.7.9", "192.168.200.1", "172.20.0.5", "172.31.9.9", "52.1.2.3", "52.1.9.3", "fd00:10:244::7", "fd00:10:245::7"}
	for _, network := range []string{"10.0.3.0/24", "10.0.0.0/16", "10.244.64.0/18", "10.244.0.0/16", "192.168.0.0/20", "172.16.0.0/12", "52.1.2.0/24", "fd00:10:244::/48", "0.0.0.0/0", "169.254.169.254/32"} {
		to, err := netip.ParsePrefix(n.Text(network))
		if err != nil {
			t.Fatalf("%s: %v", network, err)
		}
		for _, a := range addresses {
			now, err := netip.ParseAddr(n.Text(a))
			if err != nil {
				t.Fatalf("%s: %v", a, err)
			}
			if netip.MustParsePrefix(network).Contains(netip.MustParseAddr(a)) != to.Contains(now) {
				t.Errorf("%s in %s: not so for %s in %s", a, network, now, to)
			}
			if now.IsPrivate() != netip.MustParseAddr(a).IsPrivate() {
				t.Errorf("%s becomes %s", a, now)
			}
		}
	}
}

// Marks of drains contain the user and host.
func TestMarksOfDrainsAreHidden(t *testing.T) {
	marked := node("cp-berlin", "")
	marked.Annotations = map[string]string{evidence.MarkCordon: evidence.Mark{By: "jo@laptop-7", Run: "r1", Host: "laptop-7", PID: 12}.String()}
	hidden(t, none, []*evidence.Node{marked})
	got := marked.Annotations[evidence.MarkCordon]
	m := evidence.ReadMark(marked.Annotations, evidence.MarkCordon)
	if m == nil || m.By != "user-1@example.com" || m.Host != "host-1" || strings.Contains(got, "laptop") {
		t.Errorf("the mark becomes %s", got)
	}
}

// Files of a node have host names as setting names.
func TestSetupsAreHidden(t *testing.T) {
	f := nodereport.SetupFile{Path: "/etc/hosts", Area: nodereport.SetupDNS, Settings: map[string]string{"cp-berlin": "10.1.2.3", "localhost": "127.0.0.1"}}
	d := &evidence.Data{Nodes: []*evidence.Node{node("cp-berlin", "")}, NodeReports: []*nodereport.Report{{Node: "cp-berlin", Setup: &nodereport.Setup{Files: []nodereport.SetupFile{f}}}}}
	n := anonymize.New(none)
	n.Declare(d)
	got := n.Hide(d).Data().NodeReports[0].Setup.Files[0].Settings
	if len(got) != 2 || got["node-1"] == "" || got["node-1"] == "10.1.2.3" || got["localhost"] != "127.0.0.1" {
		t.Errorf("the hosts are %v", got)
	}
}

// People, hosts and accounts in a text are replaced everywhere, even if no object declares them.
func TestTextsAreRead(t *testing.T) {
	n := hidden(t, none, []*evidence.Node{node("cp-berlin", "")})
	in := strings.Join([]string{
		"jane@db-host-7:~$ kubectl get nodes",
		"[jane@db-host-7 ~]# reboot",
		"Jun 02 00:30:01 db-host-9 dhclient[12]: bound to 10.1.2.3",
		"2026-06-02T00:30:01Z db-host-9 chronyd[12]: no reply",
		"caller jane.doe@corp.acme.io restarted kubelet@1.service on db-host-9",
		"link/ether 52:54:00:ab:cd:ef brd ff:ff:ff:ff:ff:ff",
		"arn:aws:iam::123456789012:role/acme-nodes and acme-nodes again",
		"arn:aws:eks:eu-west-1:123456789012:cluster/acme-prod",
		"dial acmereg.privatelink.azurecr.io and acmekv.vault.azure.net",
		"Get https://ABCDEF0123456789.gr7.eu-west-1.eks.amazonaws.com/version",
		"vpce-0abc-12.s3.eu-west-1.vpce.amazonaws.com timed out",
	}, "\n") + "\n"
	out, err := io.ReadAll(n.Reader(strings.NewReader(in)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"jane", "db-host", "acme", "52:54:00", "123456789012", "abcdef0123456789", "vpce-0abc"} {
		if strings.Contains(strings.ToLower(string(out)), name) {
			t.Errorf("%s comes out:\n%s", name, out)
		}
	}
	for _, stays := range []string{"kubelet@1.service", "ff:ff:ff:ff:ff:ff", ".privatelink.azurecr.io", ":role/", "kubectl get nodes"} {
		if !strings.Contains(string(out), stays) {
			t.Errorf("%s is gone:\n%s", stays, out)
		}
	}
}
