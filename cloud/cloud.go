package cloud

import (
	"context"

	"github.com/nodetriage/nodetriage/evidence"
)

// Document is one answer of a cloud's API, as it came: the same JSON that people save with the cloud's own tool, so that
// live and saved evidence are read by the same code.
type Document struct {
	Name string // what was asked for
	JSON []byte
}

// Scope is what a reading is about.
type Scope struct {
	ProviderIDs []string            // of the nodes
	Sick        []string            // of those, the ones whose nodes are not Ready
	Labels      []map[string]string // of the nodes
	Reasons     []string            // of the events that were read
	Whole       bool                // these are all nodes of the cluster: machines without a node are wanted too
	Upgrade     bool                // what the next upgrade needs is wanted too
}

// Reader reads what the cloud knows of the machines behind nodes: it changes nothing.
type Reader interface {
	// Read asks about the machines behind the nodes and about what they hang on, and hands on every answer as it comes.
	// What cannot be read becomes a gap; machines of other clouds are left alone.
	Read(ctx context.Context, about Scope, answer func(Document), gap func(evidence.Gap))
}
