package components

import (
	"slices"
	"strings"
)

// In returns the components of a role that a text names, in the order of the table.
func In(text string, role Role) []*Component {
	var out []*Component
	for _, c := range all {
		if c.Role == role && c.Called != nil && c.Called.MatchString(text) {
			out = append(out, c)
		}
	}
	return out
}

// Together reports whether two components are parts of one network: the same, or one that runs with the other.
func Together(a, b *Component) bool {
	return a == b || slices.Contains(a.With, b.Name) || slices.Contains(b.With, a.Name)
}

// AgentOf returns the network plugin whose agents a word of a command selects by a part of their names, or nil.
func AgentOf(word string) *Component {
	word = strings.ToLower(word)
	return first(func(c *Component) bool {
		return c.Role == Network && slices.ContainsFunc(c.Agents, func(agent string) bool { return strings.Contains(agent, word) })
	})
}
