package evidence

import (
	"encoding/json"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Annotations by which a drain marks what it changed, so that the next one, or a person, can put it back.
const (
	MarkCordon  = "nodetriage.dev/cordoned-by" // on a node: the drain that closed it
	MarkSuspend = "nodetriage.dev/suspended"   // on a budget, with its own spec: it is suspended
	MarkSurge   = "nodetriage.dev/surged"      // on a workload, with its own replicas: it has one more
)

// MarkIgnore is the annotation that says which causes need not be told of an object, until when and why.
const MarkIgnore = "nodetriage.dev/ignore"

// Mark says who changed an object for a drain, and what it was before.
type Mark struct {
	By      string          `json:"by"`
	Run     string          `json:"run"` // of one drain
	Host    string          `json:"host"`
	PID     int             `json:"pid"`
	At      time.Time       `json:"at"`
	Renewed time.Time       `json:"renewed"`          // as long as the drain runs, every few seconds
	State   string          `json:"state,omitempty"`  // of a cordon: Draining, then Ended; older versions write none
	Before  json.RawMessage `json:"before,omitempty"` // what is to be put back
}

// The states of a cordon's mark. A drain that is killed leaves Draining behind.
const (
	Draining = "draining"
	Ended    = "ended"
)

// Surged is the number of replicas that a drain gives to a Deployment with one replica.
const Surged = 2

// FieldManager is the name under which the API server records what the program wrote.
const FieldManager = "nodetriage"

// Abandoned is how long a mark is not renewed until its drain counts as dead. Renewals come four times as often.
const Abandoned = time.Minute

// ReadMark returns the mark of an annotation, or nil.
func ReadMark(annotations map[string]string, key string) *Mark {
	var m Mark
	if annotations[key] == "" || json.Unmarshal([]byte(annotations[key]), &m) != nil || m.Run == "" {
		return nil
	}
	return &m
}

// Alive reports whether the drain of the mark still runs, as far as the mark tells.
func (m *Mark) Alive(now time.Time) bool { return now.Sub(m.Renewed) < Abandoned }

// String is the mark as the value of its annotation.
func (m Mark) String() string {
	data, err := json.Marshal(m)
	if err != nil {
		return "{}" // times and texts only
	}
	return string(data)
}

// caller is a user name, a host name or both, as user@host.
var caller = lazyregexp.New(`^[\pL\pN._@+\\-]{1,128}$`)

// Who returns who wrote the mark. Whoever may annotate the object can write a mark, so what is not a name is "unknown".
func (m *Mark) Who() string {
	if caller.MatchString(m.By) {
		return m.By
	}
	return "unknown"
}
