package accuracy

import (
	"io/fs"
	"math/rand/v2"
)

// kind is one way to transform cases into others with a known answer.
type kind struct {
	name, says, goal string
	// variants of the kind for one case; nil: one variant
	variants func(*Case) []string
	// partner selects a second case; nil: not needed.
	partner func(all []*Case, c *Case, rnd *rand.Rand) (with *Case, skip string)
	// change creates the evidence. skip is the reason if this case cannot be changed.
	change func(p Play) (out Files, skip string)
	// folder returns what the engine reads; nil: the files by name.
	folder func(out Files, rnd *rand.Rand) fs.FS
	// added reports whether a file was added and is unrelated to the case, so that any part of it may be dropped.
	added func(name string) bool
	// judge returns the problem of the answer, and a cause that distinguishes such failures.
	judge func(p Play, got Answer) Problem
}

// Problem is what is wrong with an answer. Without a reason, nothing is.
type Problem struct {
	Reason string // the same text for the same kind of failure
	Cause  string // that was named wrongly, or is missing
	Detail string
}

// kinds lists all kinds, in the order of the report.
var kinds = []kind{past, pastThenAnother, twoAtOnce, noise, loss, dress, order, healedByAnother, pieces}

// Kinds returns the names of all kinds.
func Kinds() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Play is one case in one kind of change.
type Play struct {
	Kind    string
	Variant string
	Case    *Case
	With    *Case // the second case; nil: none
	Seed    uint64
}

func kindNamed(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// rnd returns the random source of this play.
func (p Play) rnd() *rand.Rand { return chance(p.Seed, p.Kind, p.Variant, p.Case.Name) }
