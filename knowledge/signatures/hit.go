package signatures

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// Hit returns the matched part of a text, or "".
func (s *Signature) Hit(text string) string {
	if hit := s.hitOf(text); hit != "" {
		return hit
	}
	// A nested message matches after its quotes are unescaped.
	if hit := s.hitOf(unescape(text)); strings.Contains(text, hit) {
		return hit
	}
	return ""
}

func (s *Signature) hitOf(text string) string {
	if at := s.re().Find(prefilter.NewText(withoutHost(text))); at != nil {
		return text[at[0]:at[1]]
	}
	return ""
}
