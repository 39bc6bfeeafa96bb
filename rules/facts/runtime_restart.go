package facts

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// silentRuntime reports whether a message is one of those that a kubelet says while nothing serves the runtime's socket.
func silentRuntime(p *triage.Pass, m *evidence.Match) bool {
	sig := p.Signatures.Lookup(m.Signature)
	return sig != nil && sig.Runtime == signatures.Silent
}

// NobodyServes reports whether a kubelet says of now that it found nobody at its runtime's socket. A runtime that hangs takes calls.
func NobodyServes(p *triage.Pass, node evidence.Subject) bool {
	return slices.ContainsFunc(p.Signatures.All(), func(sig *signatures.Signature) bool {
		return sig.Runtime == signatures.Silent && SaysNow(p, sig.ID, node)
	})
}

// runtimeRestart is how long a runtime that is started again may be away.
const runtimeRestart = time.Minute

// restarted reports whether a log's lines on a socket that nobody serves were those of a restart: within a minute, and the
// runtime answered afterwards. One that comes and goes for longer is in trouble.
func restarted(p *triage.Pass, m *evidence.Match) bool {
	if !silentRuntime(p, m) {
		return false
	}
	first, last := spoken(p, m)
	if last.IsZero() || last.Sub(first) > runtimeRestart {
		return false
	}
	for _, r := range p.Snapshot.NodeReports() {
		if r.Runtime != nil && r.Runtime.Answer == "ok" && r.TakenAt.After(m.Last) && !m.Last.IsZero() && SameNode(p.Snapshot, m.Subject, evidence.NodeSubject(r.Node)) {
			return true
		}
	}
	for _, sig := range p.Signatures.All() {
		if sig.Runtime != signatures.Answers {
			continue
		}
		for _, other := range p.Snapshot.MatchesOf(sig.ID) {
			if other.Ref.Source != m.Ref.Source || !SameNode(p.Snapshot, m.Subject, other.Subject) {
				continue
			}
			if _, at := spoken(p, other); at.After(last) {
				return true
			}
		}
	}
	return false
}

// servesAgain reports whether the runtime answered a report of the node, made so much later than a message by which none did that it
// would have come again.
func servesAgain(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	node := NodeOf(p.Snapshot, m.Subject)
	if sig == nil || p.Catalog.Keeps(sig.Says) != catalog.Answering || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		rt := r.Runtime
		if rt != nil && rt.Answer == "ok" && (rt.RuntimeReady == nil || *rt.RuntimeReady) && r.TakenAt.Sub(m.Last) > again(m) {
			return ending{"the runtime answered at " + stamp(r.TakenAt), r.TakenAt}, true
		}
	}
	return ending{}, false
}

// servedSince reports whether an event is on a socket that nobody served, and the kubelet got an answer there afterwards: the
// file system of its images it knows from the runtime alone, which it asks each time (kubernetes
// pkg/kubelet/server/stats/summary.go, 1.36.3).
func servedSince(p *triage.Pass, m *evidence.Match) bool {
	k := p.Snapshot.Kubelet(m.Subject.Name)
	return k != nil && k.Stats != nil && k.Stats.ImageFS != nil && !m.Last.IsZero() && k.TakenAt.After(m.Last) &&
		slices.ContainsFunc(p.Signatures.Match(m.Ref.Text, m.Kind), func(t signatures.Tally) bool { return t.Signature.Runtime == signatures.Silent })
}

// runtimeAnswer is the word of a runtime that was asked and could not do it; who finds nobody at the socket gets Unavailable.
var runtimeAnswer = lazyregexp.New(`rpc error: code = (?:Unknown|NotFound|AlreadyExists|InvalidArgument|FailedPrecondition|Internal)\b`)

// answeredSince returns the event by which a kubelet showed that its runtime answered after a pod's event on a socket that nobody
// served; nil: none.
func answeredSince(p *triage.Pass, pod *evidence.Pod, m *evidence.Match) *evidence.Event {
	if !silentRuntime(p, m) || m.Last.IsZero() || pod.Node == "" {
		return nil
	}
	for _, other := range p.Snapshot.PodsOn(pod.Node) {
		for _, e := range p.Snapshot.EventsOf(other.Subject()) {
			done := e.Reason == "Created" || e.Reason == "Started"
			if e.Last.After(m.Last) && (done || NodeKeeps[e.Reason] != "" && runtimeAnswer.MatchString(e.Message)) {
				return e
			}
		}
	}
	return nil
}

// spoken are the times that the first and the last line of a log's match begin with. Where these have no year it is one that
// does not matter: comparable with others of the same log.
func spoken(p *triage.Pass, m *evidence.Match) (first, last time.Time) {
	again, _ := p.Signatures.Scan(strings.NewReader(m.Ref.Text+"\n"+m.LastText), signatures.Options{Ref: time.Unix(0, 0).UTC()})
	for _, t := range again {
		if t.Signature.ID == m.Signature && !t.First.IsZero() {
			return t.First, t.Last
		}
	}
	return m.First, m.Last
}
