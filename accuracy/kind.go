package accuracy

import (
	"io/fs"
	"math/rand/v2"
)

// kind is one way to turn cases into others whose answer is known.
type kind struct {
	name, says, goal string
	// variants of the same kind that one case is played in; nil: one.
	variants func(*Case) []string
	// partner chooses a second case; nil: none is needed.
	partner func(all []*Case, c *Case, rnd *rand.Rand) (with *Case, skip string)
	// change makes the evidence. skip says why this case cannot be changed so.
	change func(p Play) (out Files, skip string)
	// folder is what the engine reads; nil: the files by their names.
	folder func(out Files, rnd *rand.Rand) fs.FS
	// added reports whether a file of the evidence was added and says nothing of the case, so that any part of it will do.
	added func(name string) bool
	// judge returns what is wrong with the answer, and a cause that tells such failures apart.
	judge func(p Play, got Answer) Problem
}

// Problem is what is wrong with an answer; without a reason nothing is.
type Problem struct {
	Reason string // the same words for the same kind of failure
	Cause  string // that was named and should not have been, or the other way round
	Detail string
}

// Kinds are all of them, in the order of their report.
var kinds = []kind{past, pastThenAnother, twoAtOnce, noise, loss, dress, order, healedByAnother, pieces}

// Kinds are the names of all kinds.
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

// rnd is the chance of this play.
func (p Play) rnd() *rand.Rand { return chance(p.Seed, p.Kind, p.Variant, p.Case.Name) }
