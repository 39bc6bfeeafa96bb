package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// ownCommand matches a command of this program in an advice.
var ownCommand = regexp.MustCompile(`\bnodetriage (?:explain|why|drain|repair|verify|predict|check|nodes|pods|budgets)\b[^;#|&]*`)

// unread are the errors of commands that need evidence that the case does not have.
var unread = regexp.MustCompile(`the evidence (?:has no|does not have|contains (?:no|0 \w+)|\(0 [\w ]+\))|no kubeconfig|find a cluster`)

// Advice leads somewhere: each command that a result recommends runs, and is not refused for a reason that the result knew.
func TestAdviceWalk(t *testing.T) {
	list, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	know, err := ask.NewKnowledge("v0")
	if err != nil {
		t.Fatal(err)
	}
	list = ofToday(list, 4)
	problems, walked := make([][]string, len(list)), make([]int, len(list))
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wait.Go(func() {
			for i := range next {
				problems[i], walked[i] = walk(t, know, list[i].Name)
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	wait.Wait()
	steps := 0
	for i := range list {
		steps += walked[i]
		for _, p := range problems[i] {
			t.Errorf("%s: %s", list[i].Name, p)
		}
	}
	if steps < 50 {
		t.Errorf("only %d commands were walked", steps)
	}
	t.Logf("%d recommended commands of %d cases", steps, len(list))
}

// walk runs the commands that the diagnosis of a case recommends, and returns what is wrong and how many ran.
func walk(t *testing.T, know *ask.Knowledge, path string) (problems []string, ran int) {
	d, err := ask.Diagnose(t.Context(), ask.From{Source: ask.Files{Paths: []string{path}}, Knowledge: know}, ask.DiagnoseOptions{})
	if err != nil {
		return []string{err.Error()}, 0
	}
	for _, command := range recommended(d.Report) {
		args := strings.Fields(command)[1:]
		switch {
		case strings.ContainsAny(command, "<>"), slices.Contains(args, "--restore"):
			continue // a name is missing, or it acts on what a killed drain left
		case args[0] == "drain" && !slices.Contains(args, "--plan"):
			args = append(args, "--plan")
		}
		if args[0] != "explain" {
			args = append(args, "-f", path)
		}
		ran++
		if p := refused(args); p != "" {
			problems = append(problems, command+": "+p)
		}
	}
	for _, command := range nextOf(d.Report, path) {
		ran++
		switch args := strings.Fields(command)[1:]; {
		case !slices.Contains(args, path):
			problems = append(problems, command+": it does not read the evidence of this answer")
		default:
			if p := refused(args); p != "" {
				problems = append(problems, command+": "+p)
			}
		}
	}
	return problems, ran
}

// ownRow matches the command that an answer recommends, in rows of their own.
var ownRow = regexp.MustCompile(`(?m)^ {5}(nodetriage (?:diagnose|why|verify|nodes|pods|drain) .*)$`)

// continuedRow matches where a long command is continued.
var continuedRow = regexp.MustCompile(` \\\n +`)

// nextOf returns the commands that the lists of the evidence and the verification of its first node recommend.
func nextOf(r *triage.Report, path string) []string {
	if r.Impact == nil || len(r.Impact.Nodes) == 0 {
		return nil
	}
	asked := [][]string{{"nodes"}, {"pods"}, {"pools"}, {"budgets"}}
	if at := slices.IndexFunc(r.Findings, func(f triage.Finding) bool { return f.Subject.Kind == "Node" && f.Subject.Name != "" }); at >= 0 {
		asked = append(asked, []string{"verify", r.Findings[at].Subject.Name})
	}
	var out []string
	for _, args := range asked {
		var text bytes.Buffer
		root := newRoot()
		root.SetArgs(append(args, "-f", path))
		root.SetOut(&text)
		root.SetErr(&bytes.Buffer{})
		_ = root.Execute() // the verdict is not of interest, and some evidence has no such objects
		for _, m := range ownRow.FindAllStringSubmatch(continuedRow.ReplaceAllString(text.String(), " "), -1) {
			report := strings.Contains(m[1], " --report ") // of a node-check that runs before it
			if !strings.ContainsAny(m[1], "<>") && !report && !slices.Contains(out, m[1]) {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// recommended returns the commands of this program that a report recommends: in checks, fixes, gaps and for waiting pods. Of a
// fix it is the first one, because the steps before another may change what that finds.
func recommended(r *triage.Report) []string {
	var out []string
	add := func(text shell.Text) bool {
		found := ownCommand.FindString(string(text))
		if found = strings.TrimRight(found, " .,)`"); found != "" && !slices.Contains(out, found) {
			out = append(out, found)
		}
		return found != ""
	}
	for _, f := range r.Findings {
		if f.ExplainedBy != "" {
			continue // the finding that explains it is fixed first
		}
		for _, c := range f.Confirm {
			add(c.Run)
		}
		for _, m := range f.Remedies {
			_ = len(m.Commands) > 0 && add(m.Commands[0])
		}
	}
	for _, n := range r.NotChecked {
		add(n.How)
	}
	for _, w := range r.Waiting {
		add(w.How)
	}
	return out
}

// refused runs a command and returns why its answer contradicts the advice; "" if it does not.
func refused(args []string) string {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(append(args, "-o", "wide"))
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.Execute()
	var answered exitCode // a verdict, not an error
	if err != nil && !errors.As(err, &answered) && !unread.MatchString(err.Error()) {
		return err.Error()
	}
	if args[0] == "explain" || args[0] == "diagnose" {
		return ""
	}
	for _, circle := range []string{"kubelet-silent", "runtime-down", "refused   cause:"} {
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, circle) {
				return fmt.Sprintf("%s in the answer: %s", circle, strings.TrimSpace(line))
			}
		}
	}
	return ""
}
