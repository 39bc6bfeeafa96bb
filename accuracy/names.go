package accuracy

import (
	"regexp"
	"slices"
	"strings"
)

// names are the objects in a text, found by the forms in which Kubernetes writes them.
type names struct {
	nodes, pods, images, volumes, units []string // pods as namespace/name
}

var (
	nodeNames = []*regexp.Regexp{
		regexp.MustCompile(`\bkind: Node\s+metadata:\s*\{?\s*name: ([a-z0-9][a-z0-9.-]*)`),
		regexp.MustCompile(`\bnode=\\?"([a-z0-9][a-z0-9.-]*)\\?"`),
		regexp.MustCompile(`\bnode \\?"([a-z0-9][a-z0-9.-]*)\\?"`),
		regexp.MustCompile(`\bnode ([a-z][a-z0-9.-]*[0-9][a-z0-9.-]*[a-z0-9]|[a-z]+[0-9])\b`),
		regexp.MustCompile(`\bnodes? \\?"([a-z0-9][a-z0-9.-]*)\\?" not found`),
		regexp.MustCompile(`\bNode ([a-z0-9][a-z0-9.-]*[a-z0-9]) status is now`),
		regexp.MustCompile(`\bkubelet, ([a-z0-9][a-z0-9.-]*[a-z0-9])\b`),
		regexp.MustCompile(`(?m)(?:^|[\s"'])node/([a-z0-9][a-z0-9.-]*[a-z0-9])\b`),
		regexp.MustCompile(`(?m)^Node:\s+([a-z0-9][a-z0-9.-]*[a-z0-9])/`),
		regexp.MustCompile(`(?m)^([a-z0-9][a-z0-9.-]*)\s+(?:Not)?Ready(?:,\S+)?\s`),
		regexp.MustCompile(`\bsystem:node:([a-z0-9][a-z0-9.-]*[a-z0-9])\b`),
		regexp.MustCompile(`\bassigned [a-z0-9-]+/\S+ to ([a-z0-9][a-z0-9.-]*[a-z0-9])\b`),
		regexp.MustCompile(`(?m)^Name:\s+([a-z0-9][a-z0-9.-]*)\nRoles:`),
		regexp.MustCompile(`"nodeName": ?"([a-z0-9][a-z0-9.-]*)"`),
		regexp.MustCompile(`(?m)^\s*nodeName: ([a-z0-9][a-z0-9.-]*)$`),
		regexp.MustCompile(`"kubernetes\.io/hostname": ?"([a-z0-9][a-z0-9.-]*)"`),
	}
	podNames = []*regexp.Regexp{
		regexp.MustCompile(`\bpods?=\[?\\?"([a-z0-9-]+/[a-z0-9][a-z0-9.-]*)\\?"`),
		regexp.MustCompile(`\bassigned ([a-z0-9-]+/[a-z0-9][a-z0-9.-]*) to\b`),
		regexp.MustCompile(`\bpod ([a-z0-9-]+/[a-z0-9][a-z0-9.-]*[a-z0-9])\b`),
		regexp.MustCompile(`\bpod \\?"([a-z0-9-]+/[a-z0-9][a-z0-9.-]*)\\?"`),
		regexp.MustCompile(`\b([a-z0-9-]+/[a-z0-9][a-z0-9.-]*)\([0-9a-f]{8}-[0-9a-f-]{27}\)`),
	}
	podParts   = regexp.MustCompile(`\b([a-z0-9][a-z0-9.-]*)_([a-z0-9-]+)\([0-9a-f]{8}-[0-9a-f-]{27}\)`)
	metadata   = regexp.MustCompile(`PodSandboxMetadata\{Name:([a-z0-9.-]+),Uid:[^,]*,Namespace:([a-z0-9-]+),`)
	protoNames = regexp.MustCompile(`name:\\?"([a-z0-9.-]+)\\?" uid:\\?"[^"]*\\?" namespace:\\?"([a-z0-9-]+)\\?"`)
	imageNames = regexp.MustCompile(`(?i)\bimage[ =:]+\\*"([a-z0-9][a-z0-9._/:@-]+)\\*"`)
	volNames   = regexp.MustCompile(`\bvolume \\*"([A-Za-z0-9][A-Za-z0-9._/^-]+)\\*"`)
	unitTitles = regexp.MustCompile(`: Failed to start ([^\n]+?)\.(?:\s|$)`)
	unitNames  = regexp.MustCompile(`\b([a-z0-9@_][a-z0-9@_.-]*\.(?:service|mount|socket))\b`)
)

// namesIn reads the names of a text.
func namesIn(text string) names {
	var n names
	text = strings.ReplaceAll(text, "\r", "")
	for _, l := range lines(text) {
		if m := journalHead.FindStringSubmatch(l); m != nil {
			n.addNode(m[1])
		}
	}
	for _, re := range nodeNames {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			n.addNode(m[1])
		}
	}
	for _, re := range podNames {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			n.pods = add(n.pods, m[1])
		}
	}
	for _, re := range []*regexp.Regexp{podParts, metadata, protoNames} {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			n.pods = add(n.pods, m[2]+"/"+m[1])
		}
	}
	for _, m := range imageNames.FindAllStringSubmatch(text, -1) {
		n.images = add(n.images, m[1])
	}
	for _, m := range volNames.FindAllStringSubmatch(text, -1) {
		n.volumes = add(n.volumes, m[1])
	}
	for _, m := range unitTitles.FindAllStringSubmatch(text, -1) { // systemd up to 248 names a unit by its description
		n.units = add(n.units, m[1])
	}
	for _, m := range unitNames.FindAllStringSubmatch(text, -1) {
		n.units = add(n.units, m[1])
	}
	return n
}

// nodeLike matches possible names of a node: a host name with a letter, or an address.
var nodeLike = regexp.MustCompile(`^(?:[a-z0-9.-]*[a-z][A-Za-z0-9.-]*|\d+\.\d+\.\d+\.\d+)$`)

// notNode lists words that are not a node's name although they are in its position.
var notNode = map[string]bool{"the": true, "true": true, "localhost": true, "localhost.localdomain": true, "another": true, "container": true, "host": true, "bootstrap": true}

func (n *names) addNode(name string) {
	if nodeLike.MatchString(name) && !notNode[name] {
		n.nodes = add(n.nodes, name)
	}
}

func add(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// node returns the name of the node, or a default if the text has none.
func (n names) node() string {
	if len(n.nodes) > 0 {
		return n.nodes[0]
	}
	return "node-1"
}
