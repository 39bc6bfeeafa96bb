package signatures

import "strings"

// asksForDigits reports whether a pattern may ask for certain digits. Those of repeats and of classes of all digits are none.
func asksForDigits(pattern string) bool {
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case isDigit(c):
			return true
		case c == '\\':
			i++
			if i < len(pattern) && (isDigit(pattern[i]) || strings.IndexByte("xpPQ", pattern[i]) >= 0) {
				return true
			}
		case c == '{':
			if end := strings.IndexByte(pattern[i:], '}'); end > 0 && strings.Trim(pattern[i+1:i+end], "0123456789,") == "" {
				i += end
			}
		case c == '[':
			if class, _, found := strings.Cut(pattern[i:], "]"); found && strings.Contains(class, "0-9") {
				i += len(class)
			}
		}
	}
	return false
}
