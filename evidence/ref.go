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

// Ref is one piece of evidence: its location and its text, in the words of the source.
type Ref struct {
	Source     string    `json:"source"`     // "node/worker-1", "kubelet.log", "events"
	Locator    string    `json:"locator"`    // "line 12", ".status.conditions[Ready]"
	Text       string    `json:"text"`       // the exact text or field value, bounded
	ObservedAt time.Time `json:"observedAt"` // null in JSON if the evidence has no time
	// Hit is the part of Text that a signature matched; empty: all of it.
	Hit string `json:"hit,omitempty"`
	// Signature is the ID of the matching signature; empty: a rule read the text.
	Signature string `json:"signature,omitempty"`
	// By is ByApplication for text of an application; empty: for text of a component.
	By string `json:"by,omitempty"`
}

// Place returns the text and its location without the signature.
func (r Ref) Place() Ref {
	r.Hit, r.Signature = "", ""
	return r
}

// SamePlace reports whether other has the same text and location. Two signatures may match different parts of one line.
func (r Ref) SamePlace(other Ref) bool { return r.Place() == other.Place() }

// LineIn returns the line number at the start of a locator, as in "line 12 (3 times)"; 0: none.
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

// MarshalJSON writes an unknown time as null.
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

// Gap is evidence that could not be read, completely or in part, with the reason and a command to get it.
type Gap struct {
	What string     `json:"what"` // "events", "kubelet /metrics of node/worker-1"
	Why  string     `json:"why"`  // "forbidden: ..."
	How  shell.Text `json:"how,omitempty"`
	// Kind is set if a list of that kind was forbidden or incomplete; Everything: objects of any kind may be missing.
	Kind Kind `json:"kind,omitempty"`
	// OfText is set if the text itself shows the gap, so that reading a bundle with the text detects it again.
	OfText bool `json:"-"`
}

// Coverage is how much of a kind of object was read. Only Complete allows a conclusion from absence. Partial and Listed
// say nothing about the rest: a pasted fragment has Partial. A Gap of the kind reports that more exists than was read
// (Snapshot.Incomplete).
type Coverage int

// The zero value is "not read".
const (
	NotRead  Coverage = iota
	Partial           // some objects, or some fields of them
	Listed            // a list that may be complete: whether names or a selector were used is unknown
	Complete          // all objects of the scope
)

func (c Coverage) String() string { return [...]string{"not-read", "partial", "listed", "complete"}[c] }

// MarshalText writes not-read, partial, listed or complete.
func (c Coverage) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText parses the output of MarshalText.
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

// Source is the origin of a Snapshot.
type Source struct {
	Kind string `json:"kind"` // cluster, bundle, folder, file, stdin, example
	Name string `json:"name,omitempty"`
	// Node is set if the evidence was gathered for some nodes only. See Nodes.
	Node string `json:"node,omitempty"`
	// Bundle is the file of saved evidence. All other fields are then claims of the bundle, and its author is not
	// trusted.
	Bundle string `json:"bundle,omitempty"`
}

// betweenNodes separates names in Source.Node. No name of a node contains it.
const betweenNodes = ", "

// OfNodes returns Source.Node for evidence that was gathered for these nodes only; none: for all.
func OfNodes(names []string) string { return strings.Join(names, betweenNodes) }

// Nodes returns the nodes for which alone the evidence was gathered; nil: for all.
func (s Source) Nodes() []string {
	if s.Node == "" {
		return nil
	}
	return strings.Split(s.Node, betweenNodes)
}

// Server is the API server of the evidence.
type Server struct {
	Version  string `json:"version,omitempty"`  // "v1.36.3"; empty: unknown
	Provider string `json:"provider,omitempty"` // aks, eks, gke, or empty
}

// OneNode reports whether only evidence about Node was gathered. For files, Node only selects the subject.
func (s Source) OneNode() bool { return s.Node != "" && s.Kind == "cluster" }

func (s Source) String() string {
	out := strings.TrimSpace(s.Kind + " " + s.Name)
	if s.Bundle != "" {
		out = "bundle " + s.Bundle + " (labelled " + cmp.Or(out, "without a source") + ")"
	}
	if s.Node != "" {
		out += ", node " + s.Node
	}
	return out
}
