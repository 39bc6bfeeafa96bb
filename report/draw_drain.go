package report

import (
	"fmt"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// drawDrain draws each pod that leaves or blocks: from which node, to where, and what blocks it. Blocked pods come first, then the
// others in the order of the drain.
func drawDrain(d *drain.Plan) g.Node {
	list := append(append(of(d, drain.Block), of(d, drain.Wait)...), of(d, drain.Evict)...)
	shown := list[:min(len(list), htmlRows)]
	more := ""
	if left := len(list) - len(shown); left > 0 {
		more = fmt.Sprintf("and %d more (-o json has all)", left)
	}
	return titled("Pods that move", len(list), g.Group{
		scroll(h.Table(h.Class("drain"), head(th("Pod"), th("From node"), th("To node"), th("When"), th("Blocked by")),
			h.TBody(newline, g.Map(shown, drawLeaving)))),
		paragraph("dim", more),
	})
}

func drawLeaving(pod drain.Pod) g.Node {
	to, class := goesTo(pod)
	by, when := blockers(pod), fmt.Sprintf("wave %d", pod.Wave)
	switch pod.Action {
	case drain.Block:
		when, class = "blocked", "bad"
	case drain.Wait:
		when = "terminating"
	}
	return row(tdOf("mono", pod.Key()), tdOf("mono", pod.Node), h.Td(h.Strong(h.Class(class), g.Text("→ ")), g.Text(to)), tdOf("nowrap "+class, when), td(by))
}

// goesTo returns where the replacement of a pod runs.
func goesTo(pod drain.Pod) (says, class string) {
	has := func(k drain.Kind) bool {
		return slices.ContainsFunc(pod.Blockers, func(b drain.Blocker) bool { return b.Kind == k })
	}
	switch {
	case has(drain.Unmanaged):
		return "nowhere: no controller creates it again", "bad"
	case has(drain.NoRoom):
		return "no node has room", "bad"
	case pod.Placement == placement.Fits:
		return "another node", "good"
	case pod.Placement == placement.Unknown:
		return "not known from this evidence", ""
	}
	return string(pod.Placement), "warn"
}

func blockers(pod drain.Pod) string {
	names := apply(pod.Blockers, func(b drain.Blocker) string { return joined(" ", string(b.Kind), b.Name) })
	if len(names) == 0 {
		return "-"
	}
	return strings.Join(names, ", ")
}
