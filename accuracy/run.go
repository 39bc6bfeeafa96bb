package accuracy

import (
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// World is all cases, with their answers.
type World struct {
	Engine *Engine
	Cases  []*Case
}

// NewWorld reads the cases below a folder.
func NewWorld(root string) (*World, error) {
	engine, err := NewEngine()
	if err != nil {
		return nil, err
	}
	cases, err := Read(root, engine)
	if err != nil {
		return nil, err
	}
	return &World{engine, cases}, nil
}

// parallel runs do for the numbers below n on all processors.
func parallel(n int, do func(int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// Result is the result of one play.
type Result struct {
	Play
	Skip string // why it was skipped
	Problem
}

// Sample selects plays.
type Sample struct {
	Kinds []string // none: all
	Cases []string // parts of their names; none: all
	Seed  uint64
	// Of selects one play in that many; 0 and 1: all.
	Of int
}

func (s Sample) has(c *Case) bool {
	return len(s.Cases) == 0 || slices.ContainsFunc(s.Cases, func(part string) bool { return strings.Contains(c.Name, part) })
}

// Run creates the plays of a sample and judges them.
func (w *World) Run(s Sample) []Result {
	var results []Result
	for _, k := range kinds {
		if len(s.Kinds) > 0 && !slices.Contains(s.Kinds, k.name) {
			continue
		}
		for _, c := range w.Cases {
			if !s.has(c) || !(Play{Kind: k.name, Case: c, Seed: s.Seed}).sampled(s.Of) {
				continue
			}
			variants := []string{""}
			if k.variants != nil {
				variants = k.variants(c)
			}
			for _, v := range variants {
				results = append(results, Result{Play: Play{Kind: k.name, Variant: v, Case: c, Seed: s.Seed}})
			}
		}
	}
	parallel(len(results), func(i int) {
		r := &results[i]
		if k := kindNamed(r.Kind); k.partner != nil {
			if r.With, r.Skip = k.partner(w.Cases, r.Case, r.rnd()); r.Skip != "" {
				return
			}
		}
		r.Problem, r.Skip = w.Engine.play(r.Play)
	})
	return results
}

// Make returns the evidence of a play, as the engine reads it.
func (p Play) Make() (Files, string) { return kindNamed(p.Kind).change(p) }

func (p Play) folder(files Files, rnd *rand.Rand) fs.FS {
	if folder := kindNamed(p.Kind).folder; folder != nil {
		return folder(files, rnd)
	}
	return files.FS()
}

// play creates the evidence, judges it, and compares the answer with what is known.
func (e *Engine) play(p Play) (Problem, string) {
	if reason := p.Case.unfit(); reason != "" {
		return Problem{}, reason
	}
	files, skip := p.Make()
	if skip != "" {
		return Problem{}, skip
	}
	got := e.Judge(p.folder(files, p.rnd()))
	if got.Broke != "" {
		return Problem{"the program ends in a panic", "", got.Broke}, ""
	}
	if c := got.Report.Contradictions(); len(c) > 0 {
		return Problem{"the report contradicts itself", "", c[0]}, ""
	}
	return kindNamed(p.Kind).judge(p, got), ""
}

// unfit returns why a case cannot be used: the answer about the unchanged case is already wrong.
func (c *Case) unfit() string {
	if c.Judge(c.Base().Report) != "" {
		return "the answer to the case itself is wrong"
	}
	return ""
}
