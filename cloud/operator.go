package cloud

import (
	"context"
	"fmt"
	"time"
)

// Operator changes cloud resources. Only the code that carries out an accepted plan receives one.
type Operator interface {
	// Begin reads the target again, and sends the change if the target is still the inspected version. If the cloud
	// rejects it, the error is a *Refusal, and nothing was changed unless the reason is Unanswered.
	Begin(ctx context.Context, c Change) (Operation, error)
	// Progress returns the progress of an operation.
	Progress(ctx context.Context, op Operation) (Progress, error)
	// Sent searches the change in the activity log, for a caller that does not know whether its request arrived.
	Sent(ctx context.Context, c Change, since time.Time) (Trace, error)
}

// Operation identifies a running change, so that any process can query it.
type Operation struct {
	Status   string `json:"status,omitempty"`   // URL of its state
	Location string `json:"location,omitempty"` // URL of its result
	Target   string `json:"target"`             // queried if there is no URL
	Gone     bool   `json:"gone,omitempty"`     // the operation deletes the target
}

// State of an operation.
type State string

// States.
const (
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Canceled  State = "canceled"
)

// Progress is the progress of an operation.
type Progress struct {
	State         State
	Percent       float64 // 0: unknown
	Code, Message string  // of a failure: the innermost error
	Wait          time.Duration
}

// Trace is the record of a change in the activity log.
type Trace struct {
	Seen  bool
	State State // the newest recorded state
}

// Reason is why a change did not start.
type Reason string

// Reasons. Only Unanswered leaves open whether the change started.
const (
	Busy       Reason = "busy"       // another operation is running
	Changed    Reason = "changed"    // the target is not the inspected version
	Throttled  Reason = "throttled"  // too many requests
	Forbidden  Reason = "forbidden"  // permissions, locks, policies
	Missing    Reason = "missing"    // the target does not exist
	Unanswered Reason = "unanswered" // the connection broke, or the service failed, after the request was sent
	Invalid    Reason = "invalid"    // anything else
)

// Refusal is the error of a rejected change.
type Refusal struct {
	Reason        Reason
	Status        int // HTTP status; 0: no response
	Code, Message string
	After         time.Duration // from Retry-After, if present
}

func (r *Refusal) Error() string {
	if r.Status == 0 {
		return r.Message
	}
	return fmt.Sprintf("the cloud answers %d %s: %s", r.Status, r.Code, r.Message)
}
