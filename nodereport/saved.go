package nodereport

import "time"

// Saved is one archive that the agent made of the node while it was sick: what a reboot or a new image of the machine would destroy.
type Saved struct {
	File  string    `json:"file"` // its name in the agent's folder
	At    time.Time `json:"at"`
	Why   string    `json:"why"` // what was wrong with the node then
	Bytes int64     `json:"bytes"`
}

// MaxSaved is how many bytes an archive has at most, and KeptSaved how many an agent keeps.
const (
	MaxSaved  = 20 << 20
	KeptSaved = 3
)

const savedForm = "saved-20060102T150405Z.tar.gz"

// SavedName is the name of an archive that was made at that time.
func SavedName(at time.Time) string { return at.UTC().Format(savedForm) }

// SavedAt is the time in the name of an archive; false: nothing that an agent made has that name.
func SavedAt(name string) (time.Time, bool) {
	at, err := time.Parse(savedForm, name)
	return at, err == nil && SavedName(at) == name // time.Parse takes fractions of a second too
}
