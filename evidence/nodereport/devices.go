package nodereport

import "time"

// Device is a block device, watched for a moment.
type Device struct {
	Name string `json:"name"` // sda, nvme0n1
	// State is the word of its driver: running, live, offline, blocked, dead; empty where there is none.
	State string `json:"state,omitempty"`
	// Window is how long it was watched; 0: once only. Done are the requests that ended within it, Waited the mean time that
	// each took, Busy the time in which there was any, and InFlight those that were open at the end.
	Window   time.Duration `json:"window,omitempty"`
	Done     uint64        `json:"done,omitempty"`
	Waited   time.Duration `json:"waited,omitempty"`
	Busy     time.Duration `json:"busy,omitempty"`
	InFlight uint64        `json:"inFlight,omitempty"`
	// Mounts are the file systems on it that the node lives on.
	Mounts []string `json:"mounts,omitempty"`
	Ref    string   `json:"ref,omitempty"`
}

// DiskError is what a file system or an array remembers of errors below it.
type DiskError struct {
	Device string    `json:"device"`
	Kind   string    `json:"kind"`            // ext4, btrfs, xfs, md
	Count  uint64    `json:"count,omitempty"` // 0: none
	First  time.Time `json:"first,omitzero"`
	Last   time.Time `json:"last,omitzero"`
	Where  string    `json:"where,omitempty"` // the function of the kernel, or the state of the array
	Ref    string    `json:"ref,omitempty"`
}

// GPUs are the graphics processors of the machine as its files show them.
type GPUs struct {
	Cards   []GPU  `json:"cards,omitempty"`
	Library string `json:"library,omitempty"` // version of NVIDIA's library on the node, where one was found
	// Switches counts NVSwitches. Fabric is the state of the fabric manager's process: running, missing.
	Switches int    `json:"switches,omitempty"`
	Fabric   string `json:"fabric,omitempty"`
	// CDI are the files that describe devices to runtimes. A nil list was not read.
	CDI []string `json:"cdi,omitempty"`
	Ref string   `json:"ref,omitempty"`
}

// GPU is one card.
type GPU struct {
	Address string `json:"address"`          // on the PCI bus
	Vendor  string `json:"vendor"`           // nvidia, amd
	Driver  string `json:"driver,omitempty"` // that holds it; empty: none
	Version string `json:"version,omitempty"`
	// Gone: the card does not answer on the bus any more.
	Gone bool `json:"gone,omitempty"`
	// Device reports whether programs can open it; nil: not known.
	Device *bool  `json:"device,omitempty"`
	Ref    string `json:"ref,omitempty"`
}
