package report

import (
	"fmt"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Drawings are inline SVG. A number of pixels becomes an attribute by number; g.Attr writes everything else and escapes it.

func number(name string, n int) g.Node { return g.Attr(name, strconv.Itoa(n)) }

// drawing draws an SVG of a size. label is its name for screen readers.
func drawing(large bool, width, height int, label string, inside ...g.Node) g.Node {
	return scroll(g.El("svg", g.If(large, h.Class("large")), number("width", width), number("height", height),
		viewBox(width, height), h.Role("img"), h.Aria("label", label), newline, g.Group(inside)))
}

func viewBox(width, height int) g.Node {
	return g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", width, height))
}

// ornament marks an element that only repeats the text next to it.
func ornament() g.Node { return h.Aria("hidden", "true") }

func rect(class string, x, y, width, height, round int) g.Node {
	return leaf("rect", h.Class(class), number("x", x), number("y", y), number("width", width), number("height", height), number("rx", round))
}

// path draws a line or a shape in SVG's path language.
func path(d string) g.Node { return g.Attr("d", d) }

// svgText draws a text in a drawing.
func svgText(class string, x, y int, inside ...g.Node) g.Node {
	return g.El("text", g.If(class != "", h.Class(class)), number("x", x), number("y", y), g.Group(inside))
}

// tip draws a tooltip for an element of a drawing.
func tip(text string) g.Node { return g.El("title", g.Text(text)) }
