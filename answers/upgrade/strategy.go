package upgrade

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/clouds"
)

// Style is the provider of an upgrade strategy.
type Style string

// Styles. Plain: a new node for each, the old one drained and deleted, as cluster tools without a cloud do.
const (
	AKS       Style = "aks"
	EKS       Style = "eks"
	GKE       Style = "gke"
	BlueGreen Style = "gke-blue-green"
	Plain     Style = "plain"
)

// Styles lists all styles.
var Styles = []Style{AKS, EKS, GKE, BlueGreen, Plain}

// StyleNames returns all styles, separated by commas.
func StyleNames() string {
	var out []string
	for _, s := range Styles {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}

// Actions for a node that is not drained in time.
const (
	Stop       = "stop"       // the upgrade stops
	Quarantine = "quarantine" // the node stays cordoned, a surge node replaces it, the upgrade continues
	Force      = "force"      // its pods are deleted regardless of PodDisruptionBudgets; EKS stops the machine with them
	WaitOn     = "wait"       // the upgrade waits without a timeout
)

// strategy is how a style replaces nodes.
type strategy struct {
	surge       string        // by default
	timeout     time.Duration // of the drain of one node, by default
	undrainable string        // action if the drain of a node times out, by default
	// timeoutIsSet: people set how long the drain of a node may take.
	timeoutIsSet bool
	// inPlace: a drained node is reimaged and returns under its name; else it is deleted and another one created.
	inPlace bool
	// surgeFirst: the surge nodes are created once, before the first drain, and deleted at the end; else each batch creates its
	// own.
	surgeFirst bool
	// cordonsAll: all old nodes are cordoned before the first drain.
	cordonsAll bool
	// blueGreen: there are as many new nodes as old ones, and the new ones remain.
	blueGreen bool
	// addsUp: surge and maxUnavailable add up.
	addsUp      bool
	deleteDelay time.Duration // from the end of a drain until the node is deleted
	says        string        // description for the assumptions
}

// strategies are the strategies of the styles as their providers document them.
//   - aks: learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling
//   - eks: docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
//   - gke: cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies
var strategies = map[Style]strategy{
	AKS: {surge: "10%", timeout: 30 * time.Minute, timeoutIsSet: true, undrainable: Stop, inPlace: true, surgeFirst: true,
		says: "AKS adds the surge nodes, drains as many old nodes at a time, reimages each, and drains and deletes the surge nodes at the end"},
	EKS: {timeout: 15 * time.Minute, undrainable: Stop, surgeFirst: true, cordonsAll: true, deleteDelay: time.Minute,
		says: "EKS adds nodes (twice the number of zones, or maxUnavailable if larger), cordons all old nodes, drains and replaces maxUnavailable at a time, and removes the added nodes at the end"},
	GKE: {surge: "1", timeout: time.Hour, undrainable: Force, inPlace: true, surgeFirst: true, addsUp: true,
		says: "GKE drains surge plus maxUnavailable nodes at a time, for at most 1h, and then deletes the remaining pods"},
	BlueGreen: {timeout: time.Hour, undrainable: Force, surgeFirst: true, cordonsAll: true, blueGreen: true,
		says: "GKE creates as many new nodes as there are, cordons all old nodes, drains one batch at a time (max-unavailable) for at most 1h, and then deletes the remaining pods; the old nodes stay cordoned for the soak time (default 1h, not counted here) and are deleted"},
	Plain: {surge: "1", undrainable: WaitOn,
		says: "each batch gets new nodes, then the old nodes are drained (without time limit) and deleted"},
}

// styleOf returns the style for the label of the pool's name.
func styleOf(label string) Style {
	if label == "agentpool" { // an older label of the same service
		return AKS
	}
	style := Style(clouds.OfPoolLabel(label).Service)
	if _, known := strategies[style]; !known {
		return Plain
	}
	return style
}
