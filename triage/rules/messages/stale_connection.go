package messages

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// onePort matches an established connection in errors of a Go client: local address, port and peer.
var onePort = lazyregexp.New(`(?:read|write) tcp (\S{3,60}:\d+)->(\S{3,60}:\d+)`)

// deadFor is how long errors must come from one local port. A new connection gets a new port, so the same port for this long is the
// same dead connection.
const deadFor = time.Minute

// StaleConnection finds a client that keeps using a dead connection: its errors name one local port for minutes.
var StaleConnection = &triage.Rule{
	ID:    "stale-connection",
	Doc:   "Checks whether the local port in the errors of requests to the API server stays the same over time.",
	Needs: []evidence.Kind{evidence.Messages},
	Reads: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		known := false
		for _, sig := range p.Signatures.All() {
			known = known || sig.Says == "apiserver-stale-connection" && sig.Certainty != signatures.Possible && len(p.Snapshot.MatchesOf(sig.ID)) > 0
		}
		for _, m := range facts.LinesSaying(p, "apiserver-stale-connection", "apiserver-unreachable", "lease-renewal-failed", "connection-timeout", "deadline-exceeded", "node-not-registered") {
			judgePorts(p, m, known)
		}
	},
	// If a new connection fails too, the cause is not a single dead connection.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		return newFail(p, p.Snapshot.NodeOf(m.Subject)) || justBegun(p, m)
	},
}

// at is a connection in a line, with the time of the line.
type at struct {
	local, peer string
	time        time.Time
	text        string
}

// ports are the connections in the texts of a message.
type ports struct {
	first   *at // nil: no text names a connection
	last    *at // the latest one from the same port; nil: none with a time
	changed bool
}

func portsIn(m *evidence.Match, now time.Time) (out ports) {
	for _, text := range facts.Texts(m) {
		g := onePort.FindStringSubmatch(text)
		if g == nil {
			continue
		}
		x := &at{g[1], g[2], logline.ReadOrigin(text, now).Time, text}
		switch first := out.first; {
		case first == nil:
			out.first = x
		case x.local != first.local:
			out.changed = out.changed || x.peer == first.peer
		case !x.time.IsZero() && (out.last == nil || x.time.After(out.last.time)):
			out.last = x
		}
	}
	return out
}

// haveTimes reports whether the first and the last connection have a time.
func (x ports) haveTimes() bool { return x.last != nil && !x.first.time.IsZero() }

func judgePorts(p *triage.Pass, m *evidence.Match, known bool) {
	const says = "apiserver-stale-connection"
	x, subject := portsIn(m, p.Now), m.Subject
	switch {
	case x.first == nil:
	case newFail(p, p.Snapshot.NodeOf(subject)):
		p.RuleOut(says, subject, "a new connection to the API server fails too")
	case x.changed:
		p.RuleOut(says, subject, "the errors name several local ports, so new connections are opened")
	case !x.haveTimes() && known: // the message alone is enough
	case !x.haveTimes():
		p.Unknown("whether errors to "+x.first.peer+" come from one dead connection", "there is only one line, or the lines have no time", "grep -o 'tcp [^ ]*->' in the kubelet's log: does the local port stay the same?")
	case x.last.time.Sub(x.first.time) > deadFor:
		p.Found(triage.Claim{
			Says: says, Subject: subject, Certainty: triage.Likely, Key: "port", Since: x.first.time,
			Summary:  fmt.Sprintf("all errors of %s come from local port %s: the same dead connection to %s", wording.Duration(x.last.time.Sub(x.first.time)), x.first.local, x.first.peer),
			Evidence: []evidence.Ref{m.Ref, {Source: m.Ref.Source, Locator: "last of " + fmt.Sprint(m.Count), Text: x.last.text, ObservedAt: x.last.time}},
		})
	}
}

// justBegun reports whether ambiguous messages about a dead connection span less than a minute, on a node whose object was read. An
// unavailable server looks the same for that long.
func justBegun(p *triage.Pass, m *evidence.Match) bool {
	n := p.Snapshot.Node(p.Snapshot.NodeOf(m.Subject))
	if n == nil || n.Partial || p.Signatures.Lookup(m.Signature).Certainty != signatures.Possible {
		return false
	}
	return !m.Last.IsZero() && m.Last.Sub(m.First) < deadFor
}

// newFail reports whether the node tried a new connection to the API server and got no answer.
func newFail(p *triage.Pass, node string) bool {
	return slices.ContainsFunc(p.Snapshot.NodeReports(), func(r *nodereport.Report) bool {
		return (node == "" || r.Node == node) && facts.SilentServer(r) != nil
	})
}
