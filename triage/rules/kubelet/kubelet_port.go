package kubelet

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Port reads how the kubelet's port answered the API server. A refused connection means that the machine runs without a kubelet. No
// answer means that the machine is off, hangs or is isolated. An answer from a kubelet without heartbeats only means that it runs.
var Port = &triage.Rule{
	ID:    "kubelet-port",
	Doc:   "Compares the answer of the kubelet's port 10250 with the node's heartbeats and with the other nodes.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Kubelets},
	Reads: []evidence.Kind{evidence.Leases},
	Check: func(p *triage.Pass) {
		reporting, all := 0, len(p.Snapshot.Nodes())
		for _, n := range p.Snapshot.Nodes() {
			if n.Ready() != evidence.Unknown && !n.Silent() { // a NotReady node reports too
				reporting++
			}
		}
		for _, k := range p.Snapshot.Kubelets() {
			n := p.Snapshot.Node(k.Node)
			if n == nil || !n.Silent() || k.Healthz == "" && k.Error == "" {
				continue // it reports, or its port was not queried
			}
			if fresh, _ := facts.Beats(p, n.Name); fresh == evidence.True {
				continue // it came back while the evidence was collected
			}
			peers := ""
			if reporting > 0 {
				peers = "; " + facts.OthersReport(p, reporting, all-1)
			}
			c := triage.Claim{Subject: n.Subject(), Since: facts.Since(n)}
			ref := evidence.Ref{Source: "kubelet of node/" + k.Node, Locator: "/healthz", Text: k.Error, ObservedAt: k.TakenAt}
			switch facts.PortAnswer(k) {
			case "refused":
				c.Says, c.Certainty = "kubelet-stopped", triage.Likely
				c.Summary = "the node answers, but nothing listens on the kubelet's port 10250" + peers
				because := "it refuses connections to port 10250, so it is running and reachable"
				p.RuleOut("machine-off", n.Subject(), because)
				p.RuleOut("node-lost", n.Subject(), because)
			case "silence":
				c.Says, c.Certainty = "node-lost", triage.Likely
				c.Summary = "no heartbeats and no answer on port 10250: the node is off, hung or without network" + peers
				p.Unknown("whether "+k.Node+" is off, hung or without network", "nothing on it answers",
					"its power state and console in the cloud or hypervisor; ping from another node")
			case "answer":
				// From here a rejected credential and a connection that is cut in one direction look the same.
				p.Unknown("why the heartbeats of "+k.Node+" do not arrive", "its kubelet answers, so its own connection to the API server or its credential fails"+peers,
					"on the node: journalctl -u kubelet -n 200 | grep -iE 'unauthorized|forbidden|timeout|no route'")
				for _, cause := range []string{"kubelet-stopped", "machine-off"} {
					p.RuleOut(cause, n.Subject(), "the kubelet answers on port 10250")
				}
				ref.Text = cmp.Or(k.Error, k.Healthz)
				c.Says, c.Certainty, c.Evidence = "node-lost", triage.Possible, []evidence.Ref{ref}
				c.Summary = "the kubelet answers on port 10250, but its heartbeats do not arrive: check its client certificate, clock and route to the API server" + peers
				p.Found(c)
				if !facts.AuthorizerFailed.MatchString(ref.Text) {
					continue
				}
				c.Says = "kubelet-requests-fail"
				c.Summary = "the kubelet answers, but its authorization request to the API server failed: credential rejected, or API server unreachable" + peers
			default:
				p.Unknown("whether the kubelet of "+k.Node+" is running", k.Error, "on the node: curl -sk https://localhost:10250/healthz")
				continue
			}
			c.Evidence = []evidence.Ref{ref}
			if lease := p.Snapshot.NodeLease(n.Name); lease != nil && !lease.Renewed.IsZero() {
				c.Evidence = append(c.Evidence, facts.LeaseRef(lease))
			}
			p.Found(c)
		}
	},
	// The answer of the kubelet proves more than a message that the node is unreachable.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		n := p.Snapshot.Node(m.Subject.Name)
		return n != nil && n.Silent() && slices.ContainsFunc(p.Snapshot.Kubelets(), func(k *evidence.Kubelet) bool { return k.Node == n.Name && facts.PortAnswer(k) == "answer" })
	},
}
