package cloud

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Place is where a machine lies in its cloud, as the provider id of its node tells.
type Place struct {
	Group  string // of resources; empty: its cloud has none
	Set    string // of like machines; empty: it belongs to none, or the id does not tell
	Number string // in that set, or its id
	Zone   string // empty: the id does not tell
}

// Asking are the commands by which people see what a cloud knows; what they print is read by this program. Empty: none is
// known.
type Asking struct {
	State    shell.Text // clusters and pools
	Log      shell.Text // what was done
	Machines shell.Text // those of the nodes, with the view from inside
}

// Guide knows the provider ids of one cloud.
type Guide interface {
	// Place reads a provider id; false: it is of another cloud.
	Place(providerID string) (Place, bool)
	// Asking fills the commands for these nodes; ok is false where none of them is of this cloud.
	Asking(about Scope) (ask Asking, ok bool)
}
