package endings

import (
	"cmp"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// objects are the kinds of evidence that show a working node in the API.
var objects = []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Pods}

// sameClock is the maximum time between the end of a log and the time of the evidence, for the log to be taken with it. A log whose
// time zone is unknown is not compared with objects of another time.
const sameClock = 10 * time.Minute

// readyBeside returns the node of a log that was taken with it, if the node was read completely and is Ready. Otherwise, or if this is
// unknown, it returns nil.
func readyBeside(p *triage.Pass, f *triage.Failure) *evidence.Node {
	n := shownReady(p, f)
	if n == nil || n.Partial {
		return nil
	}
	return n
}

// shownReady returns the node of a log that was taken with it, if an object, a description or a table shows that it is Ready.
func shownReady(p *triage.Pass, f *triage.Failure) *evidence.Node {
	n := p.Snapshot.Node(f.Node)
	if n == nil || !takenWith(p, f) || n.Ready() != evidence.True {
		return nil
	}
	return n
}

// takenWith reports whether the times of a message and of objects are comparable: its lines name their time zone, or its log was taken
// with the rest of the evidence.
func takenWith(p *triage.Pass, f *triage.Failure) bool {
	apart, known := p.Age(f.Until)
	zoned := logline.Zoned(cmp.Or(f.LastText, f.Ref.Text))
	return known && !f.Until.IsZero() && (zoned || apart.Abs() <= sameClock)
}

// periodic reports whether a kubelet repeats a message at fixed intervals as long as its problem lasts.
func periodic(f *triage.Failure) bool { return f.Signature.Again > 0 }

// momentary reports whether the message is about one failed request among many that a kubelet or runtime makes all the time.
func momentary(p *triage.Pass, f *triage.Failure) bool {
	symptom := p.Catalog.Symptom(f.Says)
	return symptom != nil && symptom.Momentary
}

// logs are the kinds of text of logs. A text of unknown kind may be one.
var logs = []string{evidence.TextLog, ""}

// lasting reports whether a log reports once a state that lasts until reboot. A merely possible signature does not prove such a
// state.
func lasting(p *triage.Pass, f *triage.Failure) bool {
	return p.Catalog.LastsUntilReboot(f.Says) && f.Signature.Certainty != signatures.Possible
}
