package signatures_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

func read(t testing.TB, entries string) *signatures.Set {
	t.Helper()
	set, err := signatures.Read(fstest.MapFS{"a.yaml": {Data: []byte("component: test\nsignatures:\n" + entries)}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

const hung = `
  - {id: test-hung, says: runtime-hung, certainty: likely, source: here, pattern: 'task (?P<task>\S+) is (?:hung|stuck) for \d+ seconds'}
`

func TestScanCountsLinesAndKeepsTheFirst(t *testing.T) {
	text := "Jan  2 03:04:05 node-a kernel: one\n" +
		"Jan  2 03:04:06 node-a kernel: Task \\\"kworker\\\" is HUNG for 120 seconds\n" +
		"Jan  2 03:04:07 node-a kernel: three\n" +
		"Jan  2 03:06:06 node-a kernel: task kworker is stuck for 240 seconds\r\n"
	got, err := read(t, hung).Scan(strings.NewReader(text), signatures.Options{Ref: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)})
	if err != nil || len(got) != 1 {
		t.Fatalf("got %d tallies and %v, want one", len(got), err)
	}
	g := got[0]
	if g.Count != 2 || g.Line != 2 || g.Captures["task"] != `"kworker"` || g.Origin.Host != "node-a" {
		t.Errorf("count %d, line %d, captures %v, host %q", g.Count, g.Line, g.Captures, g.Origin.Host)
	}
	if g.Last.Sub(g.First) != 2*time.Minute {
		t.Errorf("first %s, last %s: want two minutes between", g.First, g.Last)
	}
	if len(g.Before) != 1 || len(g.After) != 2 {
		t.Errorf("context %q and %q: want one line before and two after", g.Before, g.After)
	}
}

// Chunk boundaries do not change the result.
func TestScanAcrossChunks(t *testing.T) {
	set := read(t, hung)
	for _, padding := range []int{0, 1, 63, 4096, 1<<20 - 40, 1<<20 - 1, 1 << 20, 1<<20 + 1} {
		filler := strings.Repeat(strings.Repeat("x", 99)+"\n", padding/100) + strings.Repeat("y", padding%100)
		text := filler + "\ntask a is stuck for 1 seconds\n" + filler + "\ntask b is stuck for 2 seconds"
		got, err := set.Scan(strings.NewReader(text), signatures.Options{})
		if err != nil || len(got) != 1 || got[0].Count != 2 {
			t.Fatalf("padding %d: got %+v, %v; want one signature, twice", padding, got, err)
		}
		if want := strings.Count(filler, "\n") + 2; got[0].Line != want {
			t.Errorf("padding %d: first line %d, want %d", padding, got[0].Line, want)
		}
	}
}

func TestScanOfHostileLines(t *testing.T) {
	set := read(t, hung)
	long := strings.Repeat("z", 10<<20) + " task a is stuck for 1 seconds " + strings.Repeat("z", 10<<20)
	got, err := set.Scan(strings.NewReader(long), signatures.Options{})
	if err != nil || len(got) != 1 || len(got[0].Text) > 8<<10 {
		t.Fatalf("a line of 20 MB: got %d tallies, %v; want one, with a bounded text", len(got), err)
	}
	broken := io.MultiReader(strings.NewReader("task a is stuck for 1 seconds\n"), failing{})
	if got, err = set.Scan(broken, signatures.Options{}); err == nil || len(got) != 1 {
		t.Errorf("a stream that breaks: got %d tallies and %v; want what came before, and the error", len(got), err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestOneSignatureOnManyHosts(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "Jan  2 03:04:05 node-%d kernel: task a is stuck for 1 seconds\n", i)
	}
	got, err := read(t, hung).Scan(strings.NewReader(text.String()), signatures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, g := range got {
		sum += g.Count
	}
	if len(got) > 40 || len(got) < 30 || sum != 100 {
		t.Errorf("%d tallies that count %d lines; want about 32 that count all 100", len(got), sum)
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ entry, want string }{
		"no literal":      {`{id: a-b, says: c, source: x, pattern: '\d+ \w+'}`, "no fixed run"},
		"short branch":    {`{id: a-b, says: c, source: x, pattern: 'a long literal|ab'}`, "no fixed run"},
		"bad expression":  {`{id: a-b, says: c, source: x, pattern: 'broken ('}`, "missing closing"},
		"no source":       {`{id: a-b, says: c, pattern: 'a long literal'}`, "source is missing"},
		"unknown field":   {`{id: a-b, says: c, source: x, pattern: 'a long literal', color: red}`, "color"},
		"bad certainty":   {`{id: a-b, says: c, source: x, certainty: sure, pattern: 'a long literal'}`, "certain, likely or possible"},
		"bad kind":        {`{id: a-b, says: c, source: x, kinds: [mail], pattern: 'a long literal'}`, `kind "mail"`},
		"unknown partner": {`{id: a-b, says: c, source: x, with: [ghost], pattern: 'a long literal'}`, `"ghost"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := signatures.Read(fstest.MapFS{"mine.yaml": {Data: []byte("component: t\nsignatures:\n  - " + tc.entry + "\n")}})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

// The scanner searches for literals and checks guards before it runs an expression. Neither may lose a line that the expression
// matches.
func FuzzScanFindsWhatTheExpressionMatches(f *testing.F) {
	set, err := signatures.Builtin()
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range []string{
		`PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s`,
		`failed to reserve container name "web": name "web" is reserved for "12"`,
		`x509: certificate has expired or is not yet valid: current time 2026-01-02T03:04:05Z is after 2026-01-01T00:00:00Z`,
		`0/3 nodes are available: 1 Insufficient pods, 2 node(s) didn't match node selector.`,
	} {
		f.Add(line)
	}
	for _, s := range set.All() {
		s.Match("") // makes its expression: all of them together take longer than one input may
	}
	f.Fuzz(func(t *testing.T, line string) {
		foreign := strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII })
		if strings.ContainsAny(line, "\\\n\r") || foreign || len(line) > 3000 {
			return // the scanner reads lines, reads \" as ", and knows no other letters for k and s
		}
		found := map[string]bool{}
		for _, m := range set.Match(line, "") {
			found[m.Signature.ID] = true
		}
		for _, s := range set.All() {
			if _, ok := s.Match(line); ok != found[s.ID] {
				t.Fatalf("%s: the expression says %v, the scanner %v", s.ID, ok, found[s.ID])
			}
		}
	})
}

// A hit far from the head of a long line has the time of the line.
func TestTimeOfALongLine(t *testing.T) {
	line := "2026-06-02T00:31:44Z E0602 kubelet.go:1] " + strings.Repeat("goroutine 1 [running]: ", 1000) + "PLEG is not healthy: pleg was last seen active 5m3s ago; threshold is 3m0s\n"
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	tallies, err := set.Scan(strings.NewReader(line), signatures.Options{})
	if err != nil || len(tallies) == 0 {
		t.Fatal(len(tallies), err)
	}
	want := time.Date(2026, time.June, 2, 0, 31, 44, 0, time.UTC)
	for _, tally := range tallies {
		if strings.HasPrefix(tally.Text, "2026") || !tally.Last.Equal(want) {
			t.Errorf("%s: the text begins %.20q and is of %s, want one from the middle of the line of %s", tally.Signature.ID, tally.Text, tally.Last, want)
		}
	}
}
