package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// placesOf returns where commands of a remedy run, each place once.
func placesOf(m *catalog.Remedy, commands []shell.Text) (out []string) {
	for _, c := range commands {
		if _, place := m.Placed(c); !c.IsComment() && !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	return out
}

// heading names the place of commands; "" if they have several, which rows between them name.
func heading(m *catalog.Remedy, commands []shell.Text) string {
	if places := placesOf(m, commands); len(places) == 1 {
		return on(places[0])
	}
	return ""
}

// atPlaces returns commands without the marks of their places. If they have several places, a comment comes before each command
// that runs at another place than the one before it, because people paste a block on one machine. A change by "nodetriage repair" and
// the command of the cloud after it are the same change.
func atPlaces(m *catalog.Remedy, commands []shell.Text) []shell.Text {
	several := len(placesOf(m, commands)) > 1
	var out, comments []shell.Text
	last, planned := "", false
	for _, c := range commands {
		if c.IsComment() { // it belongs to the next command
			comments = append(comments, c)
			continue
		}
		bare, place := m.Placed(c)
		plans := several && strings.HasPrefix(string(bare), "nodetriage repair ")
		if several && place != last {
			out = append(out, placeRow(place, planned))
		}
		if plans && !planned {
			out = append(out, "# shows a plan; add --apply to carry it out:")
		}
		out = append(append(out, comments...), bare)
		comments, last, planned = nil, place, plans
	}
	return append(out, comments...)
}

// firstOfPlaces says where to start with commands of several places. It is empty if they have one, or if a step in words comes first.
func firstOfPlaces(m *catalog.Remedy, commands []shell.Text) string {
	if len(commands) == 0 || commands[0].IsComment() || len(placesOf(m, commands)) < 2 {
		return ""
	}
	_, place := m.Placed(commands[0])
	return "start " + cmp.Or(on(place), "on your workstation")
}

// placeRow is the comment before the commands of a place. planned: nodetriage can do the same.
func placeRow(place string, planned bool) shell.Text {
	switch place {
	case "node":
		return "# ON THE NODE:"
	case "cloud-cli":
		if planned {
			return "# INSTEAD OF nodetriage repair, WITH THE CLOUD CLI:"
		}
		return "# WITH THE CLOUD CLI:"
	case catalog.ControlPlane:
		return "# ON A CONTROL PLANE NODE:"
	}
	return "# ON YOUR WORKSTATION:"
}
