package nodereport

import "time"

// Kernel is the state of the kernel.
type Kernel struct {
	// Taints are the taint flags since boot, in the words of the kernel documentation: oops, soft-lockup, machine-check,
	// bad-page, warning. A nil list was not read.
	Taints []string `json:"taints"`
	// ModulesMissing: there are module folders, but none for the running kernel.
	ModulesMissing bool     `json:"modulesMissing,omitempty"`
	Installed      []string `json:"installed,omitempty"` // kernels with a module folder
	// RebootPending is the file with which the system requests a reboot, and RebootFor the packages that require it.
	RebootPending string   `json:"rebootPending,omitempty"`
	RebootFor     []string `json:"rebootFor,omitempty"`
	Ref           string   `json:"ref,omitempty"`
}

// Tally counts a kind of failure: since boot or the creation of the counter, and in a window that ends with the report.
type Tally struct {
	Name     string        `json:"name"` // conntrack-drop, conntrack-early-drop, conntrack-insert-failed, backlog-drop, listen-drop, oom-kill GROUP
	Total    uint64        `json:"total"`
	Window   time.Duration `json:"window,omitempty"` // 0: there was no previous snapshot
	InWindow uint64        `json:"inWindow,omitempty"`
	Ref      string        `json:"ref,omitempty"`
}

// Groups counts cgroups.
type Groups struct {
	Memory uint64 `json:"memory,omitempty"` // of the memory controller, as counted by the kernel
	// Dying are deleted cgroups that the kernel keeps because memory is still charged to them; nil: unknown.
	Dying *uint64 `json:"dying,omitempty"`
	Ref   string  `json:"ref,omitempty"`
}

// Bootstrap is the result of a program that bootstraps a node.
type Bootstrap struct {
	Program string    `json:"program"` // cloud-init, ignition, nodeadm, aks-provision
	Result  string    `json:"result"`  // ok, failed, running
	Code    string    `json:"code,omitempty"`
	Error   string    `json:"error,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Ref     string    `json:"ref,omitempty"`
}
