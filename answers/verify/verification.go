package verify

import (
	"time"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Result of a step, and of all of them.
type Result string

// The results, from the worst to the best.
const (
	NotClear Result = "not-clear" // it was looked at, and is not as it should be
	Unknown  Result = "unknown"   // nobody could look
	Warning  Result = "warning"   // it works, but something is left to do
	Clear    Result = "clear"
	NotRun   Result = "not-run" // nobody asked for it
)

// Step is one thing that a fix must bring back.
type Step struct {
	ID     string     `json:"id"` // words, stable
	Title  string     `json:"title"`
	Result Result     `json:"result"`
	Detail string     `json:"detail"`        // the fact that it rests on
	How    shell.Text `json:"how,omitempty"` // what would tell, or what is left to do
	Since  *time.Time `json:"since,omitempty"`
	Took   string     `json:"took,omitempty"` // of a step of the canary, "1.2s"
	Soon   bool       `json:"-"`              // of an unknown one: time alone will tell
}

// Verification is whether a node works again, in its stable JSON form.
type Verification struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"` // Verification
	Node       string             `json:"node"`
	TakenAt    *time.Time         `json:"takenAt"`
	Source     string             `json:"source"`
	Since      *time.Time         `json:"since"` // what was before does not count; null: the evidence tells no time
	Verdict    Result             `json:"verdict"`
	Steps      []Step             `json:"steps"`
	Findings   []triage.Finding   `json:"findings"`             // what the rules still find on the node
	Over       []triage.Over      `json:"over"`                 // what was wrong with it and is not any more
	Faults     int                `json:"faults"`               // how many of the findings are independent
	Comparison *triage.Comparison `json:"comparison,omitempty"` // with the report from before the fix
	Knowledge  []catalog.Origin   `json:"knowledge,omitempty"`  // by which it was judged
}

// Opened notes that the node was uncordoned after it was looked at: that it is cordoned is not so any more.
func (v *Verification) Opened() {
	steps := v.Steps
	v.Steps = nil
	for i, s := range steps {
		if s.ID == stepTaints && s.Result == Warning {
			steps[i] = Step{ID: s.ID, Title: s.Title, Result: Clear, Detail: "none that speaks of a fault; it was cordoned, and is open again"}
		}
	}
	v.Add(steps...)
}

// Add adds steps and judges anew.
func (v *Verification) Add(steps ...Step) {
	v.Steps = append(v.Steps, steps...)
	v.Verdict = Clear
	for _, s := range v.Steps {
		if worse(s.Result, v.Verdict) {
			v.Verdict = s.Result
		}
	}
}

var badness = map[Result]int{NotClear: 3, Unknown: 2, Warning: 1}

func worse(a, b Result) bool { return badness[a] > badness[b] }
