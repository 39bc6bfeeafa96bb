package evidence

import (
	"maps"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Kinds of texts with matches. A signature may be limited to some of them.
const (
	TextLog       = "log"
	TextEvent     = "event"
	TextCondition = "condition"
	TextStatus    = "status"
	TextCommand   = "command"
	TextCloud     = "cloud"
)

// Match is one signature in a text: the first matching line, and the number of matches.
type Match struct {
	Signature string  `json:"signature"`
	Kind      string  `json:"kind"` // one of the Text constants
	Ref       Ref     `json:"ref"`  // the first line
	Subject   Subject `json:"subject,omitzero"`
	Count     int     `json:"count"`
	LastText  string  `json:"lastText,omitempty"` // the last line, if there are several; bounded
	// First and Last are its times. They are zero if a log has no year and the time of the evidence is unknown.
	First    time.Time         `json:"first,omitzero"`
	Last     time.Time         `json:"last,omitzero"`
	Event    *Event            `json:"-"`                 // if the text is an event
	Context  []string          `json:"context,omitempty"` // a few lines before and after
	Captures map[string]string `json:"captures,omitempty"`
	// Foreign are the names of captures with untrusted text. They do not fill placeholders of commands.
	Foreign []string `json:"foreign,omitempty"`
	// Speaker is the component that wrote the text.
	Speaker logline.Speaker `json:"speaker,omitempty"`
	// Channel is the path by which the text entered the evidence.
	Channel Channel `json:"channel,omitempty"`
	// OfApplication is true for a text of an application, which is not a component.
	OfApplication bool `json:"ofApplication,omitempty"`
	// Block is the part of the source with the line: the status of one unit, the output of one command. 0: the
	// part before the first one, or the source has one part.
	Block int `json:"block,omitempty"`
	// Line and LastLine are the line numbers of the first and last match in the source; 0: none.
	Line     int `json:"line,omitempty"`
	LastLine int `json:"lastLine,omitempty"`
	// Until is the time of the last line in its block, from any writer; zero: unknown.
	Until time.Time `json:"until,omitzero"`
	// Quiet is how long its writer continues to log after the last match; 0: it does not, or unknown.
	Quiet time.Duration `json:"quiet,omitempty"`
	// Silent is how long its complete log has no other line of its writer, if there is no proof that the writer runs.
	// The problem is over, or the writer hangs.
	Silent time.Duration `json:"silent,omitempty"`
	// Span is the time from its first line to its last one.
	Span time.Duration `json:"span,omitempty"`
	// Rebooted reports that the machine rebooted after it.
	Rebooted bool `json:"rebooted,omitempty"`
}

// Fill returns the captures that may fill placeholders of commands.
func (m *Match) Fill() map[string]string {
	if len(m.Foreign) == 0 {
		return m.Captures
	}
	out := maps.Clone(m.Captures)
	maps.DeleteFunc(out, func(name, _ string) bool { return slices.Contains(m.Foreign, name) })
	return out
}

// Join adds another match of the same signature.
func (m *Match) Join(other *Match) {
	m.Count += other.Count
	if m.First.IsZero() || !other.First.IsZero() && other.First.Before(m.First) {
		m.First = other.First
	}
	if other.Last.After(m.Last) {
		m.Last, m.LastText = other.Last, other.Ref.Text
	}
}

// Hear sets the channel of the match. Text that does not come from a component counts as an application's.
func (m *Match) Hear(c Channel) {
	m.Channel = c
	if !c.Speaks() {
		m.OfApplication, m.Speaker, m.Captures = true, logline.Application, nil
	}
}

// Line is a line with a problem, with or without a matching signature.
type Line struct {
	Ref     Ref             `json:"ref"` // its last occurrence
	Subject Subject         `json:"subject,omitzero"`
	Speaker logline.Speaker `json:"speaker,omitempty"`
	Channel Channel         `json:"channel,omitempty"`
	Gravity logline.Gravity `json:"gravity"`
	Count   int             `json:"count"`
	Block   int             `json:"block,omitempty"`
	Number  int             `json:"number"` // line number, from 1
	// After is the number of following lines in its block; 0: the last line.
	After int `json:"after"`
	// LastBeforeExit means that the next entry is the exit of a process, so this is its last message.
	LastBeforeExit bool      `json:"parting,omitempty"`
	Time           time.Time `json:"time,omitzero"`
	// Quiet and Rebooted are the same as in Match.
	Quiet    time.Duration `json:"quiet,omitempty"`
	Rebooted bool          `json:"rebooted,omitempty"`
}

// Often is the minimum number of occurrences of a message that continues to the end of its text.
const Often = 10

// GoesOn reports whether the message repeats up to the last twentieth of its text.
func (l *Line) GoesOn() bool { return l.Count >= Often && 20*l.After <= l.Number }

// Subject is the object of a statement. The zero Subject means that it is not in the evidence.
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

// PodSubject returns the subject of one pod.
func PodSubject(namespace, name string) Subject {
	return Subject{Kind: "Pod", Namespace: namespace, Name: name}
}

// ClusterSubject returns the subject for the whole cluster.
func ClusterSubject() Subject { return Subject{Kind: "Cluster"} }

// NodeOf returns the node of a subject; empty: unknown.
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
