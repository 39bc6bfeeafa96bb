package mcp

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/triage/ignore"
)

// addTools adds the nine tools. Their descriptions say when to use them, and when not.
func (t *tools) addTools(s *sdk.Server) {
	add(t, s, &sdk.Tool{
		Name: "triage_cluster", Title: "Diagnose the cluster",
		Description: "Finds out why nodes of the cluster are broken. Verdict: broken, warning, healthy or unknown (not enough evidence). " +
			"Use it first, or if you do not know which node is affected. Do not use it for one known node: triage_node is faster. " +
			"It does not look for bugs of applications.",
	}, t.triageCluster)
	add(t, s, &sdk.Tool{
		Name: "triage_node", Title: "Diagnose one node",
		Description: "Finds out why one node is NotReady or does not run its pods. Reads only what concerns the node. Verdict: broken, warning, healthy or unknown. " +
			"Use it if you know the node. Do not use it to find nodes that fail together: use triage_cluster.",
	}, t.triageNode)
	add(t, s, &sdk.Tool{
		Name: "triage_text", Title: "Diagnose a text",
		Description: "Finds the cause in pasted text: output of kubectl, systemctl or az, kubelet and container runtime logs, events. Needs no cluster. " +
			"Verdict: broken, warning, healthy or unknown. Use it if a person gives you text. Paste the text unchanged, with its command lines. " +
			"Do not use it if the tools can read the cluster itself.",
	}, t.triageText)
	t.addExplain(s, &sdk.Tool{
		Name: explainTool, Title: "Explain a cause or a message",
		Description: "Explains a cause, a symptom, a check, an error code or a log message: meaning, checks, fixes, cautions. Reads no cluster. " +
			"Use it after a triage tool named an id, or for a question such as \"exit code 51 of CSE\". Do not use it to find out what is wrong: it judges no evidence.",
	})
	add(t, s, &sdk.Tool{
		Name: "forecast_pods", Title: "Forecast the pods of a node",
		Description: "Forecasts what happens to each pod after an event on its node, with times: eviction, replacement, volumes, outages. " +
			"Verdict: recovers, outage, pods-lost or unknown. Use it before a node is powered off, rebooted or deleted, or for a node that is down. " +
			"Do not use it for a planned drain: use plan_drain.",
	}, t.forecastPods)
	add(t, s, &sdk.Tool{
		Name: "plan_drain", Title: "Plan the drain of nodes",
		Description: "Plans the drain of nodes: what blocks it, the order of evictions, the duration, outages. Verdict: clear, slow (it takes time, or may block), blocked or unknown. " +
			"Changes nothing: a person runs the command of the plan. Use it before each drain. Do not use it for a whole pool: use plan_upgrade.",
	}, t.planDrain)
	add(t, s, &sdk.Tool{
		Name: "check_risks", Title: "Check risks before maintenance",
		Description: "Finds risks for drains, upgrades and the loss of a node: PodDisruptionBudgets that block, single replicas, missing capacity, expiring certificates. " +
			"Verdict: findings, clear or unknown. Use it before maintenance. Do not use it for a node that is broken now: use triage_cluster.",
	}, t.checkRisks)
	add(t, s, &sdk.Tool{
		Name: "plan_upgrade", Title: "Simulate the upgrade of a node pool",
		Description: "Simulates the rolling upgrade of a node pool: where it gets stuck, how long it takes, which pods are Pending. Verdict: clear, slow, blocked, harmful or unknown. " +
			"Changes nothing. Use it before an upgrade, or if an upgrade is stuck. Do not use it for single nodes: use plan_drain.",
	}, t.planUpgrade)
	add(t, s, &sdk.Tool{
		Name: "verify_node", Title: "Verify a fix",
		Description: "Checks whether a fix of a node worked: Ready, conditions, heartbeat, kubelet, pods, remaining causes. Verdict: clear, warning, not-clear or unknown. " +
			"Use it after a person fixed a node. Do not use it to find the cause: use triage_node. It starts no test pod.",
	}, t.verifyNode)
}

// exceptions returns the accepted findings.
func (t *tools) exceptions(k *ask.Knowledge) (*ignore.List, error) {
	if t.Exceptions == nil {
		return nil, nil
	}
	return t.Exceptions(k)
}
