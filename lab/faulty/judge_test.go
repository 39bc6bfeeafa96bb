//go:build unix

package faulty_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/nodetriage/nodetriage/lab/faulty"
)

// Exit codes of the program.
const (
	good        = 0
	waits       = 4 // of why: no action is required
	unclear     = 5
	interrupted = 130 // SIGINT
)

// interrupt is a failure of the other side: SIGINT arrives during a page.
const interrupt faulty.Failure = "interrupt"

// reasons lists the descriptions of a failure in an answer.
var reasons = map[faulty.Failure]string{
	faulty.ServerError:  `unavailable|500|InternalError|spoiled`,
	faulty.Throttled:    `throttled|429|too many requests`,
	faulty.Later:        `throttled|429|too many requests|timed out|no answer`,
	faulty.Forbidden:    `forbidden|403|may not|not allowed`,
	faulty.Unauthorized: `unauthorized|401|not accepted|log in|login`,
	faulty.Hang:         `timed out|no answer|in time`,
	faulty.Reset:        `unreachable|reset|cut|broke`,
	faulty.HTML:         `cannot be read|HTML|no API|not an answer`,
	faulty.Expired:      `expired|410`,
	faulty.Endless:      `does not end|no end|never ends|endless|at most|more than|bound|same continue token|further`,
	interrupt:           `interrupted`,
}

// notThere matches claims that something does not exist. In this cluster everything exists.
var notThere = regexp.MustCompile(`(?i)do(es)? not exist|does not have it|not found|no such|\bno \w+ (of the evidence )?has\b|has that name|was deleted`)

// resourceOf returns the name of a read in the tables.
func resourceOf(r faulty.Read) string {
	if r.Resource == "leases" && r.Namespace == "kube-system" {
		return "leases in kube-system"
	}
	return r.Resource
}

// code returns the exit code of the good answer.
func (c command) code() int {
	if c.name == ofPending.name {
		return waits
	}
	return good
}

// restsOn reports whether the answer depends on the read. Some resources are spared completely, some as one list of
// several.
func (c command) restsOn(r faulty.Read) bool {
	return c.spared[resourceOf(r)] == "" && c.spared[r.String()] == ""
}

// judge returns the mistakes of an answer with a fault, compared with the answer without a fault.
func (c command) judge(a, well answer, f *faulty.Fault) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	rests, resource := c.restsOn(f.Read), resourceOf(f.Read)
	text := a.out + "\n" + a.stderr
	switch {
	case a.code < 0:
		say("it did not end within %s", *patience)
	case f.How == interrupt:
		if a.code != interrupted {
			say("exit code %d, want %d", a.code, interrupted)
		}
	case rests && a.code != unclear:
		say("exit code %d, want %d", a.code, unclear)
	case !rests && a.code != unclear && a.code != c.code():
		say("exit code %d, want %d or %d", a.code, c.code(), unclear)
	}
	if f.How != faulty.Endless && a.pages[f.Read] < f.Page {
		say("page %d of %s was not asked for", f.Page, f.Read)
	}
	if rests {
		for _, claim := range c.well {
			if strings.Contains(strings.ReplaceAll(text, "NOT CLEAR", ""), claim) {
				say("it says %q", claim)
			}
		}
	}
	for _, check := range passedIn(a.out) {
		if on, known := passed[check]; (!known && rests) || slices.Contains(on, resource) {
			say("check %s passed", check)
		}
	}
	for line := range strings.Lines(text) {
		if notThere.MatchString(line) && !strings.Contains(well.out+well.stderr, line) {
			say("it says %q", strings.TrimSpace(line))
		}
	}
	if f.How != interrupt && rests && !names(text, well.out, resource, f.How) {
		say("it does not name %s with the reason", resource)
	}
	return wrong
}

// names reports whether one paragraph of the text has the resource and the reason, or that it was not read. The good
// answer does not have this paragraph.
func names(text, well, resource string, how faulty.Failure) bool {
	kind := regexp.MustCompile(`(?i)\b(` + cmp.Or(words[resource], regexp.QuoteMeta(resource)) + `)\b`)
	reason := regexp.MustCompile(`(?i)(not read|read in part|` + reasons[how] + `)`)
	for _, p := range paragraphs(text) {
		if kind.MatchString(p) && reason.MatchString(p) && !slices.Contains(paragraphs(well), p) {
			return true
		}
	}
	return false
}

// paragraphs are lines with their continuation lines, which are indented further.
func paragraphs(text string) []string {
	var out []string
	last := -1
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
		switch {
		case words == "":
			last = -1
		case last >= 0 && indent > last:
			out[len(out)-1] += " " + words
		default:
			out, last = append(out, words), indent
		}
	}
	return out
}

// passedIn returns the checks under the heading Passed.
func passedIn(text string) []string {
	_, rest, found := strings.Cut(text, "\nPassed\n")
	if !found {
		return nil
	}
	list, _, _ := strings.Cut(rest, "\n\n")
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}
