package accuracy

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

const failingHead = `# Written by "make accuracy": the plays that fail, one a line, as -run, -kind, -seed and -variant repeat them. A play that fails
# and is not here is a mistake that is new.
`

// Failing lists the known failures, as Repeat names them.
type Failing []string

// ReadFailing reads failing.txt.
func ReadFailing(name string) (Failing, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the plays that fail: %w", err)
	}
	var out Failing
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out, nil
}

// FailingOf returns the failures among results.
func FailingOf(results []Result) Failing {
	var out Failing
	for _, r := range results {
		if r.Reason != "" {
			out = append(out, r.Repeat())
		}
	}
	slices.Sort(out)
	return out
}

// Write writes failing.txt.
func (f Failing) Write(name string) error {
	return os.WriteFile(name, []byte(failingHead+strings.Join(f, "\n")+"\n"), 0o644)
}

// New returns the failures among results that are not known.
func (f Failing) New(results []Result) []Result {
	var out []Result
	for _, r := range results {
		if r.Reason != "" && !slices.Contains(f, r.Repeat()) {
			out = append(out, r)
		}
	}
	return out
}
