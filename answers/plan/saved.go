package plan

import "time"

// Saved is an archive that the agent saved on an unhealthy node. It is fetched before anything is changed.
type Saved struct {
	Node  string    `json:"node"`
	File  string    `json:"file,omitempty"` // its name on the node; empty: the archives are unknown
	At    time.Time `json:"at,omitzero"`
	Why   string    `json:"why,omitempty"` // the problem of the node at that time, in the agent's words
	Bytes int64     `json:"bytes,omitempty"`
	Path  string    `json:"path,omitempty"` // its file after the fetch
	// NotFetched is why it cannot be fetched; empty: as far as is known, it can.
	NotFetched string `json:"notFetched,omitempty"`
}
