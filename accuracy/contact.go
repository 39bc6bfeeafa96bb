package accuracy

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/triage"
)

// Contact is what the program says of one incident that nobody tuned it with.
type Contact struct {
	Name      string
	Truth     cases.Truth
	First     string
	Certainty triage.Certainty
	Right     bool // the first finding is the cause or an accepted neighbour
	Shown     bool // a decisive line is in the report
	Wrong     bool // another cause is first, and at least likely
	Silent    bool // nothing is found
}

// Solid reports whether the evidence tells the cause, and more than one line of it.
func (c Contact) Solid() bool { return !c.Truth.Thin }

// Certain reports whether a wrong answer is certain.
func (c Contact) Certain() bool { return c.Wrong && c.Certainty == triage.Certain }

// MeetIncidents judges the incidents below a folder.
func MeetIncidents(e *Engine, root string) ([]Contact, error) {
	recorded, err := Read(root, e)
	if err != nil {
		return nil, err
	}
	if len(recorded) == 0 {
		return nil, fmt.Errorf("read incidents %s: no folder with truth.yaml and evidence/", root)
	}
	out := make([]Contact, len(recorded))
	errs := make([]error, len(recorded))
	parallel(len(recorded), func(i int) { out[i], errs[i] = meet(recorded[i]) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func meet(c *Case) (Contact, error) {
	a := c.Base()
	if a.Broke != "" {
		return Contact{}, fmt.Errorf("judge %s: %s", c.Name, a.Broke)
	}
	text, err := a.Text()
	if err != nil {
		return Contact{}, err
	}
	m := Contact{Name: path.Base(c.Name), Truth: c.Truth, First: first(a), Silent: a.First() == nil}
	if f := a.First(); f != nil {
		m.Certainty = f.Certainty
		m.Right = c.Truth.Accepts(f.Cause)
		m.Wrong = !m.Right && f.Certainty != triage.Possible
	}
	m.Shown = shows(text, c.Truth.Decisive)
	if c.Truth.Class == cases.Other {
		m.Right = !m.Wrong && m.Shown
	}
	return m, nil
}

// shows reports whether a text holds one of the parts. Blanks do not count: the report wraps long lines anywhere.
func shows(text string, parts []string) bool {
	text = unspaced(text)
	return slices.ContainsFunc(parts, func(p string) bool {
		p = unspaced(p)
		return p != "" && strings.Contains(text, p)
	})
}

// unspaced is a text without what wrapping adds and what a report does not repeat: the marks of escaped quotes.
func unspaced(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\\' {
			return -1
		}
		return r
	}, s)
}

// Round is the figures of one meeting with incidents.
type Round struct {
	Date      string `json:"date"`
	What      string `json:"what"` // where the incidents are from, and what the program knew of them
	Incidents int    `json:"incidents"`
	Right     int    `json:"right"`
	Solid     int    `json:"solid"`
	SolidTrue int    `json:"solidRight"`
	Decisive  int    `json:"decisive"` // incidents that name a decisive line
	Shown     int    `json:"shown"`
	Wrong     int    `json:"wrong"`
	Certain   int    `json:"wrongAndCertain"`
	Silent    int    `json:"silent"`
}

// Totals are the figures of contacts.
func Totals(contacts []Contact) (r Round) {
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	for _, c := range contacts {
		r.Incidents++
		count(&r.Right, c.Right)
		count(&r.Solid, c.Solid())
		count(&r.SolidTrue, c.Solid() && c.Right)
		count(&r.Decisive, len(c.Truth.Decisive) > 0)
		count(&r.Shown, c.Shown)
		count(&r.Wrong, c.Wrong)
		count(&r.Certain, c.Certain())
		count(&r.Silent, c.Silent)
	}
	return r
}

// ContactsTSV is a line for each incident.
func ContactsTSV(contacts []Contact) string {
	var b strings.Builder
	b.WriteString("incident\tclass\tsecondary\tfirst\tconfidence\tsolid\tright\tshown\twrong\tsilent\n")
	for _, c := range contacts {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Name, c.Truth.Class, strings.Join(c.Truth.Secondary, ","), c.First,
			c.Certainty, yes(c.Solid()), yes(c.Right), shown(c), yes(c.Wrong), yes(c.Silent))
	}
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// shown is "-" where no line was named as the one that decides.
func shown(c Contact) string {
	if len(c.Truth.Decisive) == 0 {
		return "-"
	}
	return yes(c.Shown)
}
