package main

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// decisiveWords match the part of a message that decides what to do: what a decoder expected and found, the rejected field, the
// locked scope.
var decisiveWords = regexp.MustCompile(`expects [^,]{1,40}, but found [^,\s]+|cannot unmarshal \S+ into Go [^,)]+|unknown field \\?"[^"\s]+"|locked: '[^']+'`)

// placeRows match the rows that name the place of the commands below them.
var placeRows = regexp.MustCompile(`^# (?:ON|WITH) [A-Z ]+:$`)

// brokenScreens match what no screen may show.
var brokenScreens = map[string]*regexp.Regexp{
	"a caution without its end":                regexp.MustCompile(`(?m)^  (?:Caution:|DO NOT) .*(?:\n  \S.*)*\.\.\.$`),
	"a proof of success without its end":       regexp.MustCompile(`(?m)^VERIFY .*(?:\n {8}\S.*)*\.\.\.$`),
	"commands of two places in one block":      regexp.MustCompile(` # on: [a-z-]+`),
	"two headings of a check":                  regexp.MustCompile(`(?ms)^CHECK .*^CHECK `),
	"running pods where no pod runs":           regexp.MustCompile(`(?m)(?:running pods|its pods run|the pods keep running)[^\n]*(?:\n {8}.*)*\n {8}(?:The node runs no pods|No pods are running)$`),
	"a link of a web page in place of a name":  regexp.MustCompile(`webhook\s+\[[^\]\s]+\]\(http`),
	"an event of an unknown object":            regexp.MustCompile(`event of unknown`),
	"an address twice in front of its message": regexp.MustCompile(`CRI (unix://\S+): CRI\s+unix://`),
}

// mostWithoutCommands limits how many screens name the page of a cause in place of the commands of their fix. It may only decrease.
const mostWithoutCommands = 72

// pageInstead matches the row of such a screen.
var pageInstead = regexp.MustCompile(`(?m)^  Commands: nodetriage explain `)

// Every recorded case has an answer on one screen that shows no command twice and does not cut what decides.
func TestScreensOfCases(t *testing.T) {
	t.Parallel()
	list, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	know, err := ask.NewKnowledge("v0")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	next := make(chan string)
	var without atomic.Int64
	for range runtime.NumCPU() {
		wait.Go(func() {
			for path := range next {
				d, err := ask.Diagnose(t.Context(), ask.From{Source: ask.Files{Paths: []string{path}}, Knowledge: know}, ask.DiagnoseOptions{})
				if err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				var screen bytes.Buffer
				if err := report.Text(&screen, d.Report, report.Style{Width: 80}); err != nil {
					t.Errorf("%s: %v", path, err)
				}
				if pageInstead.MatchString(screen.String()) {
					without.Add(1)
				}
				for _, problem := range screenProblems(d.Report, screen.String()) {
					t.Errorf("%s: %s\n%s", path, problem, screen.String())
				}
			}
		})
	}
	for _, c := range list {
		next <- c.Name
	}
	close(next)
	wait.Wait()
	if n := without.Load(); n > mostWithoutCommands {
		t.Errorf("%d screens leave out the commands of the fix, at most %d may", n, mostWithoutCommands)
	}
}

// screenProblems returns which laws a screen breaks.
func screenProblems(r *triage.Report, screen string) []string {
	var out []string
	if n := strings.Count(screen, "\n"); n > 23 {
		out = append(out, fmt.Sprint(n, " rows"))
	}
	var seen []string
	names := false // a row that says what the command below it prints
	for row := range strings.Lines(continuedRow.ReplaceAllString(screen, " ")) {
		command, ok := strings.CutPrefix(strings.TrimRight(row, "\n"), strings.Repeat(" ", 5))
		source, place := names || strings.Contains(command, "# prints "), placeRows.MatchString(command)
		names = source && strings.HasPrefix(command, "# ")
		if !ok || source || place || strings.HasPrefix(command, " ") {
			continue
		}
		if slices.Contains(seen, command) {
			out = append(out, "twice: "+command)
		}
		seen = append(seen, command)
	}
	for what, law := range brokenScreens {
		if law.MatchString(screen) {
			out = append(out, what)
		}
	}
	if len(r.Findings) == 0 {
		return out
	}
	shown := packed(screen)
	for _, e := range r.Findings[0].Evidence {
		found := decisiveWords.FindAllString(e.Text, -1)
		if e.Hit != "" && len(found) > 0 && !strings.Contains(shown, packed(found[len(found)-1])) {
			out = append(out, "cut: "+found[len(found)-1])
		}
		if e.Hit != "" {
			break // the decisive piece of evidence
		}
	}
	return out
}

// packed returns a text without white space. A screen wraps its texts.
func packed(text string) string { return strings.Join(strings.Fields(text), "") }
