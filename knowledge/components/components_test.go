package components

import (
	"regexp"
	"slices"
	"testing"
)

// Each entry is found by all of its fields.
func TestEachEntryIsFound(t *testing.T) {
	for _, c := range all {
		asked := 0
		found := func(field, name string, got *Component) {
			t.Helper()
			if asked++; got != c {
				t.Errorf("%s: %s %q finds %q", c.Name, field, name, nameIf(got))
			}
		}
		have := func(field, name string, got bool) {
			t.Helper()
			if asked++; !got {
				t.Errorf("%s: %s %q is not found", c.Name, field, name)
			}
		}
		found("name", c.Name, Named(c.Name))
		for _, v := range c.Agents {
			found("agent", v, NetworkAgent(v+"x7k2p"))
		}
		for _, v := range c.Pods {
			have("pod", v, OfNetwork(v+"x"))
		}
		for _, v := range c.Containers {
			found("container", v, OfContainer(v))
		}
		for _, v := range c.Namespaces {
			have("namespace", v, Holds(v) && Reserves(v))
		}
		for _, v := range c.Reserved {
			have("reserved", v, Reserves(v+"x"))
		}
		for _, v := range slices.Concat(c.Programs, c.Containers, c.Agents) {
			have("program", v, Speakers()[v] == c.SpokenBy())
		}
		for _, v := range c.Processes {
			found("process", v, OfProcess(v))
		}
		for _, v := range c.Shims {
			have("shim", v, IsShim(v))
		}
		for _, v := range c.Units {
			found("unit", v, OfUnit(v+".service"))
			have("unit", v, BeginsAsUnit(v+".service") && slices.Contains(slices.Concat(PodStarters(), Units()), v))
		}
		if c.Reported != "" {
			found("version", c.Reported, OfVersion(c.Reported+"://1.2.3"))
		}
		for _, v := range c.CNI {
			found("CNI", v, OfCNI("10-"+v+".conflist"))
		}
		for _, v := range c.Types {
			_, known := CNIType(v.Name)
			have("type", v.Name, known)
		}
		for _, v := range c.Sockets {
			have("socket", v.Path, slices.Contains(AgentSockets(), v.Path))
			for _, by := range v.AskedBy {
				have("socket", v.Path, AsksAt(by, v.Path))
			}
		}
		for _, v := range c.With {
			have("with", v, Serves(v, map[string]bool{c.Name: true}) && (v == "*" || Named(v) != nil))
		}
		for _, v := range c.Images {
			found("image", v, OfImage("registry.example/mirror/"+v))
		}
		for _, v := range c.Chains {
			found("chain", v, OfRules("filter", v+"X"))
		}
		for _, v := range c.Tables {
			found("table", v, OfRules(v, "input"))
		}
		for v, bytes := range c.Tunnels {
			got, _ := Tunnel(v)
			have("tunnel", v, got == bytes)
		}
		have("CRI socket", c.Name, within(c.CRI, CRISockets()) && within(c.RuntimeConfigs, RuntimeConfigs()) && within(c.Logs, Logs()))
		if asked < 3 && c.Topic == "" {
			t.Errorf("%s: nothing is known of it", c.Name)
		}
	}
}

func within(some, list []string) bool {
	return !slices.ContainsFunc(some, func(v string) bool { return !slices.Contains(list, v) })
}

// A name under which two components write belongs to one speaker, and each topic is a valid expression.
func TestEntriesAgree(t *testing.T) {
	for _, c := range all {
		if _, known := ofRole[c.Role]; !known {
			t.Errorf("%s has no role", c.Name)
		}
		if c.SpokenBy() == "" {
			t.Errorf("%s has no speaker", c.Name)
		}
		if _, err := regexp.Compile(c.Topic); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if c.Errors != nil {
			c.Errors.MatchString("") // compiles
		}
	}
}

func TestNetworkAgent(t *testing.T) {
	for pod, want := range map[string]string{
		"calico-node-abcde": "calico", "calico-kube-controllers-abcde": "", "cilium-7xk2p": "cilium", "cilium-operator-abcde": "", "cilium-envoy-abcde": "",
		"anetd-abcde": "cilium", "aws-node-abcde": "aws-vpc-cni", "aws-node-termination-handler-abcde": "", "azure-cni-networkmonitor-abcde": "",
		"kube-multus-ds-abcde": "multus", "ovnkube-node-abcde": "ovn-kubernetes", "ovnkube-master-abcde": "", "web-1": "",
	} {
		if got := nameIf(NetworkAgent(pod)); got != want {
			t.Errorf("NetworkAgent(%q) = %q, want %q", pod, got, want)
		}
	}
}

func nameIf(c *Component) string {
	if c == nil {
		return ""
	}
	return c.Name
}

func TestOfImage(t *testing.T) {
	for image, want := range map[string]string{
		"docker.io/calico/node": "calico", "rancher/mirrored-calico-node": "calico", "quay.io/cilium/cilium": "cilium", "calico/cni": "", "notcalico/node": "", "x/node": "",
	} {
		if got := nameIf(OfImage(image)); got != want {
			t.Errorf("OfImage(%q) = %q, want %q", image, got, want)
		}
	}
}

// A component whose units stop is of one of few kinds. Units that start pods come first.
func TestPodStarters(t *testing.T) {
	starters := PodStarters()
	if starters[0] != "kubelet" {
		t.Errorf("PodStarters() begins with %s", starters[0])
	}
	for _, unit := range Units() {
		if slices.Contains(starters, unit) {
			t.Errorf("%s is in both lists", unit)
		}
	}
}
