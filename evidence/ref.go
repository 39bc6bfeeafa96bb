package evidence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Ref is one piece of evidence: where it stands and what it says, in the words of the source.
type Ref struct {
	Source     string    `json:"source"`     // "node/worker-1", "kubelet.log", "events"
	Locator    string    `json:"locator"`    // "line 12", ".status.conditions[Ready]"
	Text       string    `json:"text"`       // the exact text or field value, bounded
	ObservedAt time.Time `json:"observedAt"` // null in JSON if the evidence tells no time
	// Hit is the part of Text that a signature recognised; empty: all of it counts.
	Hit string `json:"hit,omitempty"`
	// Signature is the id of the signature that recognised the text; empty: a rule read it.
	Signature string `json:"signature,omitempty"`
	// By is ByApplication for words of an application; empty: for those of a component.
	By string `json:"by,omitempty"`
}

// Place is the text and where it stands, without which signature recognised it.
func (r Ref) Place() Ref {
	r.Hit, r.Signature = "", ""
	return r
}

// SamePlace reports whether another piece of evidence is the same text of the same place: two signatures may
// recognise one line, each a part of it.
func (r Ref) SamePlace(other Ref) bool { return r.Place() == other.Place() }

// LineIn is the number of the line that a locator begins with, as "line 12 (3 times)"; 0: it names none.
func LineIn(locator string) int {
	rest, ok := strings.CutPrefix(locator, "line ")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	if err != nil {
		return 0
	}
	return n
}

// MarshalJSON writes a time that is not known as null.
func (r Ref) MarshalJSON() ([]byte, error) {
	type plain Ref // without this method
	out := struct {
		plain
		ObservedAt *time.Time `json:"observedAt"`
	}{plain: plain(r)}
	if !r.ObservedAt.IsZero() {
		out.ObservedAt = &r.ObservedAt
	}
	return json.Marshal(out)
}

// Gap is something that could not be read, or only in part, with the reason and the way to get it.
type Gap struct {
	What string     `json:"what"` // "events", "kubelet /metrics of node/worker-1"
	Why  string     `json:"why"`  // "forbidden: ..."
	How  shell.Text `json:"how,omitempty"`
	// Kind is set where a list of that kind was refused or ended before its end; Everything: any kind may lack objects.
	Kind Kind `json:"kind,omitempty"`
	// OfText is set where the text itself shows it: whoever reads a bundle with the text sees it again.
	OfText bool `json:"-"`
}

// Coverage says how much of a kind of object was read. Only Complete allows a conclusion from absence. Partial and Listed say
// nothing about the rest: a pasted fragment has Partial. That more exists than was read is said by a Gap of the kind
// (Snapshot.Incomplete).
type Coverage int

// The zero value is "not read".
const (
	NotRead  Coverage = iota
	Partial           // some objects, or some fields of them
	Listed            // a list that may be all of them: nothing reports whether names or a selector were given
	Complete          // all objects of the scope
)

func (c Coverage) String() string { return [...]string{"not-read", "partial", "listed", "complete"}[c] }

// MarshalText writes not-read, partial, listed or complete.
func (c Coverage) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (c *Coverage) UnmarshalText(text []byte) error {
	switch string(text) {
	case "not-read", "":
		*c = NotRead
	case "partial":
		*c = Partial
	case "listed":
		*c = Listed
	case "complete":
		*c = Complete
	default:
		return fmt.Errorf("coverage %q: use not-read, partial, listed or complete", text)
	}
	return nil
}

// Source tells where a Snapshot came from.
type Source struct {
	Kind string `json:"kind"` // cluster, bundle, folder, file, stdin, example
	Name string `json:"name,omitempty"`
	// Node is set when the evidence was gathered for one node only.
	Node string `json:"node,omitempty"`
	// Bundle is the file that the evidence was saved in; all else here is then what the bundle says of itself, and whoever wrote
	// it can say anything.
	Bundle string `json:"bundle,omitempty"`
}

// Server is the API server behind the evidence.
type Server struct {
	Version  string `json:"version,omitempty"`  // "v1.36.3"; empty: unknown
	Provider string `json:"provider,omitempty"` // aks, eks, gke, or empty
}

// OneNode reports whether only what concerns Node was gathered. Of files, Node is only who is asked about.
func (s Source) OneNode() bool { return s.Node != "" && s.Kind == "cluster" }

func (s Source) String() string {
	out := strings.TrimSpace(s.Kind + " " + s.Name)
	if s.Bundle != "" {
		out = "bundle " + s.Bundle + ", said to be of " + cmp.Or(out, "nothing")
	}
	if s.Node != "" {
		out += ", node " + s.Node
	}
	return out
}
