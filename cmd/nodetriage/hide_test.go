package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
	"github.com/nodetriage/nodetriage/triage"
)

// With aliases for all names the diagnosis of every case is the same, from the evidence and from its bundle, and contains no
// real name.
func TestHiddenNamesKeepTheDiagnosis(t *testing.T) {
	t.Parallel()
	k := builtinKnowledge(t)
	recorded, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	recorded = ofToday(recorded, 12)
	var names, hidden atomic.Int64
	t.Run("cases", func(t *testing.T) {
		for _, c := range recorded {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				h := hideCase(t, k, c)
				if h > 0 {
					hidden.Add(1)
				}
				names.Add(int64(h))
			})
		}
	})
	t.Logf("%d cases, %d of them with names, %d names", len(recorded), hidden.Load(), names.Load())
}

// osImage matches the name of a distribution, which people also use for machines.
var osImage = regexp.MustCompile(`"osImage":"[^"]*"`)

// hideCase compares the diagnosis of a case with that under aliases, and returns how many names it has.
func hideCase(t *testing.T, k *ask.Knowledge, c cases.Case) int {
	t.Helper()
	texts, err := bundle.NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer texts.Close()
	from := ask.From{Source: ask.Recording{Name: c.Name, Evidence: c.Evidence}, Knowledge: k}
	named, err := ask.Collect(t.Context(), from, ask.CollectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	open := k.Judge(named.Snapshot, time.Time{})
	from.Texts, from.HideNames = texts, func(*anonymize.Names) error { return nil }
	nameless, err := ask.Collect(t.Context(), from, ask.CollectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, names := nameless.Snapshot, nameless.Names
	leaks := leaksOf(names)
	report := k.Judge(s, time.Time{})
	if got, want := diagnosis(report), diagnosis(open); got != want {
		t.Errorf("the diagnosis without names differs:\n%s\nwant\n%s", got, want)
	}
	if got := underAliases(c, names).Judge(report); got != "" && c.Judge(open) == "" {
		t.Errorf("without names: %s", got)
	}
	if shown := leaks(reportOf(t, k, s)); shown != nil {
		t.Errorf("the report shows %q", shown)
	}
	var file bytes.Buffer
	if _, err := bundle.Write(context.Background(), &file, s, texts, bundle.Options{Tool: "test", Rename: names}); err != nil {
		t.Fatal(err)
	}
	again := collect.NewBuilder(evidence.Source{Kind: "file", Name: "bundle.tar.gz"}, k.Signatures)
	again.AddStream("bundle.tar.gz", bytes.NewReader(file.Bytes()))
	if got, want := diagnosis(k.Judge(again.Snapshot(), time.Time{})), diagnosis(open); got != want {
		t.Errorf("the diagnosis of the bundle without names differs:\n%s\nwant\n%s", got, want)
	}
	for name, text := range unpack(t, file.Bytes()).(fstest.MapFS) {
		if shown := leaks(name + "\n" + osImage.ReplaceAllString(string(text.Data), "")); shown != nil {
			t.Errorf("%s of the bundle shows %q", name, shown)
		}
	}
	return len(names.All())
}

// underAliases returns the case with its truth about remedies under the aliases: a command names a node by its alias.
func underAliases(c cases.Case, names *anonymize.Names) cases.Case {
	hidden := func(parts []string) (out []string) {
		for _, part := range parts {
			out = append(out, names.Text(part))
		}
		return out
	}
	c.Truth.Remedies, c.Truth.NoRemedy = hidden(c.Truth.Remedies), hidden(c.Truth.NoRemedy)
	return c
}

// diagnosis returns the findings of a report without their subjects.
func diagnosis(r *triage.Report) string {
	out := string(r.Verdict)
	for _, f := range r.Findings {
		out += fmt.Sprintf("\n%s %s %d", f.Cause, f.Certainty, len(f.Subjects))
	}
	return out
}

// leaksOf finds real names in a text as whole words.
func leaksOf(names *anonymize.Names) func(text string) []string {
	all := names.All()
	given := map[string]bool{}
	for _, to := range all {
		given[to] = true
	}
	return func(text string) []string {
		var out []string
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return r != '-' && r != '.' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
		}) {
			word = strings.Trim(word, ".-")
			if to := all[word]; to != "" && !given[word] && !names.Loose(word) && !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
		return out
	}
}
