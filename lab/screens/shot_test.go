//go:build linux

package screens_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/terminal"
)

var update = flag.Bool("update", false, "write the screens into testdata")

const (
	patience = 5 * time.Minute  // until a screen is the recorded one, on a busy machine
	answers  = time.Minute      // to one command, which may ask a question if the state is not there yet
	settled  = 12 * time.Second // a screen that stays the same for so long is recorded
)

// user starts the program on a terminal.
type user struct {
	program    string
	kubeconfig string
	endpoint   string // of the Azure emulator; empty: none
	home       string // and the current folder
}

// shot is a screen of one state: the command, and what must be visible when the prompt is back.
type shot struct {
	name    string // of the file in testdata
	args    []string
	verdict string
	impact  string
	cause   string
	fix     string // a command, or a text in one row; empty: nothing needs a fix
	// choice is a place that the user fills from the output of the command above it.
	choice string
	// varies: other rows depend on how far a real node has come, so only the visible parts are compared with the file.
	varies bool
}

// built builds the program, or skips the test if the host has no pseudo-terminals.
func built(t *testing.T) string {
	t.Helper()
	mine, theirs, err := terminal.Open(screenSize)
	if err != nil {
		t.Skip(err)
	}
	_, _ = mine.Close(), theirs.Close()
	program, err := lab.BuildOwn("../../cmd/nodetriage", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return program
}

var screenSize = terminal.Size{Rows: 24, Columns: 80}

// take runs the command until its screen is the recorded one. Evidence arrives late on a busy machine.
func (s shot) take(t *testing.T, u user) {
	t.Helper()
	file := filepath.Join("testdata", s.name+".txt")
	want, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	var rows []string
	var missing []string
	var since time.Time // of the same screen
	for begin, last := time.Now(), ""; time.Since(begin) < patience; time.Sleep(time.Second) {
		rows = s.screen(t, u)
		if missing = s.missing(rows); len(missing) > 0 {
			continue
		}
		got := masked(rows)
		if !*update && (s.varies || same(got, string(want))) {
			t.Logf("after %s", time.Since(begin).Round(time.Second))
			return
		}
		if !same(got, last) {
			last, since = got, time.Now()
		}
		if *update && time.Since(since) > settled {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Errorf("%s: not visible: %q; the screen is\n%s\nwant, with other times and names,\n%s", s.name, missing, strings.Join(rows, "\n"), want)
}

// screen returns the rows that the user sees when the prompt is back, without the row of the prompt.
func (s shot) screen(t *testing.T, u user) []string {
	t.Helper()
	args := slices.Clone(s.args)
	if u.endpoint != "" {
		args = append(args, "--azure-endpoint", u.endpoint)
	}
	ctx, cancel := context.WithTimeout(t.Context(), answers)
	defer cancel()
	cmd := exec.CommandContext(ctx, u.program, args...)
	cmd.Dir = u.home
	cmd.Env = []string{"TERM=xterm", "PATH=" + os.Getenv("PATH"), "HOME=" + u.home, "KUBECONFIG=" + u.kubeconfig}
	rows, _, err := terminal.Show(screenSize, strings.Join(append([]string{"nodetriage"}, args...), " "), cmd)
	if err != nil {
		t.Fatal(err)
	}
	return rows[:len(rows)-1]
}

// missing returns what the user does not see of the verdict, the impact, the first cause and its fix. A fix is a command, so
// it must be complete in its row.
func (s shot) missing(rows []string) (out []string) {
	text := words(strings.Join(rows, "\n"))
	for _, want := range []string{s.verdict, s.impact, s.cause} {
		if !strings.Contains(text, want) {
			out = append(out, want)
		}
	}
	if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, s.fix) }) {
		out = append(out, s.fix)
	}
	if gap := unfilled.FindString(text); gap != s.choice {
		out = append(out, fmt.Sprintf("a value for %s", gap))
	}
	return out
}

// unfilled matches a place in a command that the program did not fill.
var unfilled = regexp.MustCompile(`<[a-z][a-z-]*>|\{[a-z]+\}`)

// masks replace what differs between two runs of the same state, such as times, ages, names with random parts, and numbers of
// this host.
var masks = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?(Z| UTC)`), "TIME"},
	{regexp.MustCompile(`\b\d\d:\d\d:\d\dZ`), "TIME"},
	{regexp.MustCompile(`\b(\d{1,3}(\.\d+)?(ms|s|m|h|d))+\b`), "AGE"},
	{regexp.MustCompile(`\S*/screens-\d{7}/`), "LAB/"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+`), "ENDPOINT"},
	{regexp.MustCompile(`\b(db|report|on-real-\d)-[a-z0-9]{8,10}-[a-z0-9]{5}\b`), "$1-ID"},
	// A full disk evicts pods, and the controllers create others, as many as they are quick to.
	{regexp.MustCompile(`(Node real-3)(; (\d+ pods|Pod shop/on-real-3-ID))?,\s+since\s+`), "$1, since "},
	{regexp.MustCompile(`(?s)(threshold 8Mi)\n.*?\nFIX`), "$1\nFIX"},
	{regexp.MustCompile(`\b\d+ of \d+ nodes`), "N of N nodes"},
	{regexp.MustCompile(`(Ruled out|Not checked|Not read) \(\d+`), "$1 (N"},
}

// masked returns the screen as a text for testdata.
func masked(rows []string) string {
	text := strings.Join(rows, "\n") + "\n"
	for _, m := range masks {
		text = m.pattern.ReplaceAllString(text, m.with)
	}
	return text
}

// same compares screens by their words. A longer age can move a word to the next row.
func same(a, b string) bool { return words(a) == words(b) }

func words(text string) string { return strings.Join(strings.Fields(text), " ") }
