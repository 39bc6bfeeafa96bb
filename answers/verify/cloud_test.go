package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage/rules"
)

const setID = "/subscriptions/0/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-12345678-vmss"

// onAKS is a node after its fix on a healthy machine of Azure.
func onAKS() evidence.Data {
	d := well()
	n := d.Nodes[0]
	n.Spec.ProviderID = "azure://" + strings.ToLower(setID) + "/virtualMachines/2"
	n.Labels = map[string]string{"kubernetes.azure.com/agentpool": "np1", "kubernetes.azure.com/node-image-version": "i1"}
	d.CloudResources = []evidence.CloudResource{
		&evidence.CloudPool{CloudItem: item("/subscriptions/0/p", evidence.PowerUnknown), Count: evidence.CountOf(3), Image: "i1"},
		&evidence.CloudSet{CloudItem: item(setID, evidence.PowerUnknown), Capacity: evidence.CountOf(3), Pool: "np1"},
		&evidence.CloudMachine{CloudItem: item(setID+"/virtualMachines/2", evidence.PowerOn), Answer: "Ready", Answers: evidence.True, Latest: evidence.True},
		&evidence.CloudMachine{CloudItem: evidence.CloudItem{ID: setID + "/virtualMachines/3", State: "Failed", Stage: evidence.StageFailed, Power: "stopped", Up: evidence.PowerOff}, Answer: "Not Ready", Answers: evidence.False},
	}
	pool(&d).Name = "np1"
	return d
}

// item is a healthy resource.
func item(id string, up evidence.CloudPower) evidence.CloudItem {
	return evidence.CloudItem{ID: id, State: "Succeeded", Stage: evidence.StageDone, Power: map[evidence.CloudPower]string{evidence.PowerOn: "running"}[up], Up: up}
}

func pool(d *evidence.Data) *evidence.CloudPool    { return d.CloudResources[0].(*evidence.CloudPool) }
func scaleSet(d *evidence.Data) *evidence.CloudSet { return d.CloudResources[1].(*evidence.CloudSet) }
func machine(d *evidence.Data) *evidence.CloudMachine {
	return d.CloudResources[2].(*evidence.CloudMachine)
}

// On AKS the machine and the pool must be healthy too, and what was not read of them is not clear.
func TestCloudSteps(t *testing.T) {
	if v := judge(t, onAKS(), nil); v.Verdict != verify.Clear || !slices.ContainsFunc(v.Steps, func(s verify.Step) bool { return s.ID == "machine" }) {
		t.Fatalf("a node of AKS that is well is %s: %+v", v.Verdict, v.Steps)
	}
	for _, c := range []struct {
		name, step string
		change     func(d *evidence.Data, p *evidence.CloudPool, s *evidence.CloudSet, m *evidence.CloudMachine)
		want       verify.Result
		says       string
	}{
		{"failed", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.State, m.Stage = "Failed", evidence.StageFailed
		}, verify.NotClear, "Failed"},
		{"failed with its code", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.State, m.Stage = "failed/VMExtensionProvisioningError", evidence.StageFailed
		}, verify.NotClear, "VMExtension"},
		{"its view alone failed", "machine", func(d *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			d.CloudResources = append(d.CloudResources, &evidence.CloudMachine{CloudItem: evidence.CloudItem{State: "failed", Stage: evidence.StageFailed}, Host: "w"})
		}, verify.NotClear, "failed"},
		{"off", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.Power, m.Up = "deallocated", evidence.PowerReleased
		}, verify.NotClear, "deallocated"},
		{"silent agent", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.Answer, m.Answers = "Not Ready", evidence.False
		}, verify.NotClear, "Not Ready"},
		{"being changed", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.State, m.Stage = "Updating", evidence.StageChanging
		}, verify.Unknown, "Updating"},
		{"in a state of tomorrow", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.State, m.Stage = "Frobnicating", evidence.StageChanging
		}, verify.Unknown, "Frobnicating"},
		{"old model", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.Latest = evidence.False
		}, verify.Warning, "latest model"},
		{"no view", "machine", func(_ *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, m *evidence.CloudMachine) {
			m.Power, m.Up, m.Answer, m.Answers, m.Latest = "", evidence.PowerUnknown, "", evidence.Unknown, evidence.Unknown
		}, verify.Unknown, "was not read"},
		{"not read", "machine", func(d *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			d.CloudResources = d.CloudResources[:2]
		}, verify.Unknown, "was not read"},
		{"not logged in", "machine", func(d *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			d.CloudResources, d.Gaps = nil, []evidence.Gap{{What: "what Azure knows of the machines", Why: "not logged in to Azure", How: "az login"}}
		}, verify.Unknown, "not logged in"},
		{"pool failed", "pool", func(_ *evidence.Data, p *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			p.State, p.Stage, p.Errors = "Failed", evidence.StageFailed, []evidence.CloudError{{Code: "Outer"}, {Code: "SubnetIsFull"}}
		}, verify.NotClear, "SubnetIsFull"},
		{"pool canceled", "pool", func(_ *evidence.Data, p *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			p.State, p.Stage = "Canceled", evidence.StageCanceled
		}, verify.NotClear, "Canceled"},
		{"pool upgrading", "pool", func(_ *evidence.Data, p *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			p.State, p.Stage = "Upgrading", evidence.StageUpgrading
		}, verify.Unknown, "Upgrading"},
		{"capacity differs", "pool", func(_ *evidence.Data, _ *evidence.CloudPool, s *evidence.CloudSet, _ *evidence.CloudMachine) {
			s.Capacity = evidence.CountOf(2)
		}, verify.Warning, "specifies 3 nodes, but its scale set has 2 VMs"},
		{"capacity differs under an autoscaler", "pool", func(_ *evidence.Data, p *evidence.CloudPool, s *evidence.CloudSet, _ *evidence.CloudMachine) {
			s.Capacity, p.Autoscaling = evidence.CountOf(2), evidence.True
		}, verify.Clear, ""},
		{"nodes differ", "pool", func(d *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			d.Coverage[evidence.Nodes] = evidence.Complete
		}, verify.Warning, "but the cluster has 1"},
		{"another image", "pool", func(_ *evidence.Data, p *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			p.Image = "i2"
		}, verify.Warning, "image i1, but the pool has i2"},
		{"pool not read", "pool", func(d *evidence.Data, _ *evidence.CloudPool, _ *evidence.CloudSet, _ *evidence.CloudMachine) {
			d.CloudResources = d.CloudResources[2:]
		}, verify.Unknown, "was not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := onAKS()
			c.change(&d, pool(&d), scaleSet(&d), machine(&d))
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

type stages = map[evidence.CloudStage]int

// A machine of a set that is too big to list is counted by its set.
func TestCountedMachines(t *testing.T) {
	for _, c := range []struct {
		name     string
		states   map[evidence.CloudStage]int
		capacity evidence.CloudCount
		want     verify.Result
		says     string
	}{
		{"all are well", stages{evidence.StageDone: 1000}, evidence.CountOf(1000), verify.Clear, "reports all 1000 VMs as Succeeded"},
		{"one failed", stages{evidence.StageFailed: 1, evidence.StageDone: 999}, evidence.CountOf(1000), verify.NotClear, "1 of the 1000 VMs of its scale set failed"},
		{"one was canceled", stages{evidence.StageCanceled: 1, evidence.StageDone: 999}, evidence.CountOf(1000), verify.NotClear, "1 of the 1000"},
		{"some are made", stages{evidence.StageChanging: 3, evidence.StageDone: 997}, evidence.CountOf(1000), verify.Unknown, "in progress on 3 of the 1000 VMs of its scale set"},
		{"some are not counted", stages{evidence.StageDone: 998}, evidence.CountOf(1000), verify.Unknown, "reports the states of 998 VMs"},
		{"its size was not read", stages{evidence.StageDone: 1000}, evidence.CloudCount{}, verify.Unknown, "or was not read"},
		{"no view was read", nil, evidence.CountOf(1000), verify.Unknown, "was not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := onAKS()
			pool(&d).Autoscaling = evidence.True // this test is not about counts
			scaleSet(&d).Capacity = c.capacity
			d.CloudResources = append(d.CloudResources[:2], &evidence.CloudSet{CloudItem: item(strings.ToLower(setID), evidence.PowerUnknown), States: c.states})
			v := judge(t, d, nil)
			i := slices.IndexFunc(v.Steps, func(s verify.Step) bool { return s.ID == "machine" })
			if i < 0 || v.Steps[i].Result != c.want || !strings.Contains(v.Steps[i].Detail, c.says) || (v.Verdict == verify.Clear) != (c.want == verify.Clear) {
				t.Errorf("%s, want %s %q: %+v", v.Verdict, c.want, c.says, v.Steps)
			}
		})
	}
}

// A node that is not a machine of Azure has no such steps, and is clear without them. A node of Karpenter has no pool.
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

// Many nodes are verified with the API and the cloud: each unhealthy one is detected, and no other.
func TestSurvey(t *testing.T) {
	cat, set := casetest.Builtin(t)
	d := onAKS()
	d.Kubelets, d.NodeReports = nil, nil
	d.Coverage[evidence.Nodes], pool(&d).Count, scaleSet(&d).Capacity = evidence.Complete, evidence.CountOf(40), evidence.CountOf(40)
	var names []string
	first, lease, machine := *d.Nodes[0].Node, *d.Leases[0], *machine(&d)
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
			m.State, m.Stage = "Failed", evidence.StageFailed
		}
		d.Nodes, d.Leases, d.CloudResources = append(d.Nodes, &evidence.Node{Node: n}), append(d.Leases, &l), append(d.CloudResources, &m)
		names = append(names, n.Name)
	}
	list := verify.Survey(verify.Input{Snapshot: evidence.New(d), Catalog: cat, Signatures: set, Rulebook: rules.All()}, names)
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
