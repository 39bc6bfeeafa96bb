package main

import (
	"fmt"
	"io"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// writeKept writes, redacted, what the node loses with a reboot. Only its owner can read the file.
func writeKept(name string, replace bool, kept *agent.Kept, report *nodereport.Report) error {
	err := atomicfile.Write(name, atomicfile.Options{Replace: replace}, func(w io.Writer) error {
		return kept.Write(w, report, redact.New(false).Text)
	})
	if err != nil {
		return mayForce(fmt.Errorf("save the node's state: %w", err))
	}
	return nil
}
