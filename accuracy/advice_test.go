package accuracy

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
)

// The first screen of each case advises for the parts that its evidence names: no command is for another network plugin only, no
// unit of a kubelet is another one than the named one, and the impact does not contradict the rows around it.
func TestAdviceFitsTheEvidence(t *testing.T) {
	list := sharedWorld(t).Cases
	problems := make([][]string, len(list))
	parallel(len(list), func(i int) {
		a := list[i].Base()
		text, err := a.Text()
		if err != nil {
			problems[i] = []string{err.Error()}
			return
		}
		problems[i] = adviceProblems(text, a.Report)
		if len(a.Report.Findings) > 0 {
			said := textOfCase(list[i])
			f := &a.Report.Findings[0]
			problems[i] = slices.Concat(problems[i], repeated(f, said), foreignProducts(f, said), cutFixes(text, f))
		}
	})
	for i, c := range list {
		for _, p := range problems[i] {
			t.Errorf("%s: %s", c.Name, p)
		}
	}
}

func adviceProblems(screen string, r *triage.Report) []string {
	var out []string
	if p := impactProblem(screen, r); p != "" {
		out = append(out, p)
	}
	if len(r.Findings) == 0 {
		return out
	}
	f := &r.Findings[0]
	said, advice := saidOf(f), adviceOf(f)
	here, there := components.In(said, components.Network), components.In(advice, components.Network)
	fits := slices.ContainsFunc(there, func(c *components.Component) bool {
		return slices.ContainsFunc(here, func(o *components.Component) bool { return components.Together(c, o) })
	})
	if len(here) > 0 && len(there) > 0 && !fits {
		out = append(out, "the evidence names "+here[0].Name+", and the advice "+there[0].Name+":\n"+advice)
	}
	if unit := snapUnit.FindString(said); unit != "" && kubeletUnit.MatchString(advice) {
		out = append(out, "the evidence names the unit "+unit+", and the advice kubelet:\n"+advice)
	}
	if p := objectProblem(screen, f); p != "" {
		out = append(out, p)
	}
	return out
}

var (
	impactRows  = regexp.MustCompile(`(?m)^Impact .*(?:\n        .*)*`)
	snapUnit    = regexp.MustCompile(`snap\.microk8s\.daemon-kubel[a-z]+`)
	kubeletUnit = regexp.MustCompile(`\bsystemctl [a-z-]+(?: --now)? kubelet\b`)
)

// saidOf returns what the evidence of a finding says.
func saidOf(f *triage.Finding) string {
	out := f.Summary + "\n"
	for _, e := range f.Evidence {
		out += e.Text + "\n"
	}
	return out
}

// adviceOf returns the first check and the first remedy of a finding, which the first screen shows.
func adviceOf(f *triage.Finding) string {
	var out strings.Builder
	if len(f.Confirm) > 0 {
		out.WriteString(string(f.Confirm[0].Run) + "\n")
	}
	if len(f.Remedies) > 0 {
		out.WriteString(f.Remedies[0].Title + "\n")
		for _, c := range f.Remedies[0].Commands {
			out.WriteString(string(c) + "\n")
		}
	}
	return out.String()
}

// impactProblem returns what the rows about the impact contradict; "" if nothing.
func impactProblem(screen string, r *triage.Report) string {
	head := impactRows.FindString(screen)
	says := strings.Join(strings.Fields(head), " ")
	nodes := r.Impact != nil && len(r.Impact.Nodes) > 0
	pods := r.Impact != nil && len(r.Impact.Pods) > 0
	switch {
	case strings.Contains(says, "no nodes") || nodes && strings.Contains(says, "nodes are not in"):
		return "the impact denies nodes:\n" + head
	case pods && strings.Contains(says, "pods are not in"):
		return "the impact denies pods:\n" + head
	}
	return ""
}

// objectProblem returns how the row about the objects of the cause differs from the quoted line; "" if they agree.
func objectProblem(screen string, f *triage.Finding) string {
	if len(f.Evidence) == 0 {
		return ""
	}
	e := f.Evidence[0]
	names := func(s evidence.Subject) bool {
		return s.Name != "" && strings.Contains(e.Text+" "+e.Locator+" "+e.Source, s.Name)
	}
	quoted := slices.IndexFunc(f.Subjects, names)
	_, rest, _ := strings.Cut(strings.Join(strings.Fields(screen), " "), "("+f.Cause+")")
	row, _, _ := strings.Cut(rest, e.Source)
	if quoted < 0 || strings.Contains(strings.ToLower(row), strings.ToLower(f.Subjects[quoted].Kind)) {
		return ""
	}
	return "the cause row does not name the " + f.Subjects[quoted].String() + " of the quoted line:\n" + screen
}
