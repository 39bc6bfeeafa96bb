package cloud

import (
	"context"
	"fmt"
	"time"
)

// Operator changes things. Only who carries out an accepted plan is handed one.
type Operator interface {
	// Begin reads the target once more, and asks for the change if it is still the version that was looked at. The error
	// is a *Refusal where the cloud refused: then nothing was changed, unless it is Unanswered.
	Begin(ctx context.Context, c Change) (Operation, error)
	// Progress asks how far an operation is.
	Progress(ctx context.Context, op Operation) (Progress, error)
	// Sent asks the cloud's log whether it ever saw the change, for a caller who does not know whether its request arrived.
	Sent(ctx context.Context, c Change, since time.Time) (Trace, error)
}

// Operation is a change under way: enough to ask about it, from any process.
type Operation struct {
	Status   string `json:"status,omitempty"`   // the address where its state is told
	Location string `json:"location,omitempty"` // the address where its result will be
	Target   string `json:"target"`             // whose own state is asked where neither is there
	Gone     bool   `json:"gone,omitempty"`     // the target is gone at its end
}

// State of an operation.
type State string

// The states.
const (
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Canceled  State = "canceled"
)

// Progress is how far an operation is.
type Progress struct {
	State         State
	Percent       float64 // 0: not told
	Code, Message string  // of a failure: the innermost
	Wait          time.Duration
}

// Trace is what the cloud's log holds of a change.
type Trace struct {
	Seen  bool
	State State // the last that is told
}

// Reason is why a change did not begin.
type Reason string

// The reasons. Unanswered alone leaves open whether the change began.
const (
	Busy       Reason = "busy"       // another operation runs
	Changed    Reason = "changed"    // the target is not what was looked at
	Throttled  Reason = "throttled"  // too many requests
	Forbidden  Reason = "forbidden"  // rights, locks, policies
	Missing    Reason = "missing"    // there is no such thing
	Unanswered Reason = "unanswered" // the connection broke, or the service failed, after the request was sent
	Invalid    Reason = "invalid"    // anything else
)

// Refusal is a change that was not accepted.
type Refusal struct {
	Reason        Reason
	Status        int // of HTTP; 0: there was no answer
	Code, Message string
	After         time.Duration // when to ask again, if that was told
}

func (r *Refusal) Error() string {
	if r.Status == 0 {
		return r.Message
	}
	return fmt.Sprintf("the cloud answers %d %s: %s", r.Status, r.Code, r.Message)
}
