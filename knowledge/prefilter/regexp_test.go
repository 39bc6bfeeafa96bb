package prefilter

import (
	"reflect"
	"regexp"
	"testing"
)

// A guard never rejects a text that its expression matches.
func FuzzMatch(f *testing.F) {
	for _, expr := range []string{`(?i)no such (?:file|device)|not found`, `a+bcd|(?:xyz){2,}|\bE\d{4} `, `"quoted words" are \\ escaped`, `(?i)straße|KELVIN`, `^F\d{4} |level=(?:fatal|panic)`, `(?:abc)?def`, `(abc|)def`} {
		for _, text := range []string{"no SUCH device", "aabcd", "xyzxyz", `\"quoted words\" are \ escaped`, "\u212Aelvin", "STRASSE", "F0101 level=panic", "def", ""} {
			f.Add(expr, text)
		}
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 200 {
			return
		}
		var many Text
		many.Set("what stood here before")
		many.Set(text)
		for _, prepared := range []*Text{NewText(text), &many} {
			if got, want := MustCompile(expr).Match(prepared), re.MatchString(text); got != want {
				t.Errorf("%q on %q: %v, want %v", expr, text, got, want)
			}
			if got, want := MustCompile(expr).FindAll(prepared, 10), re.FindAllStringSubmatchIndex(text, 10); !reflect.DeepEqual(got, want) {
				t.Errorf("%q in %q: %v, want %v", expr, text, got, want)
			}
		}
	})
}

func TestGuardStopsWhatCannotMatch(t *testing.T) {
	re := MustCompile(`(?i)no space left|read-only file`)
	if re.guard().Pass(NewText("everything is well")) {
		t.Error("the guard lets a text pass that holds none of the words")
	}
}

// Words with the same start are searched as a whole, and short ones too.
func TestGuardOfWordsThatBeginAlike(t *testing.T) {
	re := MustCompile(`(?i)\bmaster\b.{0,40}(?:overload|out of memory|OOM|\s0/\d)`)
	for text, want := range map[string]bool{
		"master is overloaded": true, "master: oom-kill": true, "MASTER OUT OF MEMORY": true, "master 0/1": true,
		"master is on": false, "out of memory": false, "oom master": false, "master 1/1": false,
	} {
		if got := re.guard().Pass(NewText(text)); got != want {
			t.Errorf("the guard lets %q pass: %v, want %v", text, got, want)
		}
		if got := re.Match(NewText(text)); got != want {
			t.Errorf("%q matches: %v, want %v", text, got, want)
		}
	}
}
