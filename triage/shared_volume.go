package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// minVolume is the minimum length of a volume name that no other word of a message contains, such as pvc- and a UID.
const minVolume = 12

// sharesVolume reports whether a message of the effect names the volume of the root. The node that does not let go of a volume explains
// the pod that waits for it on another node.
func sharesVolume(root, effect *statement) bool {
	return slices.ContainsFunc(root.volumes(), func(volume string) bool {
		return slices.ContainsFunc(effect.claims, func(c Claim) bool {
			return slices.ContainsFunc(c.Evidence, func(e evidence.Ref) bool { return strings.Contains(e.Text, volume) })
		})
	})
}

// volumes returns the volumes that the messages of a statement name.
func (st *statement) volumes() (out []string) {
	for _, c := range st.claims {
		if volume := c.Fill["volume"]; len(volume) >= minVolume {
			out = append(out, volume)
		}
	}
	return out
}

// elsewhereWithVolume returns the statements of an id on other nodes that name a volume of the root.
func (g *graph) elsewhereWithVolume(root *statement, id string) (out []*statement) {
	if len(root.volumes()) == 0 {
		return nil
	}
	for _, st := range g.byID[id] {
		if elsewhere := st.place.name != "" && st.place.name != root.place.name; elsewhere && sharesVolume(root, st) {
			out = append(out, st)
		}
	}
	return out
}
