package accuracy

import (
	"fmt"
	"os"
	"slices"

	"sigs.k8s.io/yaml"
)

// Figures are the latest and earlier measurements. The page is generated from them, and the test compares the plays with them.
type Figures struct {
	Plays   []KindFigures  `json:"plays"`
	Foreign []ForeignRound `json:"foreign"`
	Rounds  []Round        `json:"firstContact"`
	Bench   *BenchRound    `json:"cloudOpsBench,omitempty"`
}

// KindFigures are the figures of one kind of play, with the first seed.
type KindFigures struct {
	Kind    string         `json:"kind"`
	Goal    string         `json:"goal"`
	Cases   int            `json:"cases"` // with at least one play
	Plays   int            `json:"plays"`
	Failed  int            `json:"failed"`  // of all plays; must not rise
	Sampled int            `json:"sampled"` // failures in the sample of the test; must not rise
	Reasons map[string]int `json:"reasons,omitempty"`
	Skipped map[string]int `json:"skipped,omitempty"` // plays that are not possible, by reason
}

// ForeignRound is one measurement with unrelated texts.
type ForeignRound struct {
	Date      string `json:"date"`
	What      string `json:"what"`
	Files     int    `json:"files"`
	Megabytes int    `json:"megabytes"`
	Certain   int    `json:"certain"`  // findings
	Likely    int    `json:"likely"`   // findings
	Raised    int    `json:"raisedIn"` // files with at least one of them
	By        int    `json:"by"`       // signatures and rules that raise them
}

// BenchRound is one measurement of Cloud-OpsBench.
type BenchRound struct {
	Date   string       `json:"date"`
	Commit string       `json:"commit"` // of the benchmark
	Faults []BenchFault `json:"faults"`
}

// The sample of the figures, and that of the test.
const (
	FigureSeed = 1
	SampleOf   = 10
)

// ReadFigures reads figures.yaml.
func ReadFigures(name string) (f Figures, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return f, fmt.Errorf("read figures: %w", err)
	}
	if err := yaml.UnmarshalStrict(data, &f); err != nil {
		return f, fmt.Errorf("read figures %s: %w", name, err)
	}
	return f, nil
}

// Write writes figures.yaml.
func (f Figures) Write(name string) error {
	data, err := yaml.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(name, append([]byte(figuresHead), data...), 0o644)
}

const figuresHead = `# Written by "make accuracy"; docs/measurements/accuracy.md is made of it. The numbers of failures may only fall: what raises one is
# repaired, or the line is changed by hand in a commit that says why.
`

// kind returns the figures of one kind, or nil.
func (f Figures) kind(name string) *KindFigures {
	for i := range f.Plays {
		if f.Plays[i].Kind == name {
			return &f.Plays[i]
		}
	}
	return nil
}

// Replace replaces the figures of the kinds that were played.
func (f *Figures) Replace(now []KindFigures) {
	var out []KindFigures
	for _, name := range Kinds() {
		i := slices.IndexFunc(now, func(k KindFigures) bool { return k.Kind == name })
		if i >= 0 {
			out = append(out, now[i])
		} else if before := f.kind(name); before != nil {
			out = append(out, *before)
		}
	}
	f.Plays = out
}

// Worse returns the kinds with more failed plays than before.
func (f Figures) Worse(now []KindFigures) (out []string) {
	for _, k := range now {
		before := f.kind(k.Kind)
		switch {
		case before == nil:
		case k.Failed > before.Failed:
			out = append(out, fmt.Sprintf("%s: %d of %d plays fail, at most %d may", k.Kind, k.Failed, k.Plays, before.Failed))
		case k.Sampled > before.Sampled:
			out = append(out, fmt.Sprintf("%s: %d plays of the sample fail, at most %d may", k.Kind, k.Sampled, before.Sampled))
		}
	}
	return out
}

// Measured returns the figures of all plays.
func Measured(results []Result) []KindFigures {
	var out []KindFigures
	for _, t := range Tallies(results) {
		k := KindFigures{Kind: t.Kind, Goal: t.Goal, Cases: t.Cases, Plays: t.Played, Failed: t.Failed, Reasons: t.Reasons, Skipped: t.Skipped}
		for _, r := range results {
			if r.Kind == t.Kind && r.Reason != "" && r.sampled(SampleOf) {
				k.Sampled++
			}
		}
		out = append(out, k)
	}
	return out
}

// sampled reports whether a play is in a sample of one in that many cases.
func (p Play) sampled(of int) bool {
	return of <= 1 || chance(p.Seed, "sample", p.Kind, p.Case.Name).IntN(of) == 0
}
