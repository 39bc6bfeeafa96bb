package redact

import (
	"math"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// looksRandom reports whether a value is generated and not chosen by a person: at least least bytes, with more mixed
// letters and digits than words and object names have.
func looksRandom(v string, least int) bool {
	if len(v) < least || ofOtherForm(v) {
		return false
	}
	m := mixOf(v)
	switch {
	case m.other > len(v)/4, m.lower+m.upper == 0:
		return false
	case m.upper == 0 && strings.ContainsAny(v, "/:"):
		return false
	}
	need, ok := m.needs(v)
	return ok && len(v) >= need.length && m.changes >= need.changes && entropy(v) >= need.entropy
}

// randomness is what a text with a mix of characters must reach to be random.
type randomness struct {
	length  int
	changes int     // between classes of characters
	entropy float64 // bits per byte
}

// needs returns what a text with this mix must reach: the fewer classes it has, the more. It returns false if people write
// such texts.
func (m mix) needs(v string) (randomness, bool) {
	switch {
	case m.digits > 0 && m.lower > 0 && m.upper > 0:
		return randomness{0, 3, 2.5}, true
	case m.digits > 1 && m.upper+m.lower > 1 && m.other == 0:
		return randomness{12, 4, 2.5}, true
	case m.digits > 0 && m.other > 0:
		return randomness{16, 6, 3.2}, strings.IndexByte(v, '.') < 0
	case m.upper > 4 && m.lower > 4:
		return randomness{24, len(v) / 3, 3.8}, true
	}
	return randomness{}, false
}

// ofOtherForm reports whether a value is a URL, a digest, an ID, a version, a call, or a user-chosen name.
func ofOtherForm(v string) bool {
	switch {
	case strings.ContainsAny(v, " \t@"), strings.Contains(v, "://"), strings.Contains(v, "()"), strings.HasPrefix(v, "sha256:"):
		return true
	}
	return uuid.MatchString(v) || nameLike(v) || versionLike.MatchString(v)
}

// mix counts the characters of a text by class, and the changes between classes.
type mix struct{ lower, upper, digits, other, changes int }

func mixOf(v string) (m mix) {
	var last *int
	for i := range len(v) {
		class := &m.other
		switch b := v[i]; {
		case isLower(b):
			class = &m.lower
		case isUpper(b):
			class = &m.upper
		case '0' <= b && b <= '9':
			class = &m.digits
		}
		*class++
		if class != last && last != nil {
			m.changes++
		}
		last = class
	}
	return m
}

var (
	uuid        = lazyregexp.New(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	versionLike = lazyregexp.New(`^[vV]?\d+(?:\.\d+)+(?:[-+][\w.+-]*)?$|^\d{4}-\d\d-\d\dT`)
)

// entropy returns the entropy in bits per byte.
func entropy(v string) float64 {
	var counts [256]int
	for i := range len(v) {
		counts[v[i]]++
	}
	out := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(v))
			out -= p * math.Log2(p)
		}
	}
	return out
}
