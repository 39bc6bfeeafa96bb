package triage_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// A pod that was Pending before the node became unreachable is not explained by that node.
func TestPodsThatWaitedBefore(t *testing.T) {
	n := node("n1", time.Hour, nil)
	for i := range n.Node.Status.Conditions {
		if n.Node.Status.Conditions[i].Type == corev1.NodeReady {
			n.Node.Status.Conditions[i].Status = corev1.ConditionUnknown
		}
	}
	for name, c := range map[string]struct {
		made time.Duration
		by   string
	}{"before": {3 * time.Hour, ""}, "after": {10 * time.Minute, "node-lost"}} {
		p := &evidence.Pod{Namespace: "shop", Name: "api-0", Phase: corev1.PodPending, Created: now.Add(-c.made), Spec: &corev1.PodSpec{}}
		s := evidence.New(evidence.Data{TakenAt: now, Nodes: []*evidence.Node{n}, Pods: []*evidence.Pod{p}})
		r := judge(t, s, triage.Claim{Says: "node-lost", Subject: n.Subject(), Certainty: triage.Likely}, triage.Claim{Says: "pod-pending", Subject: p.Subject()})
		i := slices.IndexFunc(r.Symptoms, func(s triage.Symptom) bool { return s.ID == "pod-pending" })
		if i < 0 || r.Symptoms[i].ExplainedBy != c.by {
			t.Errorf("%s: the symptoms are %+v", name, r.Symptoms)
		}
	}
}

// kube-proxy-failing does not explain an unscheduled pod: it prevents no scheduling, and its possible effects were not found.
func TestPodsThatWaitForNoNode(t *testing.T) {
	n := node("n1", time.Hour, nil)
	p := &evidence.Pod{Namespace: "kube-system", Name: "coredns-1", Phase: corev1.PodPending, Created: now, Spec: &corev1.PodSpec{}}
	s := evidence.New(evidence.Data{TakenAt: now, Nodes: []*evidence.Node{n}, Pods: []*evidence.Pod{p}})
	proxy := triage.Claim{Says: "kube-proxy-failing", Certainty: triage.Likely}
	for name, c := range map[string]struct {
		claims []triage.Claim
		by     string
	}{
		"alone":                   {[]triage.Claim{proxy}, ""},
		"what it made is there":   {[]triage.Claim{proxy, {Says: "cni-not-installed", Certainty: triage.Likely}}, "kube-proxy-failing"},
		"of what takes the nodes": {[]triage.Claim{{Says: "node-lost", Certainty: triage.Likely}}, "node-lost"},
	} {
		r := judge(t, s, append(c.claims, triage.Claim{Says: "pod-pending", Subject: p.Subject()})...)
		i := slices.IndexFunc(r.Symptoms, func(s triage.Symptom) bool { return s.ID == "pod-pending" })
		if i < 0 || r.Symptoms[i].ExplainedBy != c.by {
			t.Errorf("%s: the symptoms are %+v", name, r.Symptoms)
		}
	}
}

// Names from machine IDs are filled in, commands of other clouds and machine kinds are left out, and unknown names get a command
// that prints them.
func TestCommandsOfTheCloud(t *testing.T) {
	for name, c := range map[string]struct{ id, want, not string }{
		"scale set": {
			"azure:///subscriptions/0/resourceGroups/mc_g/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1-1-vmss/virtualMachines/7",
			"az vmss start -g mc_g -n aks-np1-1-vmss --instance-ids 7", "az vm start",
		},
		"machine of its own": {
			"azure:///subscriptions/0/resourceGroups/mc_g/providers/Microsoft.Compute/virtualMachines/aks-1",
			"az vm start -g mc_g -n aks-1", "az vmss start",
		},
		"another cloud": {"aws:///us-east-1b/i-0abc", "aws ec2 describe-instances --instance-ids i-0abc", "az "},
		"nobody's":      {"kind://docker/kind/n1", "", "az "},
		"no cloud":      {"", "", "az "},
		"not told":      {"a table", "", "az "},
	} {
		t.Run(name, func(t *testing.T) {
			n := node("n1", time.Hour, nil)
			if n.Spec.ProviderID = c.id; c.id == "a table" {
				n.Spec.ProviderID, n.Partial = "", true
			}
			r := judge(t, nodes(n), triage.Claim{Says: "machine-off", Subject: n.Subject(), Certainty: triage.Certain})
			var all []string
			for _, k := range r.Findings[0].Confirm {
				all = append(all, string(k.Run))
			}
			for _, m := range r.Findings[0].Remedies {
				all = append(all, shell.Strings(m.Commands)...)
			}
			text := strings.Join(all, "\n")
			if !strings.Contains(text, c.want) || c.not != "" && strings.Contains(text, c.not) {
				t.Errorf("want %q and not %q in\n%s", c.want, c.not, text)
			}
		})
	}
}

// There is no shell on a managed control plane: remedies there are for the provider.
func TestNoControlPlaneOfAProvider(t *testing.T) {
	for label, managed := range map[string]bool{"kubernetes.azure.com/agentpool": true, "node-pool": false} {
		n := node("n1", time.Hour, nil)
		n.Labels = map[string]string{label: "np1"}
		r := judge(t, nodes(n), triage.Claim{Says: "apiserver-unreachable", Subject: n.Subject(), Certainty: triage.Certain})
		var all []string
		for _, m := range r.Findings[0].Remedies {
			all = append(append(all, m.Title), shell.Strings(m.Commands)...)
		}
		text := strings.Join(all, "\n")
		if strings.Contains(text, "crictl ps -a --name kube-apiserver") == managed || strings.Contains(text, "open a support ticket") != managed {
			t.Errorf("%s: %s", label, text)
		}
	}
}
