package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/redact"
)

// writeKept writes what the node loses with a reboot, as a whole or not at all, redacted. The file is for its owner alone.
func writeKept(name string, kept *agent.Kept, report *nodereport.Report) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".nodetriage-*")
	if err != nil {
		return fmt.Errorf("save the node's state: %w", err)
	}
	defer os.Remove(f.Name()) // what is left of a failure; after the renaming there is nothing
	err = kept.Write(f, report, redact.New(false).Text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("save the node's state: %w", err)
	}
	return nil
}
