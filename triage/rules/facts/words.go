package facts

import (
	"maps"
	"slices"
	"time"
)

// SortedKeys are the keys of a map, in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// ParseTime reads a time of the cloud; zero if there is none.
func ParseTime(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s)
	return t.UTC()
}

// OrUnknown is a text, or "unknown" for none.
func OrUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// Percent is a part of a whole, rounded down.
func Percent(part, whole uint64) int {
	if whole == 0 {
		return 0
	}
	return int(float64(part) / float64(whole) * 100)
}

// TheNode names a node in a sentence, where the evidence tells its name or not.
func TheNode(name string) string {
	if name == "" {
		return "the node"
	}
	return name
}
