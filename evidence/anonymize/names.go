package anonymize

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// Names are the names of one cluster with their stand-ins. The same declarations in the same order give the same stand-ins.
// It is not safe for concurrent use.
type Names struct {
	word      func(string) bool // is it a word of the components' own language?
	to        map[string]string // by the name in lower case
	loose     map[string]bool   // those that are such words
	count     map[string]int    // stand-ins by kind
	spaces    map[string]bool   // names of namespaces, whether they stay or not
	key       []byte            // of the addresses
	addresses map[netip.Addr]netip.Addr
	blocks    map[netip.Prefix]int // public networks in their order
}

// New starts without names. The function tells words that components write and rules look for.
func New(word func(string) bool) *Names {
	return &Names{
		word: word, to: map[string]string{}, loose: map[string]bool{}, count: map[string]int{}, spaces: map[string]bool{},
		addresses: map[netip.Addr]netip.Addr{}, blocks: map[netip.Prefix]int{},
	}
}

// Of is the stand-in of a name, or the name itself if it has none.
func (n *Names) Of(name string) string {
	if to, ok := n.to[strings.ToLower(name)]; ok {
		return to
	}
	return n.Text(name)
}

// All are the names in lower case with their stand-ins, and the addresses with theirs.
func (n *Names) All() map[string]string {
	out := maps.Clone(n.to)
	for a, to := range n.addresses {
		if a != to {
			out[a.String()] = to.String()
		}
	}
	return out
}

// Loose reports whether a name is replaced only where a name is expected.
func (n *Names) Loose(name string) bool { return n.loose[strings.ToLower(name)] }

// fresh gives the name the next stand-in of a kind.
func (n *Names) fresh(name, kind string) string {
	return n.set(name, kind, func(i int) string { return fmt.Sprintf("%s-%d", kind, i) })
}

// set gives the name a stand-in that is made of the next number of a kind.
func (n *Names) set(name, kind string, make func(int) string) string {
	name = strings.ToLower(name)
	if to, ok := n.to[name]; ok {
		return to
	}
	n.count[kind]++
	return n.as(name, make(n.count[kind]))
}

// as gives the name that stand-in, if it has none.
func (n *Names) as(name, to string) string {
	name = strings.ToLower(name)
	if known, ok := n.to[name]; ok {
		return known
	}
	if name == to {
		return to
	}
	n.to[name] = to
	if n.ordinary(name) {
		n.loose[name] = true
	}
	return to
}

const accountDigits = 12 // of the number of an account of AWS

// ordinary reports whether a name may stand in a text as something else.
func (n *Names) ordinary(name string) bool {
	return len(name) < 3 || n.word(name) || strings.Trim(name, "0123456789") == "" && len(name) < accountDigits
}

// seal makes the key by which addresses are changed, of all names that are hidden: who has the result cannot guess it.
func (n *Names) seal() {
	if n.key != nil {
		return
	}
	all := make([]string, 0, len(n.to))
	for name := range n.to {
		all = append(all, name)
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	n.key = sum[:]
}
