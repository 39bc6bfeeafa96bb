package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/verify"
)

const setID = "/subscriptions/0/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss"

// onAKS is a node after its fix that is a machine of Azure, and all is well there.
func onAKS() evidence.Data {
	d := well()
	n := d.Nodes[0]
	n.Spec.ProviderID = "azure://" + strings.ToLower(setID) + "/virtualMachines/2"
	n.Labels = map[string]string{"kubernetes.azure.com/agentpool": "np1", "kubernetes.azure.com/node-image-version": "i1"}
	d.CloudResources = []*evidence.CloudResource{
		{Type: "pool", ID: "/subscriptions/0/p", Name: "np1", Provisioning: "Succeeded", Properties: map[string]string{"count": "3", "nodeImageVersion": "i1"}},
		{Type: "scale-set", ID: setID, Provisioning: "Succeeded", Properties: map[string]string{"capacity": "3", "pool": "np1"}},
		{Type: "instance", ID: setID + "/virtualMachines/2", Provisioning: "Succeeded", Power: "running", Properties: map[string]string{"vmAgent": "Ready", "latestModelApplied": "true"}},
		{Type: "instance", ID: setID + "/virtualMachines/3", Provisioning: "Failed", Power: "stopped", Properties: map[string]string{"vmAgent": "Not Ready"}},
	}
	return d
}

// On AKS the machine and the pool must be well too, and what was not read of them is not clear.
func TestCloudSteps(t *testing.T) {
	if v := judge(t, onAKS(), nil); v.Verdict != verify.Clear || !slices.ContainsFunc(v.Steps, func(s verify.Step) bool { return s.ID == "machine" }) {
		t.Fatalf("a node of AKS that is well is %s: %+v", v.Verdict, v.Steps)
	}
	for _, c := range []struct {
		name, step string
		change     func(d *evidence.Data, pool, set, machine *evidence.CloudResource)
		want       verify.Result
		says       string
	}{
		{"failed", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) { m.Provisioning = "Failed" }, verify.NotClear, "Failed"},
		{"failed with its code", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) {
			m.Provisioning = "failed/VMExtensionProvisioningError"
		}, verify.NotClear, "VMExtension"},
		{"its view alone failed", "machine", func(d *evidence.Data, _, _, _ *evidence.CloudResource) {
			d.CloudResources = append(d.CloudResources, &evidence.CloudResource{Type: "instance", Provisioning: "failed", Properties: map[string]string{"host": "w"}})
		}, verify.NotClear, "failed"},
		{"off", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) { m.Power = "deallocated" }, verify.NotClear, "deallocated"},
		{"silent agent", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) { m.Properties["vmAgent"] = "Not Ready" }, verify.NotClear, "Not Ready"},
		{"being changed", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) { m.Provisioning = "Updating" }, verify.Unknown, "Updating"},
		{"in a state of tomorrow", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) { m.Provisioning = "Frobnicating" }, verify.Unknown, "Frobnicating"},
		{"old model", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) { m.Properties["latestModelApplied"] = "false" }, verify.Warning, "newest model"},
		{"no view", "machine", func(_ *evidence.Data, _, _, m *evidence.CloudResource) {
			m.Power, m.Properties = "", map[string]string{}
		}, verify.Unknown, "was not read"},
		{"not read", "machine", func(d *evidence.Data, _, _, _ *evidence.CloudResource) { d.CloudResources = d.CloudResources[:2] }, verify.Unknown, "was not read"},
		{"nobody is logged in", "machine", func(d *evidence.Data, _, _, _ *evidence.CloudResource) {
			d.CloudResources, d.Gaps = nil, []evidence.Gap{{What: "what Azure knows of the machines", Why: "nobody is logged in to azure here", How: "az login"}}
		}, verify.Unknown, "nobody is logged in"},
		{"pool failed", "pool", func(_ *evidence.Data, p, _, _ *evidence.CloudResource) {
			p.Provisioning, p.Errors = "Failed", []evidence.CloudError{{Code: "Outer"}, {Code: "SubnetIsFull"}}
		}, verify.NotClear, "SubnetIsFull"},
		{"pool canceled", "pool", func(_ *evidence.Data, p, _, _ *evidence.CloudResource) { p.Provisioning = "Canceled" }, verify.NotClear, "Canceled"},
		{"pool upgrading", "pool", func(_ *evidence.Data, p, _, _ *evidence.CloudResource) { p.Provisioning = "Upgrading" }, verify.Unknown, "Upgrading"},
		{"capacity differs", "pool", func(_ *evidence.Data, _, s, _ *evidence.CloudResource) { s.Properties["capacity"] = "2" }, verify.Warning, "wants 3 machines, its scale set has 2"},
		{"capacity differs under an autoscaler", "pool", func(_ *evidence.Data, p, s, _ *evidence.CloudResource) {
			s.Properties["capacity"], p.Properties["enableAutoScaling"] = "2", "true"
		}, verify.Clear, ""},
		{"nodes differ", "pool", func(d *evidence.Data, _, _, _ *evidence.CloudResource) {
			d.Coverage[evidence.Nodes] = evidence.Complete
		}, verify.Warning, "the cluster has 1 nodes"},
		{"another image", "pool", func(_ *evidence.Data, p, _, _ *evidence.CloudResource) { p.Properties["nodeImageVersion"] = "i2" }, verify.Warning, "image i1, the pool i2"},
		{"pool not read", "pool", func(d *evidence.Data, _, _, _ *evidence.CloudResource) { d.CloudResources = d.CloudResources[2:] }, verify.Unknown, "was not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := onAKS()
			c.change(&d, d.CloudResources[0], d.CloudResources[1], d.CloudResources[2])
			v := judge(t, d, nil)
			i := slices.IndexFunc(v.Steps, func(s verify.Step) bool { return s.ID == c.step })
			if i < 0 || v.Steps[i].Result != c.want || !strings.Contains(v.Steps[i].Detail, c.says) {
				t.Errorf("want %s %q, got %+v", c.want, c.says, v.Steps)
			}
			if c.want != verify.Clear && v.Verdict == verify.Clear {
				t.Error("the verdict is clear all the same")
			}
		})
	}
}

// A machine of a set that is too big to be listed is counted by its set.
func TestCountedMachines(t *testing.T) {
	for _, c := range []struct {
		name, states, capacity string
		want                   verify.Result
		says                   string
	}{
		{"all are well", "succeeded=1000", "1000", verify.Clear, "counts all 1000 machines as Succeeded"},
		{"one failed", "failed=1,succeeded=999", "1000", verify.NotClear, "1 of the 1000 machines of its scale set failed"},
		{"one was canceled", "canceled=1,succeeded=999", "1000", verify.NotClear, "1 of the 1000"},
		{"some are made", "creating=3,succeeded=997", "1000", verify.Unknown, "3 of the 1000 machines of its scale set are being changed"},
		{"a state of tomorrow", "frobnicating=1,succeeded=999", "1000", verify.Unknown, "1 of the 1000"},
		{"some are not counted", "succeeded=998", "1000", verify.Unknown, "counts the states of 998 machines"},
		{"its size was not read", "succeeded=1000", "", verify.Unknown, "or was not read"},
		{"no view was read", "", "1000", verify.Unknown, "was not read"},
		{"nonsense", "succeeded=many,=,x", "1000", verify.Unknown, "was not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := onAKS()
			d.CloudResources[0].Properties["enableAutoScaling"] = "true" // counts are not what this is about
			d.CloudResources[1].Properties["capacity"] = c.capacity
			d.CloudResources = append(d.CloudResources[:2], &evidence.CloudResource{Type: "scale-set", ID: strings.ToLower(setID), Name: "s", Provisioning: "succeeded", Properties: map[string]string{"machineStates": c.states}})
			v := judge(t, d, nil)
			i := slices.IndexFunc(v.Steps, func(s verify.Step) bool { return s.ID == "machine" })
			if i < 0 || v.Steps[i].Result != c.want || !strings.Contains(v.Steps[i].Detail, c.says) || (v.Verdict == verify.Clear) != (c.want == verify.Clear) {
				t.Errorf("%s, want %s %q: %+v", v.Verdict, c.want, c.says, v.Steps)
			}
		})
	}
}

// A node that is no machine of Azure has no such steps, and is clear without them; one that Karpenter made has no pool.
func TestNoCloudNoSteps(t *testing.T) {
	for _, id := range []string{"", "kind://docker/kind/kind-worker", "aws:///eu-1a/i-0", "azure:", "azure://somewhere/else"} {
		d := well()
		d.Nodes[0].Spec.ProviderID = id
		if v := judge(t, d, nil); v.Verdict != verify.Clear {
			t.Errorf("provider id %q: %s %+v", id, v.Verdict, v.Steps)
		}
	}
	d := onAKS()
	d.CloudResources, d.Gaps = d.CloudResources[1:], []evidence.Gap{{What: "pools in azure", Why: "azure answers 400 AgentPoolAPIsNotSupported"}}
	if v := judge(t, d, nil); v.Verdict != verify.Clear {
		t.Errorf("of an availability set: %s %+v", v.Verdict, v.Steps)
	}
	d = onAKS()
	d.Nodes[0].Labels["karpenter.sh/nodepool"] = "np1"
	if v := judge(t, d, nil); slices.ContainsFunc(v.Steps, func(s verify.Step) bool { return s.ID == "pool" }) || v.Verdict != verify.Clear {
		t.Errorf("of Karpenter: %+v", v.Steps)
	}
}

// Many nodes are looked at by what the API and the cloud tell: each that is not well is seen, and no other.
func TestSurvey(t *testing.T) {
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	d := onAKS()
	d.Kubelets, d.NodeReports = nil, nil
	d.Coverage[evidence.Nodes], d.CloudResources[0].Properties["count"], d.CloudResources[1].Properties["capacity"] = evidence.Complete, "40", "40"
	var names []string
	first, lease, machine := *d.Nodes[0].Node, *d.Leases[0], *d.CloudResources[2]
	d.Nodes, d.Leases, d.CloudResources = nil, nil, d.CloudResources[:2]
	for i := range 40 {
		n, l, m := first.DeepCopy(), lease, machine
		n.Name = fmt.Sprintf("w%d", i)
		l.Name, m.ID = n.Name, fmt.Sprintf("%s/virtualMachines/%d", setID, i)
		n.Spec.ProviderID = "azure://" + m.ID
		switch i {
		case 17:
			n.Status.Conditions[2].Status = corev1.ConditionTrue // disk pressure
		case 33:
			m.Provisioning = "Failed"
		}
		d.Nodes, d.Leases, d.CloudResources = append(d.Nodes, &evidence.Node{Node: n}), append(d.Leases, &l), append(d.CloudResources, &m)
		names = append(names, n.Name)
	}
	list := verify.Survey(verify.Input{Snapshot: evidence.New(d), Catalog: cat, Signatures: set, Rules: rules.All()}, names)
	if len(list) != 40 {
		t.Fatalf("%d of 40 nodes were looked at", len(list))
	}
	for i, v := range list {
		want := verify.Clear
		if i == 17 || i == 33 {
			want = verify.NotClear
		}
		if v.Node != names[i] || v.Verdict != want {
			t.Errorf("%s is %s: %+v", v.Node, v.Verdict, v.Steps)
		}
		if len(v.Steps) != 7 {
			t.Errorf("%s: steps %+v", v.Node, v.Steps)
		}
	}
}
