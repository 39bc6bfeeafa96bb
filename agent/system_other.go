//go:build !linux

package agent

import "time"

// realSystem: nodes are Linux machines; elsewhere the probes read folders.
func realSystem() system { return folderSystem() }

// holds: only Linux divides the rights of root.
func holds(capability) bool { return false }

var begun = time.Now()

// running is of this process alone: no other looks here.
func running() time.Duration { return time.Since(begun) }
