package ignore

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/triage"
)

// Limits of what is read: both sources may be untrusted.
const (
	maxFile  = 1 << 20 // bytes
	maxText  = 300     // bytes of a reason or a name
	maxNotes = 20
)

// day is the format of a last day.
const day = "2006-01-02"

// Exception is one cause on one or more subjects that is not reported until a day.
type Exception struct {
	Cause   string `json:"cause"`
	Subject string `json:"subject"` // node/NAME, pod/NAMESPACE/NAME, KIND if it has no name; * in a name matches any characters
	triage.Exception

	object evidence.Subject // from an annotation; zero: Subject applies
	end    time.Time        // when it expires
}

// List is all exceptions of a run.
type List struct {
	all   []Exception
	notes []string // invalid exceptions
}

// Read reads a file of exceptions. Unknown causes, unknown keys and missing keys are errors, all returned together. suggest returns
// a hint for an unknown cause.
func Read(name string, data []byte, known func(cause string) bool, suggest func(cause string) string) (*List, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("read %s: larger than %d KiB", name, maxFile>>10)
	}
	var file struct {
		Exceptions []struct {
			Cause   string `json:"cause"`
			Subject string `json:"subject"`
			Until   string `json:"until"`
			Why     string `json:"why"`
			Who     string `json:"who"`
		} `json:"exceptions"`
	}
	if err := bounds.YAMLStrict(data, &file); err != nil {
		return nil, fmt.Errorf("read %s: %w; an entry has cause, subject, until, why and who", name, err)
	}
	if len(file.Exceptions) == 0 {
		return nil, fmt.Errorf("read %s: no exceptions found: write a list under exceptions:", name)
	}
	l := &List{}
	var errs []error
	for i, x := range file.Exceptions {
		where := fmt.Sprintf("%s, entry %d", name, i+1)
		e := Exception{Cause: x.Cause, Subject: x.Subject, Exception: triage.Exception{Until: x.Until, Why: bounded(x.Why), Who: bounded(x.Who), Where: where}}
		if err := e.complete(known, suggest); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", where, err))
			continue
		}
		if err := e.checkSubject(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", where, err))
		}
		if x.Who == "" {
			errs = append(errs, fmt.Errorf("%s: who is missing: name a contact", where))
		}
		l.all = append(l.all, e)
	}
	return l, errors.Join(errs...)
}

// complete checks the required fields and sets the end.
func (e *Exception) complete(known func(string) bool, suggest func(string) string) error {
	switch {
	case e.Cause == "":
		return errors.New("cause is missing")
	case !known(e.Cause):
		return fmt.Errorf("unknown cause %q: %s", bounded(e.Cause), suggest(e.Cause))
	case e.Until == "":
		return errors.New("until is missing: give the last day, for example 2026-12-31")
	case strings.TrimSpace(e.Why) == "":
		return errors.New("why is missing")
	}
	last, err := time.Parse(day, e.Until)
	if err != nil {
		return fmt.Errorf("until %q: use a day such as 2026-12-31", bounded(e.Until))
	}
	e.end = last.AddDate(0, 0, 1)
	return nil
}

func (e *Exception) checkSubject() error {
	if e.Subject == "" {
		return errors.New("subject is missing: node/NAME, pod/NAMESPACE/NAME")
	}
	if _, err := path.Match(strings.ToLower(asSpelled(e.Subject)), ""); err != nil || len(e.Subject) > maxText || strings.Count(e.Subject, "*") > 8 {
		return fmt.Errorf("subject %q: use node/NAME or pod/NAMESPACE/NAME; * matches any characters", bounded(e.Subject))
	}
	return nil
}

// For returns the first exception for a cause on a subject that has not expired at that time, or nil. If the time is zero, none has
// expired.
func (l *List) For(now time.Time, cause string, on evidence.Subject) *triage.Exception {
	for i := range l.all {
		if e := &l.all[i]; e.Cause == cause && !e.ended(now) && e.about(on) {
			return &e.Exception
		}
	}
	return nil
}

// Notes returns the exceptions that expired before that time, and those that could not be parsed.
func (l *List) Notes(now time.Time) []string {
	var out []string
	for _, e := range l.all {
		if e.ended(now) {
			out = append(out, fmt.Sprintf("an exception expired on %s: %s on %s (%s)", e.Until, e.Cause, e.Subject, e.Where))
		}
	}
	out = append(out, l.notes...)
	if left := len(out) - maxNotes; left > 0 {
		out = append(out[:maxNotes], fmt.Sprintf("and %d more", left))
	}
	return out
}

// Unmatched reports the exceptions of files that left out nothing, because their subject may be misspelled or gone: those of the
// ids that a run can find, and that have not expired. used are the exceptions that left something out.
func (l *List) Unmatched(now time.Time, found func(id string) bool, used []triage.Exception) []string {
	if l == nil {
		return nil
	}
	var out []string
	for _, e := range l.all {
		judged := e.object == (evidence.Subject{}) && found(e.Cause) && !e.ended(now)
		if judged && !slices.ContainsFunc(used, func(u triage.Exception) bool { return u.Where == e.Where }) {
			out = append(out, fmt.Sprintf("%s on %s (%s)", e.Cause, e.Subject, e.Where))
		}
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return []string{"1 exception matches no finding: " + out[0]}
	case 2:
		return []string{"2 exceptions match no finding: " + out[0] + ", " + out[1]}
	}
	return []string{fmt.Sprintf("%d exceptions match no finding: %s, %s and %d more", len(out), out[0], out[1], len(out)-2)}
}

// Join returns the exceptions of both lists.
func (l *List) Join(other *List) *List {
	if l == nil || other == nil {
		return cmp.Or(l, other)
	}
	return &List{slices.Concat(l.all, other.all), slices.Concat(l.notes, other.notes)}
}

// Empty reports whether there are no exceptions and no notes.
func (l *List) Empty() bool { return l == nil || len(l.all)+len(l.notes) == 0 }

func (e *Exception) ended(now time.Time) bool { return !now.IsZero() && !now.Before(e.end) }

func (e *Exception) about(on evidence.Subject) bool {
	if e.object != (evidence.Subject{}) {
		return e.object == on
	}
	ok, err := path.Match(strings.ToLower(asSpelled(e.Subject)), strings.ToLower(spelled(on)))
	return err == nil && ok
}

// asSpelled returns a subject of a file as spelled writes it. The form that nodetriage prints has a space: Pod shop/web-0.
func asSpelled(subject string) string {
	kind, name, printed := strings.Cut(strings.TrimSpace(subject), " ")
	if !printed {
		return kind
	}
	return kind + "/" + strings.TrimSpace(name)
}

// spelled returns a subject as a file of exceptions writes it.
func spelled(s evidence.Subject) string {
	parts := []string{s.Kind, s.Namespace, s.Name}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "/")
}

func bounded(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "..."
	}
	return strings.Join(strings.Fields(text), " ")
}
