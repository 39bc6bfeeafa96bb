package signatures

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

const (
	minLiteral  = 5       // bytes; shorter ones would match every other line
	maxPattern  = 2 << 10 // bytes of one pattern
	maxLiterals = 64      // alternatives of one pattern
)

// Valid values of fields.
var (
	certainties = []Certainty{Certain, Likely, Possible, ""}
	textKinds   = []string{"log", "event", "condition", "status", "command", "cloud"}
	runtimes    = []string{Silent, Answers, ""}
	provables   = []string{Cloud, ""}
)

// compile checks the signature and prepares it for matching.
func (s *Signature) compile() error {
	if !isID(s.ID) {
		return fmt.Errorf("signature %q: the id must be in kebab case", s.ID)
	}
	for _, check := range []func() error{s.checkSays, s.checkValues, s.checkStart, s.checkReferences, s.checkPatterns} {
		if err := check(); err != nil {
			return fmt.Errorf("signature %s: %w", s.ID, err)
		}
	}
	s.prepare()
	return nil
}

// checkSays: only a signature that ends something may have no cause.
func (s *Signature) checkSays() error {
	ends := len(s.Ends)+len(s.Outlives) > 0
	if isID(s.Says) || s.Says == "" && ends {
		return nil
	}
	return fmt.Errorf("says %q: name a cause or a symptom", s.Says)
}

// checkValues checks the fields that have a fixed set of values.
func (s *Signature) checkValues() error {
	for _, speaker := range s.Speakers {
		if !logline.Known(speaker) {
			return fmt.Errorf("unknown speaker %q: see docs/knowledge.md", speaker)
		}
	}
	if !slices.Contains(certainties, s.Certainty) {
		return fmt.Errorf("certainty %q: use certain, likely or possible", s.Certainty)
	}
	for _, kind := range s.Kinds {
		if !slices.Contains(textKinds, kind) {
			return fmt.Errorf("kind %q: use one of %s", kind, strings.Join(textKinds, ", "))
		}
	}
	if !slices.Contains(runtimes, s.Runtime) {
		return fmt.Errorf("runtime %q: use %s or %s", s.Runtime, Silent, Answers)
	}
	if !slices.Contains(provables, s.Provable) {
		return fmt.Errorf("provable %q: use %s", s.Provable, Cloud)
	}
	return nil
}

func (s *Signature) checkStart() error {
	if s.Start != nil && (s.Start.Words == "" || s.Start.Takes <= 0) {
		return errors.New("start: say the words that every start prints, and how long it takes")
	}
	return nil
}

func (s *Signature) checkReferences() error {
	switch {
	case s.JudgedBy != "" && !isID(s.JudgedBy):
		return fmt.Errorf("judgedBy %q: name a rule", s.JudgedBy)
	case s.Source == "":
		return errors.New("source is missing: say where the wording was read")
	}
	return nil
}

// checkPatterns checks the expressions and stores the literals of the pattern.
func (s *Signature) checkPatterns() error {
	if len(s.Pattern) > maxPattern || len(s.Not) > maxPattern {
		return fmt.Errorf("pattern is longer than %d bytes", maxPattern)
	}
	tree, err := syntax.Parse("(?i)"+s.Pattern, syntax.Perl)
	if err != nil {
		return fmt.Errorf("pattern: %w", err)
	}
	if !s.differIn(tree.CapNames()) {
		return fmt.Errorf("differ %q: name two groups of the pattern", s.Differ)
	}
	if _, err := syntax.Parse("(?i)"+s.Not, syntax.Perl); err != nil {
		return fmt.Errorf("not: %w", err)
	}
	s.literals = required(tree)
	switch n := len(s.literals); {
	case n == 0:
		return fmt.Errorf("pattern has no fixed run of %d letters in every branch: add one", minLiteral)
	case n > maxLiterals:
		return fmt.Errorf("pattern has %d alternatives, more than %d: split it", n, maxLiterals)
	}
	return nil
}

// differIn reports whether Differ is empty, or contains two of the names.
func (s *Signature) differIn(names []string) bool {
	return len(s.Differ) == 0 || len(s.Differ) == 2 && slices.Contains(names, s.Differ[0]) && slices.Contains(names, s.Differ[1])
}

func isID(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		case r == '-' && i > 0 && i < len(s)-1:
		default:
			return false
		}
	}
	return true
}
