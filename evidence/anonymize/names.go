package anonymize

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// Names maps the names of one cluster to aliases. The same declarations in the same order give the same aliases. It is
// not safe for concurrent use.
type Names struct {
	word      func(string) bool // whether a word occurs in component messages
	to        map[string]string // aliases by lower-case name
	loose     map[string]bool   // names that are such words
	count     map[string]int    // number of aliases by kind
	spaces    map[string]bool   // names of namespaces, replaced or not
	key       []byte            // for addresses
	addresses map[netip.Addr]netip.Addr
	blocks    map[netip.Prefix]int // public networks, in order
}

// New returns Names without entries. word reports whether a word occurs in component messages and rules.
func New(word func(string) bool) *Names {
	return &Names{
		word: word, to: map[string]string{}, loose: map[string]bool{}, count: map[string]int{}, spaces: map[string]bool{},
		addresses: map[netip.Addr]netip.Addr{}, blocks: map[netip.Prefix]int{},
	}
}

// Of returns the alias of a name, or the name if it has none.
func (n *Names) Of(name string) string {
	if to, ok := n.to[strings.ToLower(name)]; ok {
		return to
	}
	return n.Text(name)
}

// All returns the aliases of lower-case names and of addresses.
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

// fresh assigns the next alias of a kind.
func (n *Names) fresh(name, kind string) string {
	return n.set(name, kind, func(i int) string { return fmt.Sprintf("%s-%d", kind, i) })
}

// set assigns an alias that make builds from the next number of a kind.
func (n *Names) set(name, kind string, make func(int) string) string {
	name = strings.ToLower(name)
	if to, ok := n.to[name]; ok {
		return to
	}
	n.count[kind]++
	return n.as(name, make(n.count[kind]))
}

// as assigns the given alias, if the name has none.
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

const accountDigits = 12 // digits of an AWS account ID

// ordinary reports whether a name may be an ordinary word in a text.
func (n *Names) ordinary(name string) bool {
	return len(name) < 3 || n.word(name) || strings.Trim(name, "0123456789") == "" && len(name) < accountDigits
}

// seal derives the key for addresses from all hidden names, so that readers of the result cannot guess it.
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
