package facts

import (
	"maps"
	"slices"
	"time"
)

// SortedKeys returns the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// ParseTime parses a time of the cloud. It returns zero if there is none.
func ParseTime(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s)
	return t.UTC()
}

// OrUnknown returns the text, or "unknown" if it is empty.
func OrUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// Percent returns part as a percentage of whole, rounded down.
func Percent(part, whole uint64) int {
	if whole == 0 {
		return 0
	}
	return int(float64(part) / float64(whole) * 100)
}

// TheNode returns the name of a node, or "the node" if it is unknown.
func TheNode(name string) string {
	if name == "" {
		return "the node"
	}
	return name
}
