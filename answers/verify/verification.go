package verify

import (
	"time"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Result is the result of a step, and of all steps.
type Result string

// Results, from the worst to the best.
const (
	NotClear Result = "not-clear" // it was checked, and is not healthy
	Unknown  Result = "unknown"   // it could not be checked
	Warning  Result = "warning"   // it works, but something remains to be done
	Clear    Result = "clear"
	NotRun   Result = "not-run" // it was not requested
)

// Step is one condition that a fix must restore.
type Step struct {
	ID     string     `json:"id"` // words, stable
	Title  string     `json:"title"`
	Result Result     `json:"result"`
	Detail string     `json:"detail"`        // its evidence
	How    shell.Text `json:"how,omitempty"` // how to check, or what remains to be done
	Since  *time.Time `json:"since,omitempty"`
	Took   string     `json:"took,omitempty"` // of a step of the canary, "1.2s"
	Soon   bool       `json:"-"`              // of an unknown step: it resolves with time
}

// Verification is the result of verifying a node, in its stable JSON form.
type Verification struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"` // Verification
	Node       string             `json:"node"`
	TakenAt    *time.Time         `json:"takenAt"`
	Source     string             `json:"source"`
	Since      *time.Time         `json:"since"` // earlier evidence does not count; null: the evidence has no time
	Verdict    Result             `json:"verdict"`
	Steps      []Step             `json:"steps"`
	Findings   []triage.Finding   `json:"findings"`             // remaining findings about the node
	Over       []triage.Over      `json:"over"`                 // resolved problems
	Faults     int                `json:"faults"`               // number of independent findings
	Comparison *triage.Comparison `json:"comparison,omitempty"` // with the report from before the fix
	Knowledge  []catalog.Origin   `json:"knowledge,omitempty"`  // the knowledge that judged it
}

// Opened records that the node was uncordoned after the check, so that its cordon no longer counts.
func (v *Verification) Opened() {
	steps := v.Steps
	v.Steps = nil
	for i, s := range steps {
		if s.ID == stepTaints && s.Result == Warning {
			steps[i] = Step{ID: s.ID, Title: s.Title, Result: Clear, Detail: "no taint that indicates a problem; the node was cordoned and is schedulable again"}
		}
	}
	v.Add(steps...)
}

// Add adds steps and judges again.
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
