package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Operations writes cloud operations for a terminal.
func Operations(w io.Writer, o *lists.Operations, style Style) error {
	return operationList(cleaned(o)).writeText(w, style)
}

// OperationsMarkdown writes it for a ticket.
func OperationsMarkdown(w io.Writer, o *lists.Operations) error {
	return operationList(cleaned(o)).writeMarkdown(w)
}

// OperationsHTML writes it as one self-contained page.
func OperationsHTML(w io.Writer, o *lists.Operations, version string) error {
	return operationList(cleaned(o)).writeHTML(w, "operations", version)
}

func operationList(o *lists.Operations) list {
	standing := grid{columns: []column{{"NAME", always}, {"KIND", always}, {"STATE", always}, {"POWER", 1}, {"VERSION", 2}}}
	for _, x := range o.States {
		standing.rows = append(standing.rows, gridRow{cells: []string{dash(x.Name), x.Kind, dash(x.State), dash(x.Power), dash(x.Version)}, odd: x.Odd})
	}
	t := grid{columns: []column{
		{"OPERATION", always}, {"ON", always}, {"STATUS", always}, {"AGO", always}, {"CALLER", 1}, {"STEPS", 5}, {"STARTED", 3}, {"TOOK", 2}, {"ID", 4},
	}}
	for _, x := range o.Operations {
		began, took := "-", "-"
		if x.Began != nil {
			began = wording.Instant(*x.Began)
			if x.Ended != nil {
				took = wording.Duration(x.Ended.Sub(*x.Began))
			}
		}
		status := dash(x.Status)
		if x.Later {
			status += ", later succeeded"
		}
		t.rows = append(t.rows, gridRow{cells: []string{
			dash(ending(x.Operation, 2)), dash(ending(x.Resource, 1)), status, ageOf(x.Began, o.TakenAt), dash(x.Caller), strconv.Itoa(x.Steps), began, took, dash(x.ID),
		}, odd: x.Odd})
	}
	l := list{head: o.Head, tables: withRows(t), narrow: "--status, --caller, --since, --pool POOL, --problems"}
	if len(standing.rows) > 0 {
		l.tables = append([]grid{standing}, l.tables...)
	}
	switch n := t.odd(); {
	case len(o.Operations) == 0 && o.Hidden > 0:
		l.says = noneMatch(o.Head, "cloud operation")
	case len(o.Operations) == 0 && o.Verdict == triage.Unclear:
		l.says = "The evidence has no cloud operations."
	case len(o.Operations) == 0:
		l.says = "No cloud operations found."
	case n > 0:
		l.says = fmt.Sprintf("%s, %d failed or not finished", wording.Count(len(o.Operations), "cloud operation"), n) + hiddenSays(o.Hidden, o.Filters)
	default:
		l.says = wording.Count(len(o.Operations), "cloud operation") + ", none failed" + hiddenSays(o.Hidden, o.Filters)
	}
	return l
}

// ending returns the last n parts of a path.
func ending(path string, n int) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return strings.Join(parts[max(len(parts)-n, 0):], "/")
}
