package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/report"
)

func builtinCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each answer fits on a screen, has a reference, and names an existing command with existing flags.
func TestQuestions(t *testing.T) {
	c := builtinCatalog(t)
	if len(c.Questions()) < 13 {
		t.Fatalf("there are %d questions, which cannot be all", len(c.Questions()))
	}
	for _, q := range c.Questions() {
		var b bytes.Buffer
		if err := report.Question(&b, report.NewQuestion(c, q.ID), report.Style{Width: 80}); err != nil {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
		if len(lines) > 23 { // and one for the prompt
			t.Errorf("%s: %d lines, a screen has 24", q.ID, len(lines))
		}
		for _, line := range lines {
			if len([]rune(line)) > 80 {
				t.Errorf("%s: a line is wider than 80 columns: %s", q.ID, line)
			}
		}
		if len(q.See) == 0 || len(q.Asked) < 3 {
			t.Errorf("%s: it needs see, and other wordings in asked", q.ID)
		}
		checkRun(t, q)
	}
}

func checkRun(t *testing.T, q *catalog.Question) {
	t.Helper()
	args := strings.Fields(q.Run)
	if len(args) < 2 || args[0] != "nodetriage" {
		t.Errorf("%s: run %q: it must be a command of nodetriage", q.ID, q.Run)
		return
	}
	cmd, rest, err := newRoot().Find(args[1:])
	if err != nil || !cmd.HasParent() {
		t.Errorf("%s: run %q: there is no such command", q.ID, q.Run)
		return
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: run %q: %v", q.ID, q.Run, err)
		return
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		t.Errorf("%s: run %q: %v", q.ID, q.Run, err)
	}
}

// Common questions, and the page that must come first.
func TestQuestionsAreFound(t *testing.T) {
	c := builtinCatalog(t)
	for asked, want := range map[string]string{
		"node NotReady but pods running":                         "not-ready-but-running",
		"my node is not ready but the containers still work":     "not-ready-but-running",
		"why are pods running on a NotReady node?":               "not-ready-but-running",
		"node shows NotReady, pods still Running":                "not-ready-but-running",
		"NotReady after reboot":                                  "not-ready-after-reboot",
		"node stays not ready after rebooting":                   "not-ready-after-reboot",
		"why does my node go NotReady after a reboot?":           "not-ready-after-reboot",
		"the node rebooted and is NotReady":                      "not-ready-after-reboot",
		"why is my pod evicted after 5 minutes?":                 "toleration-seconds",
		"pods are evicted 5 minutes after the node is down":      "toleration-seconds",
		"kubectl top error":                                      "metrics-api-missing",
		"Why does kubectl top return an error?":                  "metrics-api-missing",
		"what do I save before I restart the kubelet?":           "save-evidence",
		"what do I save before a reboot":                         "save-evidence",
		"what must I save before I reimage the node":             "save-evidence",
		"when does AKS upgrade by itself":                        "planned-maintenance",
		"How do I stop AKS from upgrading my nodes at midnight?": "planned-maintenance",
		"planned maintenance window midnight":                    "planned-maintenance",
		"df shows 50% but no space":                              "inode-exhaustion",
		"no space left on device, but df shows 50 %":             "inode-exhaustion",
		"what is PLEG":                                             "what-is-pleg",
		"What does 'PLEG is not healthy' mean?":                    "what-is-pleg",
		"pod lifecycle event generator":                            "what-is-pleg",
		"pleg relist slow":                                         "what-is-pleg",
		"can I force a node Ready":                                 "force-node-ready",
		"How do I force a node to become Ready?":                   "force-node-ready",
		"remove not-ready taint by hand":                           "force-node-ready",
		"make node ready by hand":                                  "force-node-ready",
		"does pod density matter":                                  "pod-density",
		"Can high pod density cause NotReady?":                     "pod-density",
		"how many pods per node":                                   "pod-density",
		"too many pods on one node":                                "pod-density",
		"why are pods Terminating":                                 "pods-terminating",
		"pods stay in Terminating for ever":                        "pods-terminating",
		"how to delete a pod that is stuck Terminating":            "pods-terminating",
		"why is the pod still Running":                             "still-running",
		"node is off, but kubectl says the pod is Running":         "still-running",
		"pods are not rescheduled after a node shutdown":           "still-running",
		"how long until pods move to another node?":                "still-running",
		"what does tolerationSeconds cost":                         "toleration-seconds",
		"should I lower tolerationSeconds?":                        "toleration-seconds",
		"faster failover of pods":                                  "toleration-seconds",
		"node affinity or taint":                                   "affinity-or-taint",
		"difference between taints and affinity":                   "affinity-or-taint",
		"nodeSelector vs taint":                                    "affinity-or-taint",
		"what do the system components do":                         "system-components",
		"what is kube-proxy for":                                   "system-components",
		"what is a node pool":                                      "node-pool",
		"difference between system pools and user pools":           "node-pool",
		"PreferNoSchedule":                                         "prefer-no-schedule",
		"what is the difference between NoSchedule and NoExecute?": "prefer-no-schedule",
		"how do I remove a taint":                                  "prefer-no-schedule",
		"which labels does AKS put on nodes":                       "aks-labels",
		"aks node labels":                                          "aks-labels",
		"role assignments of the node pool":                        "pool-failed",
		"node pool Failed without an error message":                "pool-failed",
		"az monitor diagnostic-settings":                           "pool-failed",
		"az aks nodepool show failed":                              "pool-failed",
		"provisioning failed scale set":                            "pool-failed",
		"check the activity log":                                   "pool-failed",
		"CNI incompatible after upgrade":                           "cni-config-version-invalid",
		"IMDS failure":                                             "cloud-metadata-failure",
		"is it safe to force delete a StatefulSet pod?":            "statefulset-stuck-node-lost",
		"can I remove the taint to make the node Ready?":           "force-node-ready",
		"why is the pod still Running on a node that is down?":     "still-running",
		"node.kubernetes.io/unreachable":                           "toleration-seconds",
	} {
		found := c.Search(asked)
		if len(found) == 0 || found[0].ID != want {
			t.Errorf("%q finds %v, want %s first", asked, found[:min(2, len(found))], want)
		}
	}
}

func TestQuestionsThatHaveNoPage(t *testing.T) {
	c := builtinCatalog(t)
	for _, asked := range []string{
		"", "what is it", "how do I bake bread", "terraform state lock", "best programming language", "weather in Hamburg tomorrow",
		"convert celsius to fahrenheit", "helm chart for postgres", "how to write a Dockerfile", "git rebase or merge",
		"who won the match", "install ingress nginx with TLS", "rotate the moon", "configure OAuth login for Grafana",
		"what does a licence of Windows cost", "argo rollout canary analysis",
	} {
		if found := c.Search(asked); len(found) > 0 {
			t.Errorf("%q finds %v, and should find nothing", asked, found[:min(2, len(found))])
		}
	}
}
