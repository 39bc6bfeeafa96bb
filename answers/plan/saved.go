package plan

import "time"

// Saved is an archive that the agent on a node made while the node was sick. It is fetched before anything is changed.
type Saved struct {
	Node  string    `json:"node"`
	File  string    `json:"file,omitempty"` // its name on the node; empty: which there are is not known
	At    time.Time `json:"at,omitzero"`
	Why   string    `json:"why,omitempty"` // what was wrong with the node then, in the agent's words
	Bytes int64     `json:"bytes,omitempty"`
	Path  string    `json:"path,omitempty"` // where it is put
	// NotFetched is why it cannot be fetched; empty: it can, as far as is known.
	NotFetched string `json:"notFetched,omitempty"`
}
