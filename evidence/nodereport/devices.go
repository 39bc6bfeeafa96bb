package nodereport

import "time"

// Device is a block device with a short observation.
type Device struct {
	Name string `json:"name"` // sda, nvme0n1
	// State is the state of its driver: running, live, offline, blocked, dead; empty if there is none.
	State string `json:"state,omitempty"`
	// Window is the observation time; 0: one reading. Done are the requests completed in it, Waited their mean latency,
	// Busy the time with requests in flight, and InFlight the open requests at its end.
	Window   time.Duration `json:"window,omitempty"`
	Done     uint64        `json:"done,omitempty"`
	Waited   time.Duration `json:"waited,omitempty"`
	Busy     time.Duration `json:"busy,omitempty"`
	InFlight uint64        `json:"inFlight,omitempty"`
	// Mounts are the file systems of the node on it.
	Mounts []string `json:"mounts,omitempty"`
	Ref    string   `json:"ref,omitempty"`
}

// DiskError is an error that a file system or an array recorded.
type DiskError struct {
	Device string    `json:"device"`
	Kind   string    `json:"kind"`            // ext4, btrfs, xfs, md
	Count  uint64    `json:"count,omitempty"` // 0: none
	First  time.Time `json:"first,omitzero"`
	Last   time.Time `json:"last,omitzero"`
	Where  string    `json:"where,omitempty"` // the kernel function, or the state of the array
	Ref    string    `json:"ref,omitempty"`
}

// GPUs are the GPUs of the machine in its files.
type GPUs struct {
	Cards   []GPU  `json:"cards,omitempty"`
	Library string `json:"library,omitempty"` // version of the NVIDIA library on the node, if present
	// Switches counts NVSwitches. Fabric is the state of the fabric manager process: running, missing.
	Switches int    `json:"switches,omitempty"`
	Fabric   string `json:"fabric,omitempty"`
	// CDI are the files that describe devices to runtimes. A nil list was not read.
	CDI []string `json:"cdi,omitempty"`
	Ref string   `json:"ref,omitempty"`
}

// GPU is one GPU.
type GPU struct {
	Address string `json:"address"`          // on the PCI bus
	Vendor  string `json:"vendor"`           // nvidia, amd
	Driver  string `json:"driver,omitempty"` // its driver; empty: none
	Version string `json:"version,omitempty"`
	// Gone: the GPU fell off the bus.
	Gone bool `json:"gone,omitempty"`
	// Device reports whether programs can open it; nil: unknown.
	Device *bool  `json:"device,omitempty"`
	Ref    string `json:"ref,omitempty"`
}
