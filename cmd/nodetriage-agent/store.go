package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/nodereport"
)

const (
	reportFile = "report.json"
	// While the API server is away, nobody can fetch a report and the next would replace it. Then one is kept every
	// few minutes, the oldest giving way: what the node saw during the outage can be read after it.
	awayEvery = 10 * time.Minute
	awayKept  = 12
)

// store keeps reports in a folder.
type store struct {
	dir  string
	away time.Time // of the last report that was kept for later
}

// keep writes the report, as a whole or not at all.
func (s *store) keep(data []byte, r *nodereport.Report) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("keep the report: %w", err)
	}
	if err := s.write(reportFile, data); err != nil {
		return err
	}
	if answered(r) || r.TakenAt.Sub(s.away) < awayEvery {
		return nil
	}
	s.away = r.TakenAt
	if err := s.write("away-"+r.TakenAt.UTC().Format("20060102T150405Z")+".json", data); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(s.dir, "away-*.json"))
	if err != nil {
		return fmt.Errorf("keep the report: %w", err)
	}
	slices.Sort(old) // their names are times
	for _, name := range old[:max(0, len(old)-awayKept)] {
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("drop an old report: %w", err)
		}
	}
	return nil
}

func (s *store) write(name string, data []byte) error {
	f, err := os.CreateTemp(s.dir, ".report-*")
	if err != nil {
		return fmt.Errorf("keep the report: %w", err)
	}
	defer os.Remove(f.Name()) // what is left of a failure; after the renaming there is nothing
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, name))
	}
	if err != nil {
		return fmt.Errorf("keep the report: %w", err)
	}
	return nil
}

// answered tells whether the API server answered the node; a node that does not know its API server counts as one.
func answered(r *nodereport.Report) bool {
	for _, c := range r.Connections {
		if c.Peer == "api-server" && c.Answer != "ok" {
			return false
		}
	}
	return true
}
