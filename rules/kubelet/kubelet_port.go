package kubelet

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
)

// Port reads how the kubelet's port answered the API server: a refused connection comes from a
// machine that lives without a kubelet; silence from one that is off, hangs or is cut off; an answer from a
// kubelet whose node is silent means that it lives, and no more.
var Port = &triage.Rule{
	ID:    "kubelet-port",
	Doc:   "Compares the answer of the kubelet's port with the node's heartbeat and with those of its neighbours.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Kubelets},
	Reads: []evidence.Kind{evidence.Leases},
	Check: func(p *triage.Pass) {
		reporting, all := 0, len(p.Snapshot.Nodes())
		for _, n := range p.Snapshot.Nodes() {
			if n.Ready() == evidence.True {
				reporting++
			}
		}
		for _, k := range p.Snapshot.Kubelets() {
			n := p.Snapshot.Node(k.Node)
			if n == nil || !n.Silent() || k.Healthz == "" && k.Error == "" {
				continue // it reports, or nobody asked it from outside
			}
			if fresh, _ := facts.Beats(p, n.Name); fresh == evidence.True {
				continue // it came back while the evidence was gathered
			}
			peers := ""
			if reporting > 0 {
				peers = fmt.Sprintf("; %d of %d nodes report, so the API server works", reporting, all)
			}
			c := triage.Claim{Subject: n.Subject(), Since: facts.Since(n)}
			ref := evidence.Ref{Source: "kubelet of node/" + k.Node, Locator: "/healthz", Text: k.Error, ObservedAt: k.TakenAt}
			switch answer(k) {
			case "refused":
				c.Says, c.Confidence = "kubelet-stopped", triage.Likely
				c.Summary = "the machine answers, but nothing listens on the kubelet's port" + peers
				because := "it refuses connections to the kubelet's port, so it runs and can be reached"
				p.RuleOut("machine-off", n.Subject(), because)
				p.RuleOut("node-lost", n.Subject(), because)
			case "silence":
				c.Says, c.Confidence = "node-lost", triage.Likely
				c.Summary = "neither heartbeats nor an answer on the kubelet's port: the machine is off, hangs or is cut off" + peers
				p.Unknown("whether the machine of "+k.Node+" is off, hangs or is cut off", "nothing on it answers",
					"in the cloud or the hypervisor: its power state and console; from a neighbour: ping")
			case "answer":
				// A rejected credential and a path that is cut one way look alike from here.
				p.Unknown("why the heartbeats of "+k.Node+" do not arrive", "its kubelet answers the API server: its own connection there or its credential is broken"+peers,
					"on the node: journalctl -u kubelet -n 200 | grep -iE 'unauthorized|forbidden|timeout|no route'")
				for _, cause := range []string{"kubelet-stopped", "machine-off", "node-lost"} {
					p.RuleOut(cause, n.Subject(), "the kubelet answers on its port")
				}
				if !authorizerFailed.MatchString(k.Error) {
					continue
				}
				c.Says = "kubelet-requests-fail"
				c.Summary = "the kubelet answers, but could not ask the API server whether the caller may: its own credential is refused, or its way there is cut" + peers
			default:
				p.Unknown("whether the kubelet of "+k.Node+" lives", k.Error, "on the node: curl -sk https://localhost:10250/healthz")
				continue
			}
			c.Evidence = []evidence.Ref{ref}
			if lease := p.Snapshot.NodeLease(n.Name); lease != nil && !lease.Renewed.IsZero() {
				c.Evidence = append(c.Evidence, facts.LeaseRef(lease))
			}
			p.Found(c)
		}
	},
}

// authorizerFailed is how a kubelet answers where its own question to the API server about the rights of the caller failed
// (kubernetes pkg/kubelet/server/server.go InstallAuthFilter, 1.36.3).
var authorizerFailed = lazyregexp.New(`Authorization error \(user=`)

// dialed is a call to the kubelet's port that failed, in the words of Go's net package.
var dialed = lazyregexp.New(`dial tcp[46]? \S{1,60}:10250: `)

// answer sorts what came back from the kubelet's port: refused, silence, answer, or "" where the way there
// was the trouble (rights, a proxy or tunnel between).
func answer(k *evidence.Kubelet) string {
	if k.Healthz != "" {
		return "answer"
	}
	text := strings.ToLower(k.Error)
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
	if i := dialed.FindStringIndex(text); i != nil {
		text = text[i[1]:] // a proxy between repeats how its own call to the kubelet went
	}
	switch {
	case has("kubelet answered http"):
		return "answer"
	case has("tunnel", "no agent available", "proxy error", "forbidden"):
		return ""
	case has("connection refused"):
		return "refused"
	case has("no route to host", "timeout", "timed out", "deadline exceeded", "no answer", "host is unreachable"):
		return "silence"
	}
	return ""
}
