package accuracy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// moreNames matches the count of names that a row leaves out.
var moreNames = regexp.MustCompile(` and \d+ more`)

// seesPods matches a command that shows the pods.
var seesPods = regexp.MustCompile(`kubectl get [a-z,]*\bpods\b`)

// hurtProblem returns what the rows about the impact lack: the nodes that the first finding is about or that its evidence names,
// what does not work, or that the evidence does not show it. "" if they lack nothing.
func hurtProblem(screen string, a Answer) string {
	f := a.First()
	says := strings.Join(strings.Fields(impactRows.FindString(screen)), " ")
	for _, s := range slices.Concat(f.Subjects, f.Named) {
		if strings.ContainsAny(s.Name, "[]: ") && (s.Kind == "Node" || s.Kind == "Pod") {
			return fmt.Sprintf("%q is not the name of an object:\n%s", s.Name, screen)
		}
	}
	for _, node := range nodesOf(f, a.objects) {
		if !strings.Contains(says, node) && !moreNames.MatchString(says) {
			return fmt.Sprintf("the impact does not name the node %s:\n%s", node, screen)
		}
	}
	known := a.Report.Impact != nil && len(a.Report.Impact.Pods)+len(a.Report.Impact.Checked) > 0
	full := strings.Count(screen, "\n") >= rowsOfTerminal-1 // it may leave out the command
	switch {
	case f.Impact == "":
		return "the cause " + f.Cause + " has no impact"
	case notJoined.MatchString(says) && ofNewMachine(a):
	case !strings.Contains(strings.ToLower(says), lastWords(impactOf(a))):
		return fmt.Sprintf("the impact does not say %q:\n%s", f.Impact, screen)
	case !known && !full && !seesPods.MatchString(screen):
		return "no row says how to see the pods:\n" + screen
	}
	return ""
}

// notJoined matches the impact of a machine that is not in the cluster.
var notJoined = regexp.MustCompile(`machine (?:has not joined|cannot join) the cluster`)

// ofNewMachine reports whether the evidence shows a machine that does not join, and no node of the cluster.
func ofNewMachine(a Answer) bool {
	nodes := a.Report.Impact != nil && len(a.Report.Impact.Nodes) > 0
	return !nodes && slices.ContainsFunc(a.Report.Symptoms, func(s triage.Symptom) bool {
		return slices.Contains([]string{"bootstrap-failed", "node-never-came", "node-not-registered"}, s.ID)
	})
}

// impactOf returns the impact of the first finding, without what it says of running pods if the evidence shows none.
func impactOf(a Answer) string {
	impact := a.First().Impact
	if a.Report.Impact == nil {
		return impact
	}
	if running, known := a.Report.Impact.Pods[triage.PodRunning]; known && running == 0 {
		impact, _, _ = strings.Cut(impact, "; ")
	}
	return impact
}

// lastWords returns the end of the impact of a cause, which is the same for one node and for several.
func lastWords(says string) string {
	words := strings.Fields(strings.ToLower(says))
	return words[len(words)-1]
}

// nodesOf returns the nodes that a finding is about, and the known nodes that its evidence names.
func nodesOf(f *triage.Finding, known []evidence.Subject) []string {
	var out []string
	add := func(s evidence.Subject) {
		if s.Kind == "Node" && s.Name != "" && !slices.Contains(out, s.Name) {
			out = append(out, s.Name)
		}
	}
	for _, s := range slices.Concat(f.Subjects, f.Named) {
		add(s)
	}
	for _, s := range known {
		word := regexp.MustCompile(`(?:^|[Nn]ode"?[ =/:]+\\*"?)` + regexp.QuoteMeta(s.Name) + `(?:$|[\s"\\])`)
		if s.Name != "" && slices.ContainsFunc(f.Evidence, func(e evidence.Ref) bool { return e.By == "" && word.MatchString(strings.TrimSpace(e.Text)) }) {
			add(s)
		}
	}
	return out
}
