package nodereport

import "time"

// Kernel is what the kernel says of its own state.
type Kernel struct {
	// Taints are the marks that the kernel set on itself since the boot, as the words of its documentation: oops, soft-lockup,
	// machine-check, bad-page, warning. A nil list was not read.
	Taints []string `json:"taints"`
	// ModulesMissing: there are folders of modules, and none is that of the kernel that runs.
	ModulesMissing bool     `json:"modulesMissing,omitempty"`
	Installed      []string `json:"installed,omitempty"` // kernels that have a folder of modules
	// RebootPending names the file in which the system asks for a reboot, and RebootFor the packages that want it.
	RebootPending string   `json:"rebootPending,omitempty"`
	RebootFor     []string `json:"rebootFor,omitempty"`
	Ref           string   `json:"ref,omitempty"`
}

// Tally counts something that should not happen: since the boot, or since the counter was made, and within a window
// that ends with the report.
type Tally struct {
	Name     string        `json:"name"` // conntrack-drop, conntrack-early-drop, conntrack-insert-failed, backlog-drop, listen-drop, oom-kill GROUP
	Total    uint64        `json:"total"`
	Window   time.Duration `json:"window,omitempty"` // 0: there was no look before
	InWindow uint64        `json:"inWindow,omitempty"`
	Ref      string        `json:"ref,omitempty"`
}

// Groups counts control groups.
type Groups struct {
	Memory uint64 `json:"memory,omitempty"` // of the memory controller, as the kernel counts them
	// Dying are groups that were removed and are kept for the memory that is still charged to them; nil: not told.
	Dying *uint64 `json:"dying,omitempty"`
	Ref   string  `json:"ref,omitempty"`
}

// Bootstrap is how one of the programs that turn a machine into a node ended.
type Bootstrap struct {
	Program string    `json:"program"` // cloud-init, ignition, nodeadm, aks-provision
	Result  string    `json:"result"`  // ok, failed, running
	Code    string    `json:"code,omitempty"`
	Error   string    `json:"error,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Ref     string    `json:"ref,omitempty"`
}
