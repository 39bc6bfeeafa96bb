package evidence

import "fmt"

// Fact is a truth value with a third state: not read, or unknown.
type Fact uint8

// The zero value is Unknown.
const (
	Unknown Fact = iota
	True
	False
)

// Known converts an observed bool to a Fact.
func Known(b bool) Fact {
	if b {
		return True
	}
	return False
}

func (f Fact) String() string { return [...]string{"unknown", "true", "false"}[f] }

// MarshalText writes true, false or unknown.
func (f Fact) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (f *Fact) UnmarshalText(text []byte) error {
	switch string(text) {
	case "true":
		*f = True
	case "false":
		*f = False
	case "unknown", "":
		*f = Unknown
	default:
		return fmt.Errorf("fact %q: use true, false or unknown", text)
	}
	return nil
}
