package redact_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/evidence/redact"
)

func redactCase(t *testing.T, name string) (in, out string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(archive.Files[0].Data), string(archive.Files[1].Data)
}

func TestRedactText(t *testing.T) {
	in, want := redactCase(t, "hidden.txtar")
	r := redact.New(false)
	diffLines(t, want, r.Text(in))
	if again := r.Text(want); again != want {
		diffLines(t, want, again)
	}
	total := 0
	for _, c := range r.Report() {
		total += c.Count
	}
	if hidden := strings.Count(want, "[redacted-"); total != hidden {
		t.Errorf("the report counts %d places, the text has %d", total, hidden)
	}
}

func TestRedactKeepsWhatDiagnosisNeeds(t *testing.T) {
	in, err := os.ReadFile("testdata/kept.txt")
	if err != nil {
		t.Fatal(err)
	}
	diffLines(t, string(in), redact.New(true).Text(string(in)))
}

func TestRedactJSON(t *testing.T) {
	in, want := redactCase(t, "json.txtar")
	diffLines(t, want, string(redact.New(false).JSON([]byte(in))))
}

func TestRedactEmails(t *testing.T) {
	const line = "caller ann.b@example.com restarted kubelet@1.service"
	if got := redact.New(false).Text(line); got != line {
		t.Errorf("addresses are hidden without being asked: %s", got)
	}
	if got, want := redact.New(true).Text(line), "caller [redacted-email-1-16+] restarted kubelet@1.service"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func diffLines(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(w) != len(g) {
		t.Errorf("%d lines became %d", len(w), len(g))
	}
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, name := range []string{"hidden.txtar", "kept.txt", "json.txtar"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add(`{"env":[{"value":"a"}],"x":"{\"password\":\"b\"}"}`)
	f.Fuzz(func(t *testing.T, s string) {
		r := redact.New(true)
		if out := r.Text(s); strings.Count(out, "\n") != strings.Count(s, "\n") {
			t.Errorf("lines changed: %q became %q", s, out)
		}
		if out := r.JSON([]byte(s)); json.Valid([]byte(s)) && !json.Valid(out) {
			t.Errorf("no JSON any more: %q became %q", s, out)
		}
	})
}
