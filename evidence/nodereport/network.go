package nodereport

// PacketFilter is what the kernel has of rules for packets, in the network of the node itself. A nil list was not read.
type PacketFilter struct {
	Backends []Backend `json:"backends"`
	Ref      string    `json:"ref,omitempty"`
}

// Backend is one of the ways in which programs give rules to the kernel.
type Backend struct {
	Name string `json:"name"` // legacy, nft, legacy-ipv6, ipvs
	// Rules counts all of them; of ipvs, the services.
	Rules  int    `json:"rules"`
	Chains int    `json:"chains,omitempty"`
	Bytes  uint64 `json:"bytes,omitempty"` // of the tables in the kernel
	// Policies are those of the base chains: "filter FORWARD" -> "DROP".
	Policies map[string]string `json:"policies,omitempty"`
	// Drops counts the rules of the kernel's own chains, of no program's, that drop or reject: "filter INPUT" -> 1.
	Drops map[string]int `json:"drops,omitempty"`
	// Owners are the programs whose chains or tables are there, with the number of their rules, as their names tell: kube-proxy,
	// kubelet, calico, cilium, flannel, docker, firewalld, ufw.
	Owners map[string]int `json:"owners,omitempty"`
	// Forward are the chains that FORWARD jumps to, in order.
	Forward []string `json:"forward,omitempty"`
	// Cut: there were more rules than are read.
	Cut bool `json:"cut,omitempty"`
}

// Endpoint is a socket of the node at which somebody must answer.
type Endpoint struct {
	Path string `json:"path"`
	Kind string `json:"kind"` // csi, device-plugin, plugin-registration, kubelet, network, runtime
	// Answer is "ok", "refused", "hung" or "error": whether a connection is taken, no more.
	Answer string `json:"answer"`
	Ref    string `json:"ref,omitempty"`
}

// StaticPod is a file in the folder of static pods.
type StaticPod struct {
	File  string `json:"file"`
	Name  string `json:"name,omitempty"`
	Error string `json:"error,omitempty"` // why it is no pod
	Ref   string `json:"ref,omitempty"`
}

// PodResolver is the file whose name servers the kubelet gives to pods that resolve names as the node does (dnsPolicy Default).
type PodResolver struct {
	File    string   `json:"file"`
	Servers []string `json:"servers,omitempty"`
	Ref     string   `json:"ref,omitempty"`
}
