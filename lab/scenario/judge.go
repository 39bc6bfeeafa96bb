//go:build linux

package scenario

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Verdict is the quality of an answer.
type Verdict string

const (
	Right   Verdict = "right"
	Second  Verdict = "second"  // named, but not first
	Unknown Verdict = "unknown" // no cause is named, or a true cause that is less specific
	Wrong   Verdict = "wrong"
	None    Verdict = "-" // this evidence does not exist
)

// Answer is the answer of the program.
type Answer struct {
	Verdict Verdict
	Causes  []string
	Need    string // for an unknown cause: the evidence that the program requests; empty: none
}

// Expected reports whether the answer is the required one: the truth, or if the evidence cannot show it, unknown with
// the evidence that would.
func (s Scenario) Expected(way string, a Answer) bool {
	return a.Verdict == Right || a.Verdict == None || a.Verdict == Unknown && slices.Contains(s.Beyond, way) || a.Verdict == Unknown && s.Needs[way] != "" && a.Need == s.Needs[way]
}

// judge runs the program and compares its answer with the truth.
func (r Recorder) judge(ctx context.Context, s Scenario, way string, args ...string) (Answer, error) {
	text, err := exec.CommandContext(ctx, r.Program, append([]string{"diagnose", "-o", "json"}, args...)...).Output()
	var report struct {
		Findings, Over []struct{ Cause string }
		NotChecked     []struct{ How string }
	}
	if decode := json.Unmarshal(text, &report); decode != nil {
		return Answer{}, fmt.Errorf("judge %s, %s: diagnose: %w", s.Name, way, cmp.Or(err, decode))
	}
	var a Answer
	for _, f := range report.Findings {
		a.Causes = append(a.Causes, f.Cause)
	}
	a.Verdict = s.Truth.judge(a.Causes)
	if a.Verdict == Unknown && s.Passes && slices.ContainsFunc(report.Over, func(f struct{ Cause string }) bool { return f.Cause == s.Truth.Class }) {
		a.Verdict = Right
	}
	if need := s.Needs[way]; need != "" && a.Verdict == Unknown {
		for _, n := range report.NotChecked {
			if strings.Contains(n.How, need) {
				a.Need = need
			}
		}
	}
	return a, nil
}

func (t Truth) judge(causes []string) Verdict {
	switch {
	case slices.ContainsFunc(causes, func(c string) bool { return slices.Contains(t.Not, c) }):
		return Wrong
	case len(causes) == 0:
		return Unknown
	case causes[0] == t.Class:
		return Right
	case slices.Contains(t.Wider, causes[0]):
		return Unknown
	case slices.Contains(causes, t.Class):
		return Second
	}
	return Wrong
}
