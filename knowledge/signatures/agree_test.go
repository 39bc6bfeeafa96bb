package signatures

import (
	"bytes"
	"io/fs"
	"math/rand"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// For random combinations of lines of the cases, each signature finds the same as Go's expressions, at the first use and with
// an automaton.
func TestSignaturesAgreeWithRegexp(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	lines := caseLines(t)
	r := rand.New(rand.NewSource(1))
	finder := set.find()
	plain := map[string]*regexp.Regexp{}
	compile := func(expr string) *regexp.Regexp {
		if plain[expr] == nil {
			plain[expr] = regexp.MustCompile("(?i)" + expr)
		}
		return plain[expr]
	}
	compared := 0
	for range 3000 {
		line := lines[r.Intn(len(lines))]
		if other := lines[r.Intn(len(lines))]; r.Intn(2) == 0 {
			line = line[:r.Intn(len(line)+1)] + other[r.Intn(len(other)):]
		}
		var text prefilter.Text
		text.Set(line)
		var tried []*Signature
		for _, h := range finder.find([]byte(line), nil) {
			for _, s := range h.signatures {
				if slices.Contains(tried, s) {
					continue
				}
				tried = append(tried, s)
				wantCaptures, want := expected(compile, s, line)
				for _, twice := range []bool{false, true} {
					if twice {
						s.asked.Store(often)
						s.re().Often()
					}
					captures, got := map[string]string(nil), s.mayMatch(&text)
					if got {
						var groups []int
						if groups, got = s.groups(&text); got {
							captures = s.captured(line, groups)
						}
					}
					if got != want || !reflect.DeepEqual(captures, wantCaptures) {
						t.Errorf("%s on %q: %v %v, want %v %v", s.ID, line, got, captures, want, wantCaptures)
					}
				}
				compared++
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d comparisons", compared)
	}
}

// A worker with cached lines that differ in digits gives the same result as a new one.
func TestWorkersAgree(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	lines, r := caseLines(t), rand.New(rand.NewSource(2))
	sc := &scan{finder: set.find()}
	seasoned, found := newWorker(sc), 0
	for range 2000 {
		line := lines[r.Intn(len(lines))]
		for range 3 {
			hits := sc.finder.find([]byte(line), nil)
			got, want := seasoned.matches(line, hits), newWorker(sc).matches(line, hits)
			if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, want %v", line, got, want)
			}
			found += len(want)
			line = string(bytes.Map(func(c rune) rune {
				if c >= '0' && c <= '9' && r.Intn(2) == 0 {
					return '0' + rune(r.Intn(10))
				}
				return c
			}, []byte(line)))
		}
	}
	if found < 1000 {
		t.Errorf("only %d signatures were found", found)
	}
}

// caseLines returns the lines of all cases.
func caseLines(t *testing.T) (lines []string) {
	if err := fs.WalkDir(os.DirFS("../../cases"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile("../../cases/" + name)
		for line := range strings.Lines(string(text)) {
			if line = unescape(strings.TrimRight(line, "\r\n")); len(line) > 30 && len(line) < 1000 {
				lines = append(lines, line)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return lines
}

// expected returns what a signature finds with only Go's expressions.
func expected(compile func(string) *regexp.Regexp, s *Signature, line string) (map[string]string, bool) {
	re := compile(s.Pattern)
	groups := re.FindStringSubmatch(line)
	if groups == nil || s.Not != "" && compile(s.Not).MatchString(line) {
		return nil, false
	}
	var captures map[string]string
	for i, name := range re.SubexpNames() {
		if name == "" || groups[i] == "" && re.FindStringSubmatchIndex(line)[2*i] < 0 {
			continue
		}
		if captures == nil {
			captures = map[string]string{}
		}
		if captures[name] == "" {
			captures[name] = groups[i]
		}
	}
	return captures, true
}
