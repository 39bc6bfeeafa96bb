package nodereport

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

// Saved is an archive that the agent made while the node was unhealthy, with the evidence that a reboot or reimage
// destroys.
type Saved struct {
	File  string    `json:"file"` // file name in the folder of the agent
	At    time.Time `json:"at"`
	Why   string    `json:"why"` // problem of the node at that time
	Bytes int64     `json:"bytes"`
}

// MaxSaved is the maximum size of an archive in bytes, and KeptSaved the maximum number of archives.
const (
	MaxSaved  = 20 << 20
	KeptSaved = 3
)

const savedForm = "saved-20060102T150405Z.tar.gz"

// SavedName returns the name of an archive by time.
func SavedName(at time.Time) string { return at.UTC().Format(savedForm) }

// SavedAt returns the time in the name of an archive; false: not an archive name of the agent.
func SavedAt(name string) (time.Time, bool) {
	at, err := time.Parse(savedForm, name)
	return at, err == nil && SavedName(at) == name // time.Parse accepts fractional seconds too
}

// SavedAs returns the name of such an archive on another machine, with the name of the node regardless of the content.
func SavedAs(node string, at time.Time) string {
	return fmt.Sprintf("saved-%s-%s.tar.gz", SavedOf(node), at.UTC().Format("20060102T150405Z"))
}

// SavedOf returns the node part of that name.
func SavedOf(node string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
			return c
		}
		return '_'
	}, node[:min(len(node), 60)])
	if name != node { // replaced characters may make two names equal
		name += fmt.Sprintf("-%x", sha256.Sum256([]byte(node)))[:9]
	}
	return name
}
