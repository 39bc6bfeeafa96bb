package signatures

import "strings"

// Hit is the part of a text that the signature recognises, as it stands there, or "".
func (s *Signature) Hit(text string) string {
	if hit := s.re().FindString(text); hit != "" {
		return hit
	}
	// A nested message is recognised with its quotes made readable.
	if hit := s.re().FindString(unescape(text)); strings.Contains(text, hit) {
		return hit
	}
	return ""
}
