//go:build linux

package story

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// Way is a kind of evidence of one moment.
type Way string

// Kinds of evidence; those of the API come first and must agree.
const (
	Live   Way = "live"
	Bundle Way = "bundle"
	Dump   Way = "kubectl"
	Report Way = "with node report"
)

// Ways lists them in the order of the tables.
var Ways = []Way{Live, Bundle, Dump, Report}

// Subject is the object of a finding.
type Subject struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

func (s Subject) String() string { return s.Kind + " " + s.Namespace + "/" + s.Name }

// Finding is the part of a report about one cause.
type Finding struct {
	Cause     string    `json:"cause"`
	Certainty string    `json:"confidence,omitempty"`
	Subject   Subject   `json:"subject"`
	Subjects  []Subject `json:"subjects,omitempty"`
	// ExplainedBy is the cause that produces it.
	ExplainedBy string `json:"explainedBy,omitempty"`
}

// Answer is the answer of the program.
type Answer struct {
	Verdict  string    `json:"verdict"`
	Exit     int       `json:"exit"`
	Findings []Finding `json:"findings"`
	Over     []Finding `json:"over,omitempty"`
	Error    string    `json:"error,omitempty"`
}

// answerTime is the timeout of an answer.
const answerTime = 5 * time.Minute

// ask runs diagnose.
func ask(ctx context.Context, program string, args ...string) Answer {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append([]string{"diagnose", "-o", "json"}, args...)...)
	text, err := cmd.Output()
	var a Answer
	if decode := json.Unmarshal(text, &a); decode != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return Answer{Error: cmp.Or(err, decode).Error()}
	}
	a.Exit = cmd.ProcessState.ExitCode()
	return a
}

// signature returns the part that two answers to one question must share.
func (a Answer) signature() []string {
	out := []string{"verdict " + a.Verdict + a.Error}
	for _, f := range a.Findings {
		out = append(out, f.Cause+", "+f.Subject.String()+", "+f.Certainty)
	}
	slices.Sort(out[1:])
	return slices.Compact(out)
}

// differences returns the statements that only one of the two answers contains.
func differences(a, b Answer, nameA, nameB Way) []string {
	var out []string
	one, two := a.signature(), b.signature()
	for _, s := range one {
		if !slices.Contains(two, s) {
			out = append(out, fmt.Sprintf("%s alone: %s", nameA, s))
		}
	}
	for _, s := range two {
		if !slices.Contains(one, s) {
			out = append(out, fmt.Sprintf("%s alone: %s", nameB, s))
		}
	}
	return out
}
