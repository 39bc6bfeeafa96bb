package accuracy

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// libraryOf selects one case in that many.
const libraryOf = 8

// Next to manuals, lists of packages, source code, configuration and questions, a case has the same first answer, and no new
// finding.
func TestLibraryBesideCases(t *testing.T) {
	texts := library(t)
	w := sharedWorld(t)
	var cases []*Case
	for _, c := range w.Cases {
		if c.unfit() == "" && chance(FigureSeed, "library", c.Name).IntN(libraryOf) == 0 {
			cases = append(cases, c)
		}
	}
	problems := make([]string, len(cases))
	parallel(len(cases), func(i int) {
		c := cases[i]
		got := w.Engine.Judge(append(append(Files{}, c.Files...), texts...).FS())
		if p := sameFirst(c, got); p.Reason != "" {
			problems[i] = p.Detail
			return
		}
		known := map[string]bool{}
		for _, f := range c.Base().Report.Findings {
			known[f.Cause] = true
		}
		for _, f := range got.Report.Findings {
			if !known[f.Cause] {
				problems[i] = "also finds " + f.Cause + ": " + evidenceOf(f)
			}
		}
	})
	for i, p := range problems {
		if p != "" {
			t.Errorf("%s: %s", cases[i].Name, p)
		}
	}
	if len(cases) < 100 {
		t.Errorf("only %d cases were tried", len(cases))
	}
}

// library are texts that report no state, in a separate folder.
func library(t *testing.T) Files {
	t.Helper()
	var out Files
	for _, class := range []string{"reference", "configuration", "typed", "prose", "field"} {
		archive, err := txtar.ParseFile(filepath.Join("..", "collect", "testdata", "classes", class+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			out = append(out, File{"library/" + class + "/" + f.Name, string(f.Data)})
		}
	}
	return out
}

// asides are texts that repeat the words of a report without being one, by kind.
var asides = map[string]func(words string) (name, text string){
	"a question":       func(words string) (string, string) { return "mail.txt", "Hello, is it possible that " + words + "?\n" },
	"another question": func(words string) (string, string) { return "mail.txt", "What does \"" + words + "\" mean?\n" },
	"a search": func(words string) (string, string) {
		return "terminal.txt", "$ journalctl | grep '" + words + "'\n$ \n"
	},
	"a search as root": func(words string) (string, string) {
		return "terminal.txt", "root@w1:~# grep -c \"" + words + "\" /var/log/messages\n0\n"
	},
	"advice": func(words string) (string, string) {
		return "out.txt", "This is likely caused by:\n  - " + words + "\n"
	},
	"a list of causes":    func(words string) (string, string) { return "out.txt", "Possible causes:\n1. " + words + "\n" },
	"a comment":           func(words string) (string, string) { return "notes.txt", "// " + words + "\n" },
	"a comment of a file": func(words string) (string, string) { return "lvm.conf", "# " + words + "\n" },
	"a line of code":      func(words string) (string, string) { return "paste.txt", "\treturn fmt.Errorf(\"" + words + "\")\n" },
	"a source file":       func(words string) (string, string) { return "main.go", "package main\n\nvar text = `" + words + "`\n" },
	"a help text": func(words string) (string, string) {
		return "help.txt", "Usage:\n  tool [flags]\n\nFlags:\n  --hint  " + words + "\n"
	},
	"a manual": func(words string) (string, string) {
		return "man.txt", "TOOL(8)                 Manual                 TOOL(8)\n\nDESCRIPTION\n       " + words + "\n"
	},
	"a label": func(words string) (string, string) { return "pod.txt", "Annotations:  note: " + words + "\n" },
	"an alert rule": func(words string) (string, string) {
		return "rules.txt", "groups:\n- name: n\n  rules:\n  - alert: A\n    annotations:\n      description: " + words + "\n"
	},
	"a test": func(words string) (string, string) {
		return "report.xml", "<testsuite name=\"n\">\n<testcase name=\"x\"/>\n" + words + "\n</testsuite>\n"
	},
}

// The text of a signature is not a finding if a person asks about it, searches it, advises or documents it. Each signature is played in a
// fifth of the forms, others each day.
func TestAsidesAreNoReports(t *testing.T) {
	w := sharedWorld(t)
	examples := examplesIn(w, func(text string) bool {
		return len(text) < 400 && !strings.Contains(strings.ToLower(text), "passw") // redaction takes the end of such a sentence along
	})
	var ids []string
	for _, sig := range w.Engine.signatures.All() {
		if examples[sig.ID] != "" {
			ids = append(ids, sig.ID)
		}
	}
	found := make([]string, len(ids))
	parallel(len(ids), func(i int) {
		words := strings.NewReplacer("'", " ", `"`, " ", "`", " ").Replace(examples[ids[i]])
		for form, make := range asides {
			if !ofToday(5, ids[i], form) {
				continue
			}
			for _, f := range w.Engine.Judge(files(make(words))).Report.Findings {
				found[i] += fmt.Sprintf("\n    in %s: %s, %s", form, f.Cause, f.Certainty)
			}
		}
		if found[i] != "" {
			found[i] = fmt.Sprintf("%.200s", words) + found[i]
		}
	})
	for i, text := range found {
		if text != "" {
			t.Errorf("%s: %s", ids[i], text)
		}
	}
	t.Logf("%d signatures in %d forms", len(ids), len(asides))
	if len(ids) < 1000 {
		t.Errorf("only %d signatures were tried", len(ids))
	}
}
