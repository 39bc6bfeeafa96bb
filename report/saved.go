package report

import (
	"fmt"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/wording"
)

const screenSaved = 3

// saved shows the archives of agents, and the files they are fetched into before the nodes are changed. It shows the newest
// archive of each node; the wide form shows all.
func saved(c canvas, list []plan.Saved) {
	rows, hidden := newestOf(list, c.wide())
	limit := c.limit(screenSaved, len(rows))
	for i, s := range rows[:limit] {
		switch {
		case s.File == "":
			c.labelled("agent", "what it may have saved on node "+s.Node+" cannot be fetched: "+s.NotFetched)
		case s.NotFetched != "":
			c.labelled("agent", "what it saved on node "+s.Node+", "+s.File+", is not fetched: "+s.NotFetched)
		default:
			text := "saved evidence on node " + s.Node + " at " + wording.Instant(s.At)
			if s.Why != "" {
				text += " (" + s.Why + ")"
			}
			if hidden[i] > 0 {
				text += fmt.Sprintf(", and %d more", hidden[i])
			}
			c.labelled("agent", text+"; it is fetched before, as")
			c.command(s.Path)
		}
	}
	c.left(len(rows)-limit, labels, "of an agent", "of agents")
}

// newestOf returns each node's first archives that can and cannot be fetched, with how many similar ones follow; or all.
func newestOf(list []plan.Saved, all bool) (rows []plan.Saved, hidden []int) {
	type kind struct {
		node string
		fit  bool
	}
	at := map[kind]int{}
	for _, s := range list {
		k := kind{s.Node, s.NotFetched == ""}
		if i, known := at[k]; known && !all {
			hidden[i]++
			continue
		}
		at[k] = len(rows)
		rows, hidden = append(rows, s), append(hidden, 0)
	}
	return rows, hidden
}
