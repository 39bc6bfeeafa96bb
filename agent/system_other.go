//go:build !linux

package agent

import "time"

// realSystem returns folderSystem because nodes are Linux machines; elsewhere the probes read folders.
func realSystem() system { return folderSystem() }

// holds returns false because capabilities exist only on Linux.
func holds(capability) bool { return false }

var begun = time.Now()

// running is relative to the start of this process. No other process takes snapshots here.
func running() time.Duration { return time.Since(begun) }
