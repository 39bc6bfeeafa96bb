package cloud

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Place is the location of a machine in its cloud, from the provider ID of its node.
type Place struct {
	Group  string // resource group; empty: the cloud has none
	Set    string // scale set; empty: none, or not in the ID
	Number string // instance ID in that set, or its ID
	Zone   string // empty: not in the ID
}

// Asking has the commands that show the cloud resources. This program reads their output. Empty: no command is known.
type Asking struct {
	State    shell.Text // clusters and pools
	Log      shell.Text // the activity log
	Machines shell.Text // machines of the nodes, with instance views
}

// Guide parses the provider IDs of one cloud.
type Guide interface {
	// Place parses a provider ID; false: it belongs to another cloud.
	Place(providerID string) (Place, bool)
	// Asking returns the commands for these nodes; ok is false if none belongs to this cloud.
	Asking(about Scope) (ask Asking, ok bool)
}
