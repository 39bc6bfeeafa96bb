package evidence

import (
	"maps"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Text kinds a Match can come from; a signature may be limited to some of them.
const (
	TextLog       = "log"
	TextEvent     = "event"
	TextCondition = "condition"
	TextStatus    = "status"
	TextCommand   = "command"
	TextCloud     = "cloud"
)

// Match is one signature found in a text: the first line that shows it, and how often it came.
type Match struct {
	Signature string            `json:"signature"`
	Kind      string            `json:"kind"` // one of the Text constants
	Ref       Ref               `json:"ref"`  // the first line
	Subject   Subject           `json:"subject,omitzero"`
	Count     int               `json:"count"`
	LastText  string            `json:"lastText,omitempty"` // the last line, where there were several; bounded
	First     time.Time         `json:"first,omitzero"`
	Last      time.Time         `json:"last,omitzero"`
	Event     *Event            `json:"-"`                 // that the text is
	Context   []string          `json:"context,omitempty"` // a few lines before and after
	Captures  map[string]string `json:"captures,omitempty"`
	// Foreign are the names of captures that hold somebody else's words: they fill no command.
	Foreign []string `json:"foreign,omitempty"`
	// Speaker is the component whose words the text is.
	Speaker logline.Speaker `json:"speaker,omitempty"`
	// Channel is how the text entered the evidence.
	Channel Channel `json:"channel,omitempty"`
	// OfApplication is true for the words of an application: they speak for no component.
	OfApplication bool `json:"ofApplication,omitempty"`
	// Block is the part of the source that the line stands in: one unit's status, one command's output. 0: the source is one.
	Block int `json:"block,omitempty"`
	// Line and LastLine are the numbers of the first and the last line in the source; 0: it has none.
	Line     int `json:"line,omitempty"`
	LastLine int `json:"lastLine,omitempty"`
	// Until is the time of the last line of its block, whoever wrote that; zero: not known.
	Until time.Time `json:"until,omitzero"`
	// Quiet is for how long the log goes on after its last line by who writes it; 0: it does not, or nothing tells.
	Quiet time.Duration `json:"quiet,omitempty"`
	// Silent is for how long its log, which was saved to its end, has no other line of it, where nothing tells that who writes it
	// works: it is over, or its writer hangs.
	Silent time.Duration `json:"silent,omitempty"`
	// Span is the time from its first line to its last one.
	Span time.Duration `json:"span,omitempty"`
	// Rebooted tells that the machine started anew after it.
	Rebooted bool `json:"rebooted,omitempty"`
}

// Fill returns the captures that may fill a command.
func (m *Match) Fill() map[string]string {
	if len(m.Foreign) == 0 {
		return m.Captures
	}
	out := maps.Clone(m.Captures)
	maps.DeleteFunc(out, func(name, _ string) bool { return slices.Contains(m.Foreign, name) })
	return out
}

// Join counts another match of the signature with this one.
func (m *Match) Join(other *Match) {
	m.Count += other.Count
	if m.First.IsZero() || !other.First.IsZero() && other.First.Before(m.First) {
		m.First = other.First
	}
	if other.Last.After(m.Last) {
		m.Last, m.LastText = other.Last, other.Ref.Text
	}
}

// Hear says through which channel the match came: where that is not the word of a component, it is an application's.
func (m *Match) Hear(c Channel) {
	m.Channel = c
	if !c.Speaks() {
		m.OfApplication, m.Speaker, m.Captures = true, logline.Application, nil
	}
}

// Line is a line of a text that tells of trouble, whether or not a signature knows it.
type Line struct {
	Ref     Ref             `json:"ref"` // its last occurrence
	Subject Subject         `json:"subject,omitzero"`
	Speaker logline.Speaker `json:"speaker,omitempty"`
	Channel Channel         `json:"channel,omitempty"`
	Gravity logline.Gravity `json:"gravity"`
	Count   int             `json:"count"`
	Block   int             `json:"block,omitempty"`
	Number  int             `json:"number"` // of the line, from 1
	// After is how many lines follow in its block: 0 is the last one.
	After int `json:"after"`
	// Parting says that the next thing in the text is the exit of a process: it is the last that was said before.
	Parting bool      `json:"parting,omitempty"`
	Time    time.Time `json:"time,omitzero"`
	// Quiet and Rebooted are as those of a match.
	Quiet    time.Duration `json:"quiet,omitempty"`
	Rebooted bool          `json:"rebooted,omitempty"`
}

// Often is how many times a message comes at the least that goes on to the end of its text.
const Often = 10

// GoesOn reports whether the message came again and again, up to the last twentieth of its text.
func (l *Line) GoesOn() bool { return l.Count >= Often && 20*l.After <= l.Number }

// Subject is what a statement is about. The zero Subject is "the evidence does not say".
type Subject struct {
	Kind      string `json:"kind"` // Node, Pod, Pool, Zone, Cluster, Deployment, ...
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// IsZero reports whether the evidence names no subject.
func (s Subject) IsZero() bool { return s == Subject{} }

func (s Subject) String() string {
	switch {
	case s.IsZero():
		return "unknown"
	case s.Namespace != "":
		return s.Kind + " " + s.Namespace + "/" + s.Name
	case s.Name == "":
		return s.Kind
	}
	return s.Kind + " " + s.Name
}

// NodeSubject and PodSubject spell the two usual subjects.
func NodeSubject(name string) Subject { return Subject{Kind: "Node", Name: name} }

// PodSubject is the subject of one pod.
func PodSubject(namespace, name string) Subject {
	return Subject{Kind: "Pod", Namespace: namespace, Name: name}
}

// ClusterSubject is the subject of a statement about the cluster as a whole.
func ClusterSubject() Subject { return Subject{Kind: "Cluster"} }

// NodeOf is the node that a subject is, or is on; empty: not known.
func (s *Snapshot) NodeOf(about Subject) string {
	switch about.Kind {
	case "Node":
		return about.Name
	case "Pod":
		if p := s.Pod(about.Namespace, about.Name); p != nil {
			return p.Node
		}
	}
	return ""
}
