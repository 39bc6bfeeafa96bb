package triage

import (
	"maps"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// sameness makes values comparable that always differ between nodes: names, addresses and pod ranges become placeholders.
type sameness struct {
	own    map[*nodereport.Report][]own
	ranges map[string]bool // pod ranges of all nodes
	known  map[*nodereport.Report]map[string]string
}

// own is a text that is specific to one node, with its placeholder.
type own struct{ text, word string }

// Placeholders for texts that are specific to one node.
const (
	nodeWord    = "<node>"
	addressWord = "<address>"
	rangeWord   = "<pod range>"
)

func newSameness(s *evidence.Snapshot, reports []*nodereport.Report) *sameness {
	out := &sameness{own: map[*nodereport.Report][]own{}, ranges: map[string]bool{}, known: map[*nodereport.Report]map[string]string{}}
	for _, r := range reports {
		found := ownWords{}
		found.ofReport(r)
		if n := s.Node(r.Node); n != nil {
			found.ofObject(n)
		}
		texts := slices.Sorted(maps.Keys(found))
		sort.SliceStable(texts, func(i, j int) bool { return len(texts[i]) > len(texts[j]) })
		for _, text := range texts {
			out.own[r] = append(out.own[r], own{text, found[text]})
			if found[text] == rangeWord {
				out.ranges[text] = true
			}
		}
		out.known[r] = map[string]string{}
	}
	return out
}

// ownWords maps the texts that are specific to one node to their placeholders.
type ownWords map[string]string

func (w ownWords) put(word, text string) {
	if len(text) > 3 && w[text] == "" && !strings.HasPrefix(text, "localhost") && !strings.HasPrefix(text, "127.") {
		w[text] = word
	}
}

func (w ownWords) ofReport(r *nodereport.Report) {
	w.put(nodeWord, r.Node)
	w.put(nodeWord, host(r.Node))
	if r.Machine != nil {
		w.put(nodeWord, r.Machine.Hostname)
		w.put(nodeWord, host(r.Machine.Hostname))
	}
	for _, f := range r.Setup.Files { // a report does not contain the address tables of the kernel
		w.put(addressWord, f.Settings["--node-ip"])
		if f.Area == nodereport.SetupDNS {
			w.put(addressWord, f.Settings[r.Node])
		}
	}
	for _, l := range r.Links {
		for _, a := range l.Addresses {
			address, _, _ := strings.Cut(a, "/")
			w.put(addressWord, address)
		}
	}
	if r.CNI != nil && r.CNI.Network != nil {
		for _, p := range r.CNI.Network.Ranges {
			w.put(rangeWord, p)
		}
	}
}

func (w ownWords) ofObject(n *evidence.Node) {
	for _, a := range n.Node.Status.Addresses {
		word := addressWord
		if a.Type != corev1.NodeInternalIP && a.Type != corev1.NodeExternalIP {
			word = nodeWord
		}
		w.put(word, a.Address)
	}
	for _, p := range append(slices.Clone(n.Spec.PodCIDRs), n.Spec.PodCIDR) {
		w.put(rangeWord, p)
	}
	info := n.Node.Status.NodeInfo
	for _, id := range []string{info.MachineID, info.SystemUUID, info.BootID, n.Spec.ProviderID[strings.LastIndexByte(n.Spec.ProviderID, '/')+1:]} {
		w.put(nodeWord, id)
	}
}

// host returns the first part of a name with dots. It returns "" for an address.
func host(name string) string {
	first, _, _ := strings.Cut(name, ".")
	if strings.Trim(first, "0123456789") == "" {
		return ""
	}
	return first
}

// individuals matches IDs that differ on every node: UUIDs, MAC addresses, and tags of redacted secrets, which are numbered in
// order.
var individuals = lazyregexp.New(
	`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b|\[redacted-[a-z-]+-\d+-\d+\+\]`,
)

// of returns the text of that node with placeholders, so that nodes with the same setup get the same text.
func (x *sameness) of(r *nodereport.Report, text string) string {
	known, ok := x.known[r][text]
	if ok {
		return known
	}
	out := text
	for _, o := range x.own[r] {
		out = replaceWord(out, o.text, o.word)
	}
	out = individuals.ReplaceAllStringFunc(out, func(string) string { return "<individual>" })
	if x.known[r] != nil {
		x.known[r][text] = out
	}
	return out
}

// replaceWord replaces a text only where it is a whole word: 10.0.0.1 is not part of 10.0.0.17.
func replaceWord(s, old, by string) string {
	var out strings.Builder
	for {
		i := strings.Index(s, old)
		if i < 0 {
			out.WriteString(s)
			return out.String()
		}
		end := i + len(old)
		out.WriteString(s[:i])
		if i > 0 && inWord(s[i-1]) || end < len(s) && inWord(s[end]) {
			out.WriteString(old)
		} else {
			out.WriteString(by)
		}
		s = s[end:]
	}
}

func inWord(c byte) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z' // in lower case
	return letter || c >= '0' && c <= '9'
}
