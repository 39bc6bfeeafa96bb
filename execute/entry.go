package execute

import "time"

// Entry is one line in the log of a drain: an action, a rejection or a wait.
type Entry struct {
	At     time.Time `json:"at"`
	Run    string    `json:"run"`
	Do     string    `json:"do"` // cordon, evict, suspend, ...
	Kind   string    `json:"kind"`
	Name   string    `json:"name"` // namespace/name, or name
	Result Outcome   `json:"result"`
	Why    string    `json:"why,omitempty"`
}

// Outcome is the result of an action.
type Outcome string

// Outcomes. Would is Done in a dry run.
const (
	Done    Outcome = "done"
	Would   Outcome = "would"
	Waits   Outcome = "waits"
	Skipped Outcome = "skipped"
	Failed  Outcome = "failed"
)

func (d *marker) log(do, kind, name string, result Outcome, why string) {
	if d.opt.DryRun && result == Done {
		result = Would
	}
	d.opt.Log(Entry{At: time.Now().UTC(), Run: d.run, Do: do, Kind: kind, Name: name, Result: result, Why: why})
}
