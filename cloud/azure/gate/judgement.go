package gate

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Judgement is what is known of one node. The zero value is a node without evidence.
type Judgement struct {
	At     time.Time // of the evidence; zero: none
	Exists evidence.Fact
	Ready  evidence.Fact
	Lease  evidence.Fact // renewed in time
	System evidence.Fact // its system pods and its network agent run
	// Missing is the first of them that does not.
	Missing string
	// Booted is the last known boot; zero: unknown.
	Booted time.Time
	Faults []Fault
	// NotChecked is what could not be checked.
	NotChecked []string
}

// Fault is a cause of now that keeps the node from working, at least likely.
type Fault struct {
	Cause, Summary string
	Certainty      triage.Certainty
	Since          time.Time // zero: unknown
}

// MaxAge is the age at which evidence is stale: nothing is concluded from it.
const MaxAge = time.Minute

// stale reports whether the evidence is missing or too old.
func (j *Judgement) stale(now time.Time) bool { return j.At.IsZero() || now.Sub(j.At) > MaxAge }

// counts reports whether the fault belongs to the node as it runs now:
//   - a fault that began before the last boot does not, if the node is Ready since;
//   - if a time is unknown, it does.
func (j *Judgement) counts(f Fault) bool {
	before := !f.Since.IsZero() && f.Since.Before(j.Booted)
	return !before || j.Ready != evidence.True
}

// certain returns the certain faults that count.
func (j *Judgement) certain() []Fault {
	var out []Fault
	for _, f := range j.Faults {
		if f.Certainty == triage.Certain && j.counts(f) {
			out = append(out, f)
		}
	}
	return out
}

// Certain reports whether the node has a certain fault that counts.
func (j *Judgement) Certain() bool { return len(j.certain()) > 0 }

// suspected returns the first fault that counts, or nil.
func (j *Judgement) suspected() *Fault {
	for i := range j.Faults {
		if f := &j.Faults[i]; j.counts(*f) {
			return f
		}
	}
	return nil
}

// has reports whether the node certainly has the cause now.
func (j *Judgement) has(cause string) bool {
	for _, f := range j.Faults {
		if f.Cause == cause && f.Certainty == triage.Certain {
			return true
		}
	}
	return false
}
