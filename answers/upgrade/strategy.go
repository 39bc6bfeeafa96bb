package upgrade

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Style says whose strategy of replacing nodes it is.
type Style string

// The styles. Plain: a new node for each, the old one drained and deleted, as cluster tools without a cloud do.
const (
	AKS       Style = "aks"
	EKS       Style = "eks"
	GKE       Style = "gke"
	BlueGreen Style = "gke-blue-green"
	Plain     Style = "plain"
)

// Styles are all of them.
var Styles = []Style{AKS, EKS, GKE, BlueGreen, Plain}

func styleNames() string {
	var out []string
	for _, s := range Styles {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}

// What becomes of a node that does not become empty in time.
const (
	Stop       = "stop"       // the upgrade ends there
	Quarantine = "quarantine" // the node stays closed, a surge node stays in its place, the upgrade goes on
	Force      = "force"      // its pods are deleted without asking budgets; EKS ends the machine with them
	WaitOn     = "wait"       // it is waited for without an end
)

// strategy is how a style replaces nodes.
type strategy struct {
	surge       string        // by default
	timeout     time.Duration // of the drain of one node, by default
	undrainable string        // what becomes of a node whose drain times out, by default
	// timeoutIsSet: people set how long the drain of a node may take.
	timeoutIsSet bool
	// inPlace: a drained node gets its new image and comes back under its name; else it is deleted and another one made.
	inPlace bool
	// surgeFirst: the surge nodes are made once, before the first drain, and go at the end; else each batch makes its own.
	surgeFirst bool
	// cordonsAll: all old nodes are cordoned before the first drain.
	cordonsAll bool
	// blueGreen: there are as many new nodes as old ones, and the new ones stay.
	blueGreen bool
	// addsUp: surge and maxUnavailable add up.
	addsUp      bool
	deleteDelay time.Duration // from the end of a drain until the node is deleted
	says        string        // in words, for the assumptions
}

// strategies are those of the styles as their makers document them.
//   - aks: learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling
//   - eks: docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
//   - gke: cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies
var strategies = map[Style]strategy{
	AKS: {surge: "10%", timeout: 30 * time.Minute, timeoutIsSet: true, undrainable: Stop, inPlace: true, surgeFirst: true,
		says: "AKS adds the surge nodes, drains as many old nodes at a time, gives each its new image in place, and drains and deletes the surge nodes at the end"},
	EKS: {timeout: 15 * time.Minute, undrainable: Stop, surgeFirst: true, cordonsAll: true, deleteDelay: time.Minute,
		says: "EKS adds nodes (twice as many as zones, or maxUnavailable if that is more), cordons all old ones, drains maxUnavailable of them at a time and replaces each, and takes the added nodes away at the end"},
	GKE: {surge: "1", timeout: time.Hour, undrainable: Force, inPlace: true, surgeFirst: true, addsUp: true,
		says: "GKE drains surge plus maxUnavailable nodes at a time, for an hour at most, and then deletes the pods that are left"},
	BlueGreen: {timeout: time.Hour, undrainable: Force, surgeFirst: true, cordonsAll: true, blueGreen: true,
		says: "GKE makes as many new nodes as there are, cordons all old ones, drains a batch of them at a time (max-unavailable), for an hour at most, and then deletes the pods that are left; the old nodes stay cordoned for the soak of the pool (an hour by default), which is not counted here, and are deleted"},
	Plain: {surge: "1", undrainable: WaitOn,
		says: "each batch gets its new nodes, the old ones are drained and deleted, and a drain has no time limit"},
}

// styleOf is the style that goes with the label that names the pool.
func styleOf(label string) Style {
	switch label {
	case evidence.LabelAgentPool, "agentpool":
		return AKS
	case "eks.amazonaws.com/nodegroup":
		return EKS
	case "cloud.google.com/gke-nodepool":
		return GKE
	}
	return Plain
}
