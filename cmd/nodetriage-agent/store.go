package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nodetriage/nodetriage/nodereport"
)

const (
	reportFile = "report.json"
	// While the API server is away, nobody can fetch a report and the next would replace it. Then one is kept every
	// few minutes in a file of its own, a line each, the oldest giving way: who can ask again gets what the node saw.
	awayFile  = "away.json"
	awayEvery = 10 * time.Minute
	awayKept  = 12
	awayBytes = 2 << 20
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
	past := *r
	past.Away = true
	line, err := json.Marshal(&past)
	if err != nil {
		return fmt.Errorf("keep the report for later: %w", err)
	}
	old, err := os.ReadFile(filepath.Join(s.dir, awayFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keep the report for later: %w", err)
	}
	s.away = r.TakenAt
	return s.write(awayFile, append(newest(old, awayKept-1, awayBytes-len(line)-1), append(line, '\n')...))
}

// newest are the last lines of a text, at most so many of at most so many bytes.
func newest(text []byte, lines, size int) []byte {
	for len(text) > 0 && (bytes.Count(text, []byte("\n")) > lines || len(text) > size) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text
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

// answered reports whether the API server answered the node; a node that does not know its API server counts as one.
func answered(r *nodereport.Report) bool {
	for _, c := range r.Connections {
		if c.Peer == "api-server" && c.Answer != "ok" {
			return false
		}
	}
	return true
}
