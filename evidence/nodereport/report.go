// Package nodereport is what one node says about itself: file systems, units, certificates, kernel, runtime.
//
// The agent writes it on the node; a pasted df, systemctl or lsmod fills the part that it shows. Every
// section is a pointer or a slice whose absence means "not looked at", never "nothing there". The package
// depends on the standard library alone so that the agent stays small.
package nodereport

import (
	"cmp"
	"time"
)

// APIVersion and Kind identify the JSON form.
const (
	APIVersion = "nodetriage.dev/v1alpha1"
	Kind       = "NodeReport"
)

// ForPeople is the folder of an archive that node-check saved in which the kernel's own tables lie: no log, and no evidence that
// rules read. Their sense is in the report.
const ForPeople = "for-people"

// Report is one node's view of itself at one time.
type Report struct {
	APIVersion string    `json:"apiVersion,omitempty"`
	Kind       string    `json:"kind,omitempty"`
	Node       string    `json:"node,omitempty"` // node name; empty where the text does not say
	TakenAt    time.Time `json:"takenAt,omitzero"`
	Source     string    `json:"source,omitempty"` // file or probe that it was read from
	// Away: the agent kept it because the API server did not answer. It says what was, and nothing of what is.
	Away bool `json:"away,omitempty"`
	// Earlier are such reports of the same node, the oldest first. No other part of a report speaks of the past.
	Earlier []*Report `json:"earlier,omitempty"`
	// Saved are the archives that the agent on the node keeps, newest first. They lie beside its report.
	Saved []Saved `json:"saved,omitempty"`

	Filesystems []Filesystem `json:"filesystems,omitempty"`
	// Sizes are those of files and folders that somebody had listed: node-check looks for none.
	Sizes        []Size            `json:"sizes,omitempty"`
	Units        []Unit            `json:"units,omitempty"`
	Queue        *Queue            `json:"queue,omitempty"`
	Certificates []Certificate     `json:"certificates,omitempty"`
	Modules      *Modules          `json:"modules,omitempty"`
	Sysctls      map[string]string `json:"sysctls,omitempty"`
	Links        []Link            `json:"links,omitempty"`
	Routes       []Route           `json:"routes,omitempty"`
	Memory       *Memory           `json:"memory,omitempty"`
	Tasks        *Tasks            `json:"tasks,omitempty"`
	Swaps        []string          `json:"swaps,omitempty"`
	Runtime      *Runtime          `json:"runtime,omitempty"`
	CNI          *CNI              `json:"cni,omitempty"`
	Clock        *Clock            `json:"clock,omitempty"`
	Processes    []Process         `json:"processes,omitempty"` // those that make up the node, and those stuck or dead
	// NotRunning are names that were searched for among the processes without a hit.
	NotRunning  []string          `json:"notRunning,omitempty"`
	Listeners   *Listeners        `json:"listeners,omitempty"`
	Limits      map[string]string `json:"limits,omitempty"` // of ulimit -a: "open files" -> "1024"
	Lookups     []Lookup          `json:"lookups,omitempty"`
	Connections []Connection      `json:"connections,omitempty"`
	Machine     *Machine          `json:"machine,omitempty"`
	Kubelet     *Kubelet          `json:"kubelet,omitempty"`
	Pressure    []Pressure        `json:"pressure,omitempty"`
	Counters    []Counter         `json:"counters,omitempty"`
	Losses      []Loss            `json:"losses,omitempty"`
	Needs       []Need            `json:"needs,omitempty"`
	Cloud       *Cloud            `json:"cloud,omitempty"`
	Hung        []Hung            `json:"hung,omitempty"`
	Kernel      *Kernel           `json:"kernel,omitempty"`
	Devices     []Device          `json:"devices,omitempty"`
	// DiskErrors are the errors that file systems and arrays remember of the devices below them. A nil list was not read.
	DiskErrors   []DiskError   `json:"diskErrors,omitempty"`
	PacketFilter *PacketFilter `json:"packetFilter,omitempty"`
	Tallies      []Tally       `json:"tallies,omitempty"`
	Groups       *Groups       `json:"groups,omitempty"`
	Endpoints    []Endpoint    `json:"endpoints,omitempty"`
	StaticPods   []StaticPod   `json:"staticPods,omitempty"`
	PodResolver  *PodResolver  `json:"podResolver,omitempty"`
	GPUs         *GPUs         `json:"gpus,omitempty"`
	Bootstrap    []Bootstrap   `json:"bootstrap,omitempty"`
	Egress       []Egress      `json:"egress,omitempty"`
	Setup        *Setup        `json:"setup,omitempty"`
	Messages     []Message     `json:"messages,omitempty"`
	Logs         []Log         `json:"logs,omitempty"`
	Gaps         []Gap         `json:"gaps,omitempty"`
}

// Filesystem is one mounted file system. Zero totals mean that this half was not measured.
type Filesystem struct {
	Device     string `json:"device,omitempty"`
	Mount      string `json:"mount"`
	Type       string `json:"type,omitempty"`
	Bytes      uint64 `json:"bytes,omitempty"` // size in bytes
	BytesFree  uint64 `json:"bytesFree,omitempty"`
	Inodes     uint64 `json:"inodes,omitempty"`
	InodesFree uint64 `json:"inodesFree,omitempty"`
	// BytesUsedPercent and InodesUsedPercent are as the tool printed them, -1 where it printed none.
	BytesUsedPercent  int  `json:"bytesUsedPercent"`
	InodesUsedPercent int  `json:"inodesUsedPercent"`
	ReadOnly          bool `json:"readOnly,omitempty"`
	// Holds are the folders of kubelet, runtime and logs that lie on it, where that was looked up.
	Holds []string `json:"holds,omitempty"`
	Ref   string   `json:"ref,omitempty"` // the line or probe it rests on
}

// Size is how much a file holds, or a folder with all that is in it.
type Size struct {
	Path   string `json:"path"`
	Bytes  uint64 `json:"bytes,omitempty"`
	Inodes uint64 `json:"inodes,omitempty"` // files in it; 0: not counted
	Ref    string `json:"ref,omitempty"`    // the line it rests on
}

// Unit is one systemd unit.
type Unit struct {
	Name       string    `json:"name"`             // "kubelet.service"
	Load       string    `json:"load,omitempty"`   // loaded, not-found, masked
	Active     string    `json:"active,omitempty"` // active, inactive, failed, activating
	Sub        string    `json:"sub,omitempty"`    // running, dead, auto-restart
	Result     string    `json:"result,omitempty"` // exit-code, oom-kill, timeout
	ExitStatus string    `json:"exitStatus,omitempty"`
	Enabled    string    `json:"enabled,omitempty"` // enabled, disabled, static
	Skipped    bool      `json:"skipped,omitempty"` // it was not started because a condition of its own was not met
	Restarts   int       `json:"restarts,omitempty"`
	Since      time.Time `json:"since,omitzero"`
	Tasks      int       `json:"tasks,omitempty"`
	TasksMax   int       `json:"tasksMax,omitempty"`
	MemoryMax  uint64    `json:"memoryMax,omitempty"` // bytes; 0: no limit of its own, or not told
	// Lacks are the units that it requires and that failed, of one that does not run.
	Lacks []string `json:"lacks,omitempty"`
	Ref   string   `json:"ref,omitempty"`
}

// Queue is what systemd was told to do with units and has not done yet. Nil: not read; without jobs: it has done all.
type Queue struct {
	Jobs []Job  `json:"jobs"`
	Ref  string `json:"ref,omitempty"`
}

// Job is one job of systemd.
type Job struct {
	Unit  string `json:"unit"`
	Type  string `json:"type"`  // start, stop, restart, ...
	State string `json:"state"` // waiting, running
	// After are the units whose jobs come first. None: none does, or it was not told.
	After []string `json:"after,omitempty"`
	Ref   string   `json:"ref,omitempty"`
}

// Certificate is one X.509 certificate on the node.
type Certificate struct {
	Path      string    `json:"path,omitempty"`
	Subject   string    `json:"subject,omitempty"`
	Issuer    string    `json:"issuer,omitempty"`
	NotBefore time.Time `json:"notBefore,omitzero"`
	NotAfter  time.Time `json:"notAfter,omitzero"`
	Use       string    `json:"use,omitempty"` // kubelet-client, kubelet-serving, ca, kubeconfig (a person's), or empty where unknown
	Ref       string    `json:"ref,omitempty"`
}

// Modules are the kernel modules that were seen loaded.
type Modules struct {
	Loaded []string `json:"loaded,omitempty"`
	// Complete: the whole list was seen, so a module that is missing from it is not loaded as a module.
	// It may still be built into the kernel; Builtin tells, where it was read.
	Complete bool     `json:"complete,omitempty"`
	Builtin  []string `json:"builtin,omitempty"`
	// Asked are names that were searched for (lsmod | grep NAME) without a line in the answer.
	Asked []string `json:"asked,omitempty"`
	// AtBoot are modules that a file of modules-load.d loads; nil: not read.
	AtBoot []string `json:"atBoot,omitempty"`
	Ref    string   `json:"ref,omitempty"`
}

// Link is one network interface.
type Link struct {
	Name  string `json:"name"`
	State string `json:"state,omitempty"` // UP, DOWN, UNKNOWN
	// Flags as ip prints them, for example NO-CARRIER.
	Flags     []string `json:"flags,omitempty"`
	Addresses []string `json:"addresses,omitempty"`
	Kind      string   `json:"kind,omitempty"` // vxlan, geneve, bridge, wireguard; empty: a card, or not told
	MTU       int      `json:"mtu,omitempty"`  // bytes
	Ref       string   `json:"ref,omitempty"`
}

// Route is one route; Destination is "default" for the default route.
type Route struct {
	Destination string `json:"destination"`
	Via         string `json:"via,omitempty"`
	Device      string `json:"device,omitempty"`
	Ref         string `json:"ref,omitempty"`
}

// Memory is in bytes.
type Memory struct {
	Total     uint64 `json:"total,omitempty"`
	Available uint64 `json:"available,omitempty"`
	// SwapTotal of 0 means that swap is off; nil: not seen.
	SwapTotal *uint64 `json:"swapTotal,omitempty"`
	SwapUsed  uint64  `json:"swapUsed,omitempty"`
	// Slab is what the kernel took for its own objects, and SlabKept the part of it that it cannot give back.
	Slab     uint64 `json:"slab,omitempty"`
	SlabKept uint64 `json:"slabKept,omitempty"`
	// LargestFree is the largest contiguous block that is free, of the zones that ordinary requests are met from; 0: not read.
	LargestFree uint64 `json:"largestFree,omitempty"`
	Ref         string `json:"ref,omitempty"`
}

// Tasks counts processes and threads against their limit.
type Tasks struct {
	Current int    `json:"current,omitempty"`
	Max     int    `json:"max,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// Runtime is how the container runtime answered over the CRI.
type Runtime struct {
	Endpoint string `json:"endpoint,omitempty"`
	Name     string `json:"name,omitempty"`
	Version  string `json:"version,omitempty"`
	// Answer is "ok", "hung", "refused" or "error", or "interrupted" where a person ended the question before it had any; empty: not asked.
	Answer string `json:"answer,omitempty"`
	// Unanswered is the question that a person ended, also where a later one was answered.
	Unanswered   string        `json:"unanswered,omitempty"`
	Latency      time.Duration `json:"latency,omitempty"`
	RuntimeReady *bool         `json:"runtimeReady,omitempty"`
	NetworkReady *bool         `json:"networkReady,omitempty"`
	Message      string        `json:"message,omitempty"`
	// Containers and Sandboxes are those that crictl ps and crictl pods listed, or docker ps.
	Containers []Container `json:"containers,omitempty"`
	Sandboxes  []Sandbox   `json:"sandboxes,omitempty"`
	// Shims counts the shim processes on the node; nil: not counted.
	Shims *int `json:"shims,omitempty"`
	// SandboxImage is the image of the pod sandboxes, and whether the runtime has it.
	SandboxImage        string `json:"sandboxImage,omitempty"`
	SandboxImagePresent *bool  `json:"sandboxImagePresent,omitempty"`
	// SandboxImagePinned reports whether the garbage collection of images leaves it alone; nil: not asked.
	SandboxImagePinned *bool `json:"sandboxImagePinned,omitempty"`
	// Stores are what images take, by the folder of the snapshotter that keeps them.
	Stores []ImageStore `json:"stores,omitempty"`
	// ImageStore is "ok" or the error with which the runtime answered a question about its images.
	ImageStore string `json:"imageStore,omitempty"`
	Ref        string `json:"ref,omitempty"`
}

// ImageStore is what images take in one snapshotter's folder.
type ImageStore struct {
	Folder string `json:"folder"`
	Bytes  uint64 `json:"bytes"`
	Inodes uint64 `json:"inodes,omitempty"`
}

// Container is one container as the runtime lists it.
type Container struct {
	Name    string `json:"name"`
	Pod     string `json:"pod,omitempty"`
	Image   string `json:"image,omitempty"`
	State   string `json:"state"` // Created, Running, Exited, Unknown
	Attempt int    `json:"attempt,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// Sandbox is one pod sandbox as the runtime lists it.
type Sandbox struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	State     string `json:"state"` // Ready, NotReady
	Attempt   int    `json:"attempt,omitempty"`
	Ref       string `json:"ref,omitempty"`
}

// CNI is what the node has of network configuration and plugins. A nil list was not read; an empty one was.
type CNI struct {
	ConfigDir string   `json:"configDir,omitempty"`
	Configs   []string `json:"configs"`
	BinDir    string   `json:"binDir,omitempty"`
	Binaries  []string `json:"binaries"`
	// Hollow are the plugins whose file has 0 bytes.
	Hollow []string `json:"hollow,omitempty"`
	// Network is the configuration that the runtime uses, the first by name; nil: not read, or there is none.
	Network *Network `json:"network,omitempty"`
	Ref     string   `json:"ref,omitempty"`
	// BinRef is what the plugins rest on, where that is another line than Ref.
	BinRef string `json:"binRef,omitempty"`
}

// PluginsRef is the line or probe that the plugins rest on.
func (c *CNI) PluginsRef() string { return cmp.Or(c.BinRef, c.Ref) }

// Network is one configuration of a pod network.
type Network struct {
	File    string   `json:"file"`
	Name    string   `json:"name,omitempty"`
	Version string   `json:"cniVersion,omitempty"`
	Plugins []Plugin `json:"plugins,omitempty"`
	// Ranges are the addresses that this node gives to its pods, where files tell them, and Bridge the device that they are behind.
	Ranges []string `json:"ranges,omitempty"`
	Bridge string   `json:"bridge,omitempty"`
	Error  string   `json:"error,omitempty"` // why it cannot be used
}

// Plugin is one program that a network configuration calls.
type Plugin struct {
	Type string `json:"type"`
	// State is "ok", "missing", "not-executable", "empty" (a file of 0 bytes), or "" where the folder could not be read.
	State   string `json:"state,omitempty"`
	Version string `json:"version,omitempty"` // as built, where the program tells
}

// Clock is the node's clock against a reference.
type Clock struct {
	Offset       time.Duration `json:"offset,omitempty"` // node minus reference
	Synchronized *bool         `json:"synchronized,omitempty"`
	// Shown is the time that the node's own clock showed; compare it with other nodes' of the same moment only.
	Shown time.Time `json:"shown,omitzero"`
	// Hardware is what the hardware's clock showed beside it, where that one keeps UTC.
	Hardware time.Time `json:"hardware,omitzero"`
	Service  string    `json:"service,omitempty"` // of the time service: active, inactive, n/a
	Source   string    `json:"source,omitempty"`  // what the kernel counts time by: tsc, kvm-clock, hyperv_clocksource_tsc_page
	// Step is by how much the clock was set since the look before, which was Watched ago; it slews by far less. Zero
	// Watched: there was no look before.
	Step    time.Duration `json:"step,omitempty"`
	Watched time.Duration `json:"watched,omitempty"`
	Ref     string        `json:"ref,omitempty"`
}

// Process is one process of a ps listing.
type Process struct {
	PID     int    `json:"pid,omitempty"`
	State   string `json:"state,omitempty"` // as ps prints it: S, D, Z+, ...; empty: not printed
	Command string `json:"command"`         // with arguments, bounded
	Ref     string `json:"ref,omitempty"`
}

// Listeners are sockets that wait for connections.
type Listeners struct {
	Sockets []Socket `json:"sockets,omitempty"`
	// Complete: every listening TCP socket was seen.
	Complete bool `json:"complete,omitempty"`
	// Asked are ports that were searched for without a line in the answer.
	Asked []int  `json:"asked,omitempty"`
	Ref   string `json:"ref,omitempty"`
}

// Socket is one listening socket.
type Socket struct {
	Address string `json:"address,omitempty"`
	Port    int    `json:"port"`
	Process string `json:"process,omitempty"` // name of the program, where it was shown
	Ref     string `json:"ref,omitempty"`
}

// Lookup is one name resolution that was tried on the node.
type Lookup struct {
	Name   string `json:"name,omitempty"`
	Server string `json:"server,omitempty"` // the resolver that was asked, where it was shown
	// Answer is "ok", "no such host", "timeout", "refused" or "error".
	Answer    string   `json:"answer"`
	Addresses []string `json:"addresses,omitempty"`
	Ref       string   `json:"ref,omitempty"`
}

// Connection is one try to reach something from the node.
type Connection struct {
	Tool   string `json:"tool,omitempty"` // curl, ping, nc, telnet
	Target string `json:"target"`         // host, host:port or URL as it was given
	Peer   string `json:"peer,omitempty"` // who that is, where it is known: api-server, kubelet, metadata
	// Answer is "ok", "refused", "timeout", "unreachable", "reset", "tls", "dns" or "error".
	Answer  string        `json:"answer"`
	Status  int           `json:"status,omitempty"` // HTTP status; 0: none
	Loss    *int          `json:"loss,omitempty"`   // percent of packets that ping lost; nil: not measured
	Message string        `json:"message,omitempty"`
	Ref     string        `json:"ref,omitempty"`
	Latency time.Duration `json:"latency,omitempty"`
}

// Machine is what runs the node.
type Machine struct {
	Hostname string `json:"hostname,omitempty"`
	Kernel   string `json:"kernel,omitempty"`
	System   string `json:"system,omitempty"` // of os-release
	Vendor   string `json:"vendor,omitempty"` // of the firmware's tables
	Product  string `json:"product,omitempty"`
	BootID   string `json:"bootId,omitempty"`
	// MachineID and SystemUUID are what the kubelet reports of the machine too, as far as they can be read.
	MachineID  string    `json:"machineId,omitempty"`
	SystemUUID string    `json:"systemUuid,omitempty"`
	Booted     time.Time `json:"booted,omitzero"`
}

// Kubelet is how the kubelet answered on the node.
type Kubelet struct {
	// Healthz is the body of /healthz on the local port, "ok" if well: it says that the process lives, not that it
	// works. Error says why there is no answer.
	Healthz string `json:"healthz,omitempty"`
	Error   string `json:"error,omitempty"`
	// Series are lines of /metrics, as they were.
	Series []string `json:"series,omitempty"`
	// Settings are chosen fields of its configuration file and flags.
	Settings map[string]string `json:"settings,omitempty"`
	Ref      string            `json:"ref,omitempty"`
}

// Pressure is the share of time, in percent over the last ten, sixty and three hundred seconds, in which some
// or all tasks waited for a resource.
type Pressure struct {
	Resource string  `json:"resource"` // cpu, memory, io
	Kind     string  `json:"kind"`     // some, full
	Avg10    float64 `json:"avg10"`
	Avg60    float64 `json:"avg60"`
	Avg300   float64 `json:"avg300"`
}

// Counter is something that is used up when Used reaches Max.
type Counter struct {
	Name string `json:"name"` // conntrack, file-handles, inotify-instances, inotify-watches, neighbours, mounts, pids CGROUP, open-files PROGRAM
	Used uint64 `json:"used"`
	Max  uint64 `json:"max"`
	Note string `json:"note,omitempty"` // who uses most, where it was counted
	Ref  string `json:"ref,omitempty"`
}

// Loss counts what the network carried for the node and what of it was lost: since the boot, and within a window that ends
// with the report. Of tcp it is segments, and those that had to be sent again; of a network card packets, and those dropped or broken.
type Loss struct {
	Name       string        `json:"name"` // tcp, or a network card
	Sent       uint64        `json:"sent"`
	Lost       uint64        `json:"lost"`
	Window     time.Duration `json:"window,omitempty"`
	WindowSent uint64        `json:"windowSent"`
	WindowLost uint64        `json:"windowLost"`
	// Answered is how many answers the API server gave within the window to who counted; 0: none, or it was not asked.
	Answered int    `json:"answered,omitempty"`
	Ref      string `json:"ref,omitempty"`
}

// Need is a kernel module or a kernel setting that the configured network or runtime needs.
type Need struct {
	Kind string `json:"kind"` // module, sysctl
	Name string `json:"name"`
	By   string `json:"by"`             // who needs it
	Want string `json:"want,omitempty"` // of a setting
	Have string `json:"have,omitempty"`
	// State is "ok"; "loadable", a module that is not loaded but can be; "missing", one that this kernel does not
	// have; "wrong", a setting with another value; or "unknown".
	State string `json:"state"`
	// AtBoot reports whether a file sets it at each boot; empty where nobody looked or it is built in.
	AtBoot string `json:"atBoot,omitempty"` // the file, or "none"
	Ref    string `json:"ref,omitempty"`
}

// Cloud is what the cloud tells its machine.
type Cloud struct {
	Provider string       `json:"provider"` // azure, aws, gcp
	Instance string       `json:"instance,omitempty"`
	Size     string       `json:"size,omitempty"`
	Zone     string       `json:"zone,omitempty"`
	Events   []CloudEvent `json:"events,omitempty"`
	Ref      string       `json:"ref,omitempty"`
}

// CloudEvent is one thing that the cloud announced for the machine.
type CloudEvent struct {
	Kind   string    `json:"kind"` // Freeze, Reboot, Redeploy, Preempt, Terminate, or the cloud's own word
	Status string    `json:"status,omitempty"`
	Not    time.Time `json:"notBefore,omitzero"`
	Text   string    `json:"text,omitempty"`
}

// Hung is something that was asked and had not answered when the time was over.
type Hung struct {
	What  string        `json:"what"` // "file system", "service manager", "probe"
	Name  string        `json:"name"`
	Type  string        `json:"type,omitempty"` // of a file system
	After time.Duration `json:"after"`
}

// Message is a line of a log that a signature recognises, and how often such lines came.
type Message struct {
	Signature string    `json:"signature"`
	Source    string    `json:"source"`        // journal of kubelet.service, kernel log, a file
	Pod       string    `json:"pod,omitempty"` // namespace/name, for the log of a container
	Line      int       `json:"line,omitempty"`
	Text      string    `json:"text"`
	LastText  string    `json:"lastText,omitempty"`
	Count     int       `json:"count"`
	First     time.Time `json:"first,omitzero"`
	Last      time.Time `json:"last,omitzero"`
	Context   []string  `json:"context,omitempty"`
}

// Log is one that was searched, whether it held anything or not.
type Log struct {
	Source string    `json:"source"` // journal, kernel log, a file
	Since  time.Time `json:"since"`  // older lines were left out
}

// Gap is a probe that could not look.
type Gap struct {
	What string `json:"what"`
	Why  string `json:"why"`
	How  string `json:"how,omitempty"`
}
