package accuracy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// rowsOfTerminal is what a terminal of 80 columns and 24 rows shows beside the prompt.
const rowsOfTerminal = 23

// Every answer fits one screen of 80 x 24, and the screen has the verdict, the impact, the first cause and its first fix.
func TestFirstScreen(t *testing.T) {
	list := sharedWorld(t).Cases
	problems := make([]string, len(list))
	shown, decisive := make([]bool, len(list)), 0
	parallel(len(list), func(i int) {
		a := list[i].Base()
		text, err := a.Text()
		if err != nil {
			problems[i] = err.Error()
			return
		}
		problems[i] = screenProblem(text, a)
		shown[i] = shows(text, list[i].Truth.Decisive)
	})
	seen := 0
	for i, c := range list {
		if problems[i] != "" {
			t.Errorf("%s: %s", c.Name, problems[i])
		}
		if len(c.Truth.Decisive) > 0 {
			decisive++
			if shown[i] {
				seen++
			} else if testing.Verbose() {
				t.Logf("%s: the decisive line is not on the first screen", c.Name)
			}
		}
	}
	t.Logf("%d answers on one screen; %d of %d decisive lines are on it", len(list), seen, decisive)
}

// screenProblem returns what is wrong with the first screen of an answer; "" if nothing is.
func screenProblem(text string, a Answer) string {
	rows := 0
	for line := range strings.Lines(text) {
		rows += max(1, (wording.Columns(strings.TrimRight(line, "\n"))+79)/80)
	}
	if strings.Contains(text, shell.CheckPrints) && !strings.Contains(text, "\nCHECK") {
		return "a fix refers to a check that is not on the screen:\n" + text
	}
	if rows > rowsOfTerminal {
		return fmt.Sprintf("%d rows:\n%s", rows, text)
	}
	f := a.First()
	if f == nil {
		return ""
	}
	want := []string{strings.ToUpper(string(a.Report.Verdict)), "Impact", "(" + f.Cause + ")"}
	if len(f.Remedies) > 0 {
		want = append(want, "FIX")
	}
	all := strings.Join(strings.Fields(text), " ")
	for _, w := range want {
		if !strings.Contains(all, w) {
			return fmt.Sprintf("the first screen lacks %q:\n%s", w, text)
		}
	}
	if len(f.Remedies) > 0 && !slices.ContainsFunc(f.Remedies[:min(len(f.Remedies), 2)], func(m catalog.Remedy) bool { return begins(all, m.Title) }) {
		return "neither of the first two fixes is on the first screen:\n" + text
	}
	return hurtProblem(text, a)
}

var brackets = regexp.MustCompile(` \([^)]*\)`)

// begins reports whether a text has the first words of the title of a fix. A condition before it, brackets and a clause after it may
// be left out. If the first fix only looks, it is a check on the screen, and the second is the fix.
func begins(text, title string) bool {
	first := brackets.ReplaceAllString(shell.Sentences(title)[0], "")
	for _, part := range strings.Split(first, ", ") {
		words := strings.Fields(part)
		opening := strings.TrimRight(strings.Join(words[:min(len(words), 3)], " "), ".,:;")
		if strings.Contains(strings.ToLower(text), "fix "+strings.ToLower(opening)) {
			return true
		}
	}
	return false
}
