package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

const (
	savedIndex = "saved.json" // index for the report
	// saveEvery keeps a flapping node from evicting older evidence.
	saveEvery = 10 * time.Minute
)

// saveAgain reports whether the last evidence is old enough.
func saveAgain(list []nodereport.Saved, now time.Time) bool {
	return len(list) == 0 || now.Sub(list[0].At).Abs() >= saveEvery
}

// saved lists the saved evidence that still exists, newest first.
func (s store) saved() []nodereport.Saved {
	data, err := os.ReadFile(filepath.Join(s.dir, savedIndex))
	var list []nodereport.Saved
	if err != nil || json.Unmarshal(data, &list) != nil {
		return nil
	}
	return slices.DeleteFunc(list, func(f nodereport.Saved) bool {
		_, ours := nodereport.SavedAt(f.File)
		_, err := os.Stat(filepath.Join(s.dir, f.File))
		return !ours || err != nil
	})
}

// save writes the gathered evidence without secrets and removes the oldest archives. It returns all archives.
func (s store) save(kept *agent.Kept, r *nodereport.Report) ([]nodereport.Saved, error) {
	hide := redact.New(false)
	entry := nodereport.Saved{File: nodereport.SavedName(r.TakenAt), At: r.TakenAt, Why: hide.Text(r.Sick())}
	hide.Object(r)
	size, err := s.create(entry.File, func(w io.Writer) error { return kept.Write(w, r, hide.Text) })
	old := s.saved()
	if err != nil {
		return old, fmt.Errorf("save what a sick node would lose: %w", err)
	}
	entry.Bytes = size
	list := append([]nodereport.Saved{entry}, old...)
	for len(list) > nodereport.KeptSaved {
		_ = os.Remove(filepath.Join(s.dir, list[len(list)-1].File))
		list = list[:len(list)-1]
	}
	data, err := json.Marshal(list)
	if err != nil {
		return list, fmt.Errorf("save what a sick node would lose: %w", err)
	}
	return list, s.write(savedIndex, data)
}
