package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// namedInLines match messages that name a node, a pod with its namespace, an image, a volume or another object of a command, or a
// folder of the kubelet.
var namedInLines = []*lazyregexp.Regexp{
	lazyregexp.New(`\bpod="(?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)"`),
	lazyregexp.New(`\bpod=(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)\(`),
	lazyregexp.New(`(?:^|[\s"'(])(?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+-[bcdf-hj-np-tv-xz2456789]{8,10}-[bcdf-hj-np-tv-xz2456789]{5})\b`),
	lazyregexp.New(`\b[Pp]ods? \\*"(?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)\\*"`),
	lazyregexp.New(`\bpods/\\*"(?P<pod>[a-z0-9.-]+)\\*" -n \\*"(?P<namespace>[a-z0-9-]+)\\*"`), // kubectl drain
	lazyregexp.New(`\bPodSandboxMetadata\{Name:(?P<pod>[a-z0-9.-]+),Uid:[^,]*,Namespace:(?P<namespace>[a-z0-9-]+),`),
	lazyregexp.New(`:10250/(?:containerLogs|exec|attach|portForward)/(?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)\b`),
	lazyregexp.New(`\bMultus: \[(?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)[\]/]`),
	lazyregexp.New(`\b[Pp]od \\*"?(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)(?:\(|\\*")`),
	lazyregexp.New(`\badding pod (?P<namespace>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+) to CNI network`), // containerd
	lazyregexp.New(`\bsandbox k8s_(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)_[0-9a-f]{8}-`),  // CRI-O and cri-dockerd
	lazyregexp.New(`\bnode(?:[Nn]ame)?="(?P<node>[a-z0-9][a-z0-9.-]*)"`),
	lazyregexp.New(`\\*"[Nn]ode(?:Name)?\\*"[:=] ?(?:\{\\*"name\\*": ?)?\\*"(?P<node>[a-z0-9][a-z0-9.-]*)\\*"`), // JSON
	lazyregexp.New(`\b[Nn]odes? \\*"(?P<node>[a-z0-9][a-z0-9.-]*)\\*"`),
	lazyregexp.New(`\bNode (?P<node>[a-z0-9][a-z0-9.-]*) status is now\b`),
	lazyregexp.New(`(?:/api/v1/nodes/|/namespaces/kube-node-lease/leases/)(?P<node>[a-z0-9][a-z0-9.-]*)\?`),
	lazyregexp.New(`\bleases\.coordination\.k8s\.io \\*"(?P<node>[a-z0-9][a-z0-9.-]*)\\*"`),
	lazyregexp.New(`\{kubelet (?P<node>[a-z0-9][a-z0-9.-]*)\}`), // an event in the log of a test
	lazyregexp.New(`\bSuccessfully assigned (?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+) to (?P<node>[a-z0-9][a-z0-9.-]*[a-z0-9])`),
	lazyregexp.New(`\bon node "?(?P<node>[a-z0-9](?:[a-z0-9.-]*\d[a-z0-9.-]*[a-z0-9])?)"?(?:[:,;.]|\s|$)`),
	lazyregexp.New(`https://(?P<node>[a-z][a-z0-9.-]*):10250/`),
	lazyregexp.New(`\bkubelet, (?P<node>[a-z0-9][a-z0-9.-]*[a-z0-9])\s`),
	lazyregexp.New(`^(?P<node>[a-z0-9][a-z0-9.-]*): +(?:kern|user|daemon): +[a-z]+: +\[`), // talosctl dmesg
	lazyregexp.New(`\bkubectl drain (?:--?[a-z][a-z=0-9-]* )*(?P<node>[a-z0-9][a-z0-9.-]*[a-z0-9])(?:\s|$)`),
	lazyregexp.New(`\b(?:[Dd]rain(?:ing)?(?: kube)?|of) node /?(?P<node>[a-z0-9][a-z0-9.-]*\d(?:[a-z0-9.-]*[a-z0-9])?)(?:[\s:,]|$)`),
	lazyregexp.New(`\b[Pp]ull(?:ing)? image \\*"(?P<image>(?:(?P<registry>[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?)/)?[^"\\\s]+)\\*"`),
	lazyregexp.New(`\bfor volume \\*"(?P<volume>[a-z0-9][a-z0-9.-]*[a-z0-9])\\*"`),
	lazyregexp.New(`/(?:csi/pv|kubernetes\.io~csi)/(?P<volume>[a-z0-9][a-z0-9.-]*[a-z0-9])/(?:globalmount|mount)\b`), // folders of the kubelet
	lazyregexp.New(`^(?P<csr>(?:node-)?csr-[A-Za-z0-9_-]+)\s`),
	lazyregexp.New(`https?://(?P<service>[a-z0-9-]+)\.[a-z0-9-]+\.svc[:/]`),
	lazyregexp.New(`https?://(?P<registry>[a-z0-9.-]+\.[a-z0-9.-]+(?::\d+)?)/v2/`),
	lazyregexp.New(`\blookup (?P<dns_name>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?: on |: )`),
	lazyregexp.New(`\bdial tcp (?P<address>[0-9.]+):10250\b`),
	lazyregexp.New(`:(?P<port>\d{2,5}): bind: address already in use`),
	lazyregexp.New(`\[ERROR Port-(?P<port>\d{2,5})\]`),
	lazyregexp.New(`"NodeName":"(?P<node>[a-z0-9][a-z0-9.-]*[a-z0-9])"`),
	lazyregexp.New(`(?P<url>https?://[a-z0-9.-]+(?::\d+)?(?:/[a-z0-9._/-]*)?)`),
	lazyregexp.New("can't initialize ip6?tables table [`'\"]?(?P<table>[a-z]+)"),
	lazyregexp.New("Couldn't load (?:match|target) [`'\"]?(?P<match>[a-z0-9]+)"),
	lazyregexp.New(`\berror deleting (?P<path>/var/lib/kubelet/pods/[^\s":]+)`),
}

// namesOfLines are the group names of namedInLines.
var namesOfLines = []string{"namespace", "pod", "node", "image", "registry", "volume", "csr", "service", "path", "dns_name", "url", "address", "port", "table", "match"}

// lines puts the names from the messages of the statements, if all messages agree on a name.
func lines(group []*statement, put func(name, value string)) {
	for name, values := range namesIn(group) {
		if len(values) == 1 {
			put(strings.ReplaceAll(name, "_", "-"), values[0])
		}
	}
}

// decisiveNode puts the node that the messages of the first statement name, if its subject is not a node. Other statements may be
// about other nodes.
func decisiveNode(first *statement, put func(name, value string)) {
	if nodes := namesIn([]*statement{first})["node"]; first.subject.Kind != "Node" && len(nodes) == 1 {
		put("node", nodes[0])
	}
}

// namesIn returns the names in the messages of the statements, each value once.
func namesIn(group []*statement) map[string][]string {
	found := map[string][]string{}
	for _, st := range group {
		for _, c := range st.claims {
			for _, e := range c.Evidence {
				if e.By != evidence.ByApplication { // the output of applications must not fill commands
					namedIn(e.Text, found)
				}
			}
		}
	}
	return found
}

// namedIn adds the names in a text, each value once.
func namedIn(text string, found map[string][]string) {
	for _, re := range namedInLines {
		for _, m := range re.FindAllStringSubmatch(strings.TrimSpace(text), -1) {
			for _, name := range namesOfLines {
				i := re.SubexpIndex(name)
				ofKind := name == "namespace" && i > 0 && m[i] == "pod" // "pod/NAME" is a kind and a name
				if i < 0 || ofKind || m[i] == "" {
					continue
				}
				if !slices.Contains(found[name], m[i]) {
					found[name] = append(found[name], m[i])
				}
			}
		}
	}
	if len(found["node"]) == 0 {
		machinesIn(text, func(node string) { found["node"] = append(found["node"], node) })
	}
}

// machinesIn adds the words of a text that have the form of a node name of a cloud.
func machinesIn(text string, add func(node string)) {
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\"'`,:;()[]{}/\\ \t", r) }) {
		if name := strings.TrimRight(word, "."); !seen[name] && catalog.ProviderOfNode(name, "") != nil {
			seen[name] = true
			add(name)
		}
	}
}
