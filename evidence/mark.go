package evidence

import (
	"encoding/json"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Annotations with which a drain marks its changes, so that the next drain or a person can restore them.
const (
	MarkCordon  = "nodetriage.dev/cordoned-by" // on a node: the drain that cordoned it
	MarkSuspend = "nodetriage.dev/suspended"   // on a suspended PodDisruptionBudget, with its original spec
	MarkSurge   = "nodetriage.dev/surged"      // on a workload with an added replica, with its original replicas
)

// MarkIgnore is the annotation with the causes to ignore for an object, an end time and a reason.
const MarkIgnore = "nodetriage.dev/ignore"

// Mark has the drain that changed an object, and the previous state.
type Mark struct {
	By      string          `json:"by"`
	Run     string          `json:"run"` // ID of the drain
	Host    string          `json:"host"`
	PID     int             `json:"pid"`
	At      time.Time       `json:"at"`
	Renewed time.Time       `json:"renewed"`          // updated every few seconds while the drain is running
	State   string          `json:"state,omitempty"`  // of a cordon: Draining, then Ended; older versions write none
	Before  json.RawMessage `json:"before,omitempty"` // state to restore
}

// States of a cordon mark. A killed drain leaves Draining behind.
const (
	Draining = "draining"
	Ended    = "ended"
)

// Surged is the number of replicas that a drain sets on a Deployment with one replica.
const Surged = 2

// FieldManager is the field manager name of this program.
const FieldManager = "nodetriage"

// Abandoned is the age at which the drain of a mark counts as dead. Drains renew marks four times as often.
const Abandoned = time.Minute

// ReadMark returns the mark in an annotation, or nil.
func ReadMark(annotations map[string]string, key string) *Mark {
	var m Mark
	if annotations[key] == "" || json.Unmarshal([]byte(annotations[key]), &m) != nil || m.Run == "" {
		return nil
	}
	return &m
}

// Alive reports whether the mark shows that its drain is still running.
func (m *Mark) Alive(now time.Time) bool { return now.Sub(m.Renewed) < Abandoned }

// String returns the annotation value of the mark.
func (m Mark) String() string {
	data, err := json.Marshal(m)
	if err != nil {
		return "{}" // only times and texts
	}
	return string(data)
}

// caller matches a user name, a host name or both, as user@host.
var caller = lazyregexp.New(`^[\pL\pN._@+\\-]{1,128}$`)

// Who returns the writer of the mark. Any user who can annotate the object can write a mark, so an invalid name becomes
// "unknown".
func (m *Mark) Who() string {
	if caller.MatchString(m.By) {
		return m.By
	}
	return "unknown"
}
