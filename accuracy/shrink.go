package accuracy

import "slices"

// maxTries limits how often a failure is played to reduce it.
const maxTries = 600

// Shrink reduces the evidence of a failure: it drops files, lines and objects as long as the answer about the case stays right
// and the failure has the same reason. It returns the failure of the reduced case, and its evidence without unnecessary
// additions.
func (w *World) Shrink(r Result) (Result, Files) {
	tries := 0
	fails := func(p Play) bool {
		if tries++; tries > maxTries {
			return false
		}
		same := p.Case.unfit() == "" && first(p.Case.Base()) == first(r.Case.Base())
		if p.With != nil {
			same = same && p.With.unfit() == "" && first(p.With.Base()) == first(r.With.Base())
		}
		if !same {
			return false
		}
		problem, skip := w.Engine.play(p)
		return skip == "" && problem.Reason == r.Reason && problem.Cause == r.Problem.Cause
	}
	if !fails(r.Play) {
		files, _ := r.Make()
		return r, files
	}
	p := r.Play
	p.Case = p.Case.with(smallest(p.Case.Files, func(files Files) bool {
		smaller := p
		smaller.Case = p.Case.with(files)
		return fails(smaller)
	}))
	if p.With != nil {
		p.With = p.With.with(smallest(p.With.Files, func(files Files) bool {
			smaller := p
			smaller.With = p.With.with(files)
			return fails(smaller)
		}))
	}
	r.Play = p
	r.Problem, r.Skip = w.Engine.play(p)
	return r, w.withoutAdded(r)
}

// withoutAdded returns the evidence of a failure with as little as possible of what its kind adds.
func (w *World) withoutAdded(r Result) Files {
	files, _ := r.Make()
	k := kindNamed(r.Kind)
	if k.added == nil {
		return files
	}
	tries := 0
	own, extra := Files{}, Files{}
	for _, f := range files {
		if k.added(f.Name) {
			extra = append(extra, f)
		} else {
			own = append(own, f)
		}
	}
	extra = smallest(extra, func(fewer Files) bool {
		tries++
		got := w.Engine.Judge(slices.Concat(own, fewer).FS())
		problem := k.judge(r.Play, got)
		return tries <= maxTries && problem.Reason == r.Reason && problem.Cause == r.Problem.Cause
	})
	return slices.Concat(own, extra)
}

// piece is a line of a text, an item of a list, or the whole of any other file.
type piece struct{ file, number int }

// smallest drops pieces, the larger ones first, as long as the case still fails.
func smallest(files Files, fails func(Files) bool) Files {
	var all []piece
	for i, f := range files {
		for n := range f.pieces() {
			all = append(all, piece{i, n})
		}
	}
	try := func(kept []piece) bool { return fails(files.only(kept)) }
	for i := range files { // whole files first
		kept := slices.DeleteFunc(slices.Clone(all), func(p piece) bool { return p.file == i })
		if len(kept) > 0 && len(kept) < len(all) && try(kept) {
			all = kept
		}
	}
	for size := len(all) / 2; size >= 1; size /= 2 {
		for at := 0; at < len(all); {
			kept := slices.Concat(all[:at], all[min(at+size, len(all)):])
			if len(kept) > 0 && try(kept) {
				all = kept
				continue
			}
			at += size
		}
	}
	return files.only(all)
}

// pieces returns the number of parts of a file that can be dropped separately.
func (f File) pieces() int {
	if f.Name == manifestName {
		return 1
	}
	if d, ok := parseDocument(f); ok {
		if lists := d.lists(); len(lists) == 1 {
			return max(1, len(listAt(lists[0], "items")))
		}
		return 1
	}
	if f.objects() {
		return 1
	}
	return len(lines(f.Text))
}

// only returns the files with only those pieces, and drops files without any.
func (f Files) only(kept []piece) Files {
	of := map[int][]int{}
	for _, p := range kept {
		of[p.file] = append(of[p.file], p.number)
	}
	var out Files
	for i, file := range f {
		numbers := of[i]
		switch {
		case len(numbers) == 0:
			continue
		case len(numbers) < file.pieces():
			file.Text = file.part(numbers)
		}
		out = append(out, file)
	}
	return resummed(out)
}

func (f File) part(numbers []int) string {
	if d, ok := parseDocument(f); ok {
		l := d.lists()[0]
		items := listAt(l, "items")
		kept := []any{}
		for _, n := range numbers {
			kept = append(kept, items[n])
		}
		l["items"] = kept
		return d.text()
	}
	all := lines(f.Text)
	var kept []string
	for _, n := range numbers {
		kept = append(kept, all[n])
	}
	return unlines(kept)
}
