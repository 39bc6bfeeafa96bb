package cloud

import (
	"context"

	"github.com/nodetriage/nodetriage/evidence"
)

// Document is one raw answer of a cloud API. It is the same JSON that users save with the cloud's command line tool, so
// the same code decodes live and saved evidence.
type Document struct {
	Name string // what was queried
	JSON []byte
}

// Scope selects what to read.
type Scope struct {
	ProviderIDs []string            // of the nodes
	Sick        []string            // subset of them with NotReady nodes
	Labels      []map[string]string // of the nodes
	Reasons     []string            // of the events in the evidence
	Whole       bool                // these are all nodes of the cluster, so machines without a node are read too
	Upgrade     bool                // also read what the next upgrade needs
}

// Reader reads the machines of nodes from a cloud. It changes nothing.
type Reader interface {
	// Read queries the machines of the nodes and their dependencies, and passes on every answer. Failed queries become
	// gaps. Machines of other clouds are skipped.
	Read(ctx context.Context, about Scope, answer func(Document), gap func(evidence.Gap))
}

// Object is a custom resource in which a cloud stores state of its clusters.
type Object struct{ Group, Version, Name string }
