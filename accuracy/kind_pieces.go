package accuracy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

var pieces = kind{
	name: "pieces",
	says: "the texts as people paste them: without the heads of tables and descriptions, twice, or wrapped at 80 columns",
	goal: "no object is invented, nothing counts twice, the first answer is not wrong",
	variants: func(*Case) []string {
		return []string{noHeads, twice, twoFiles, wrapped}
	},
	change: func(p Play) (Files, string) {
		if p.Case.Files.bundled() {
			return nil, "a bundle: its texts are part of it"
		}
		out := pieceOf[p.Variant](p.Case.Files)
		if slices.Equal(out, p.Case.Files) {
			return nil, "it holds nothing of the form that changes"
		}
		return out, ""
	},
	judge: func(p Play, got Answer) Problem {
		if problem := notWrong(p, got); problem.Reason != "" {
			return problem
		}
		if problem := invented(p.Case, got); problem.Reason != "" {
			return problem
		}
		return countedTwice(p.Case, got)
	},
}

const (
	noHeads  = "without heads"
	twice    = "twice in one file"
	twoFiles = "in two files"
	wrapped  = "wrapped"
)

var pieceOf = map[string]func(Files) Files{
	noHeads: func(files Files) Files {
		return files.texts(func(text string) string {
			return unlines(slices.DeleteFunc(lines(text), isHead))
		})
	},
	twice: func(files Files) Files {
		return files.texts(func(text string) string {
			text = strings.TrimSuffix(text, "\n") + "\n"
			if strings.Count(text, "\n") == 1 { // a repeated message may be two messages
				return text
			}
			return text + text
		})
	},
	twoFiles: func(files Files) (out Files) {
		for _, f := range files {
			out = append(out, f, File{"again/" + f.Name, f.Text})
		}
		return out
	},
	wrapped: func(files Files) Files {
		return files.texts(func(text string) string {
			var out []string
			for _, l := range lines(text) {
				out = append(out, wrap(l, 80)...)
			}
			return unlines(out)
		})
	},
}

// texts changes the files that are not objects, and drops those that become empty.
func (f Files) texts(change func(string) string) (out Files) {
	for _, file := range f {
		if !file.objects() && file.Text != "" {
			file.Text = change(file.Text)
		}
		if file.Text != "" {
			out = append(out, file)
		}
	}
	return out
}

// isHead reports whether a line is the head of a table, or names the subject of a description.
func isHead(l string) bool {
	for _, re := range []*regexp.Regexp{nodesHeader, podsHeader, anyHeader, eventHeader, pageStart, commandLine} {
		if re.MatchString(l) {
			return true
		}
	}
	return false
}

// wrap wraps a line at a terminal width.
func wrap(l string, width int) (out []string) {
	runes := []rune(l)
	for len(runes) > width {
		out = append(out, string(runes[:width]))
		runes = runes[width:]
	}
	return append(out, string(runes))
}

// notWrong compares the first finding with the confirmed cause. A text without its head or in pieces may prove nothing. Pasted
// twice it proves the same.
func notWrong(p Play, got Answer) Problem {
	f := got.First()
	switch {
	case p.Variant == twice, p.Variant == twoFiles:
		return sameFirst(p.Case, got)
	case f == nil, f.Certainty == triage.Possible, p.Case.Truth.Accepts(f.Cause), f.Cause == first(p.Case.Base()):
		return Problem{}
	}
	return Problem{"wrong", f.Cause, fmt.Sprintf("first is %s, %s, it was %s: %s", f.Cause, f.Certainty, first(p.Case.Base()), evidenceOf(*f))}
}

// invented compares the nodes and pods that were read with those of the unchanged case. Without the head of its table a pod has
// no namespace.
func invented(c *Case, got Answer) Problem {
	for _, s := range got.objects {
		known := slices.ContainsFunc(c.Base().objects, func(o evidence.Subject) bool { return o.Kind == s.Kind && o.Name == s.Name })
		if !known {
			return Problem{"an object is invented", s.Kind, s.String() + " is not in the case"}
		}
	}
	return Problem{}
}

// objectsOf returns the named nodes and pods of a snapshot.
func objectsOf(s *evidence.Snapshot) (out []evidence.Subject) {
	for _, n := range s.Nodes() {
		if n.Name != "" {
			out = append(out, n.Subject())
		}
	}
	for _, p := range s.Pods() {
		if p.Name != "" {
			out = append(out, p.Subject())
		}
	}
	return out
}

var times = regexp.MustCompile(`\((\d+) times`)

// countedTwice compares how often the lines of each finding were seen, and on how many objects, with the unchanged case.
func countedTwice(c *Case, got Answer) Problem {
	for _, f := range got.Report.Findings {
		before := c.Base().Finding(f.Cause)
		if before == nil {
			continue
		}
		if is, was := seen(&f), seen(before); is > was && !counted(c.Files, is) {
			return Problem{"a count is higher", f.Cause, fmt.Sprintf("%s was seen %d times, it was %d", f.Cause, is, was)}
		}
		if is, was := len(f.Subjects), len(before.Subjects); is > was {
			return Problem{"more objects have it", f.Cause, fmt.Sprintf("%s is on %v, it was on %v", f.Cause, f.Subjects, before.Subjects)}
		}
	}
	return Problem{}
}

// counted reports whether an event in the files says that it was seen so often: a finding may now rest on it.
func counted(files Files, n int) bool {
	return strings.Contains(files.String(), fmt.Sprintf("(x%d ", n))
}

// seen returns the count of the most frequent line of a finding.
func seen(f *triage.Finding) (most int) {
	for _, r := range f.Evidence {
		if m := times.FindStringSubmatch(r.Locator); m != nil {
			n, _ := strconv.Atoi(m[1])
			most = max(most, n)
		}
	}
	return max(most, 1)
}
