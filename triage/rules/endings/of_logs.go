package endings

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// objects are the kinds of evidence in which the API shows a node at work.
var objects = []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Pods}

// sameClock is how far the end of a log and the time of the evidence may be apart for the log to have been taken with it. A log
// in another time zone, or of another day, is not compared with objects.
const sameClock = 10 * time.Minute

// readyBeside is the node of a log that was taken with it, where the node is Ready; nil: it is not, or nobody knows.
func readyBeside(p *triage.Pass, f *triage.Failure) *evidence.Node {
	n := p.Snapshot.Node(f.Node)
	if !takenWith(p, f) {
		return nil
	}
	if n == nil || n.Partial || n.Ready() != evidence.True {
		return nil
	}
	return n
}

// takenWith reports whether the log of a message was taken with the rest of the evidence.
func takenWith(p *triage.Pass, f *triage.Failure) bool {
	apart, known := p.Age(f.Until)
	return known && !f.Until.IsZero() && apart.Abs() <= sameClock
}

// periodic reports whether a kubelet says a message at fixed times for as long as its trouble lasts.
func periodic(f *triage.Failure) bool { return f.Signature.Again > 0 }

// leasePeriod is how often a kubelet renews its lease (kubernetes pkg/kubelet/kubelet.go, 1.36.3: a quarter of 40 s).
const leasePeriod = 10 * time.Second

// momentary reports whether a kubelet or a runtime tells by it that it could not do for a moment what it does all the time.
func momentary(p *triage.Pass, f *triage.Failure) bool {
	symptom := p.Catalog.Symptom(f.Says)
	return symptom != nil && symptom.Momentary
}

// logs are the kinds of text that logs are: a text whose kind is not known may be one.
var logs = []string{evidence.TextLog, ""}

// lasting reports whether a log tells once of what is so until the machine is restarted. A word that may stand for many things is of
// its moment.
func lasting(p *triage.Pass, f *triage.Failure) bool {
	return p.Catalog.LastsUntilReboot(f.Says) && f.Signature.Certainty != signatures.Possible
}
