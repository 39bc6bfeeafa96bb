package nodereport

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

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

// SavedAs is the name of such an archive on another machine, which says of which node it is, whatever the archive says.
func SavedAs(node string, at time.Time) string {
	return fmt.Sprintf("saved-%s-%s.tar.gz", SavedOf(node), at.UTC().Format("20060102T150405Z"))
}

// SavedOf is the name of the node in that name.
func SavedOf(node string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
			return c
		}
		return '_'
	}, node[:min(len(node), 60)])
	if name != node { // two names may become the same without the characters that a file name cannot have
		name += fmt.Sprintf("-%x", sha256.Sum256([]byte(node)))[:9]
	}
	return name
}
