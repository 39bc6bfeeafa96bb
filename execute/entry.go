package execute

import "time"

// Entry is one line of the log of a drain: something was done, refused, or is waited for.
type Entry struct {
	At     time.Time `json:"at"`
	Run    string    `json:"run"`
	Do     string    `json:"do"` // cordon, evict, suspend, ...
	Kind   string    `json:"kind"`
	Name   string    `json:"name"` // namespace/name, or name
	Result Outcome   `json:"result"`
	Why    string    `json:"why,omitempty"`
}

// Outcome is what became of an action.
type Outcome string

// The outcomes. Would is a dry run's Done.
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
