//go:build linux

package story

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/nodetriage/nodetriage/lab/scenario"
)

const storyFile = "story.json"

// save stores the story next to its looks.
func (p *Played) save(dir string) error {
	text, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, storyFile), text, 0o644)
}

// Load reads all stored stories in dir, by name.
func Load(dir string) ([]*Played, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", storyFile))
	if err != nil {
		return nil, err
	}
	var out []*Played
	for _, file := range files {
		p, err := load(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Played) int { return cmp.Compare(a.Story.Name, b.Story.Name) })
	return out, nil
}

func load(dir string) (*Played, error) {
	file := filepath.Join(dir, storyFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := &Played{}
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for _, f := range p.Faults { // the properties of a scenario are the current ones
		if s, err := scenario.Named(f.Scenario); err == nil {
			f.Truth, f.Passes, f.Ordinary, f.Restarts = s.Truth, s.Passes, s.Ordinary, s.Restarts
		}
	}
	return p, nil
}

// Replay runs the program again on one stored look. The live answer cannot be repeated: the bundle has the same
// evidence.
func (p *Played) Replay(ctx context.Context, program, dir string, l *Look) {
	delete(l.Answers, Live)
	l.judge(ctx, program, asked(p.Faults), l.concerned(p.Faults), filepath.Join(dir, p.Story.Name, fmt.Sprintf("%03d", l.Number)))
}
