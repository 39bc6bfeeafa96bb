package triage

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/nodereport"
)

// sameness makes values equal that differ between nodes by their nature: what is a node's own becomes a word.
type sameness struct {
	own    map[*nodereport.Report][]own
	ranges map[string]bool // of the pods of all nodes
	known  map[*nodereport.Report]map[string]string
}

// own is a text that is a node's own, and the word that stands for it.
type own struct{ text, word string }

// Words for what nodes have of their own.
const (
	nodeWord    = "<node>"
	addressWord = "<address>"
	rangeWord   = "<pod range>"
)

func newSameness(s *evidence.Snapshot, reports []*nodereport.Report) *sameness {
	out := &sameness{own: map[*nodereport.Report][]own{}, ranges: map[string]bool{}, known: map[*nodereport.Report]map[string]string{}}
	for _, r := range reports {
		found := map[string]string{}
		put := func(word, text string) {
			if len(text) > 3 && found[text] == "" && !strings.HasPrefix(text, "localhost") && !strings.HasPrefix(text, "127.") {
				found[text] = word
			}
		}
		put(nodeWord, r.Node)
		put(nodeWord, host(r.Node))
		if r.Machine != nil {
			put(nodeWord, r.Machine.Hostname)
			put(nodeWord, host(r.Machine.Hostname))
		}
		for _, f := range r.Setup.Files { // the kernel's tables of addresses are not in a report
			put(addressWord, f.Settings["--node-ip"])
			if f.Area == nodereport.SetupDNS {
				put(addressWord, f.Settings[r.Node])
			}
		}
		for _, l := range r.Links {
			for _, a := range l.Addresses {
				address, _, _ := strings.Cut(a, "/")
				put(addressWord, address)
			}
		}
		if r.CNI != nil && r.CNI.Network != nil {
			for _, p := range r.CNI.Network.Ranges {
				put(rangeWord, p)
			}
		}
		if n := s.Node(r.Node); n != nil {
			for _, a := range n.Node.Status.Addresses {
				put(cmp.Or(map[bool]string{true: nodeWord}[strings.Contains(string(a.Type), "DNS") || a.Type == "Hostname"], addressWord), a.Address)
			}
			for _, p := range append(slices.Clone(n.Spec.PodCIDRs), n.Spec.PodCIDR) {
				put(rangeWord, p)
			}
			info := n.Node.Status.NodeInfo
			for _, id := range []string{info.MachineID, info.SystemUUID, info.BootID, n.Spec.ProviderID[strings.LastIndexByte(n.Spec.ProviderID, '/')+1:]} {
				put(nodeWord, id)
			}
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

// host is the first part of a name with dots; an address has none.
func host(name string) string {
	first, _, _ := strings.Cut(name, ".")
	if strings.Trim(first, "0123456789") == "" {
		return ""
	}
	return first
}

// individuals are texts that every node has of its own, whoever gave them; tags of secrets have a number by their order.
var individuals = lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b|\[redacted-[a-z-]+-\d+-\d+\+\]`)

// of is the text of that node as it is on all nodes that are set up alike.
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

// replaceWord replaces a text where it stands by itself: 10.0.0.1 is no part of 10.0.0.17.
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
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
