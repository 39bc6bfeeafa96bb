package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

const (
	reportFile = "report.json"
	// While the API server is unreachable, reports cannot be fetched and each one replaces the last. The agent then
	// appends a report every few minutes to awayFile, one per line, and drops the oldest.
	awayFile  = "away.json"
	awayEvery = 10 * time.Minute
	awayKept  = 12
	awayBytes = 2 << 20
)

// store stores the results of snapshots in a folder.
type store struct{ dir string }

// keep writes the report atomically. away is when a report was last saved for later. It returns the new time.
func (s store) keep(data []byte, r *nodereport.Report, away time.Time) (time.Time, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return away, fmt.Errorf("keep the report: %w", err)
	}
	if err := s.write(reportFile, data); err != nil {
		return away, err
	}
	if answered(r) || r.TakenAt.Sub(away) < awayEvery {
		return away, nil
	}
	return r.TakenAt, s.keepForLater(r)
}

func (s store) keepForLater(r *nodereport.Report) error {
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
	return s.write(awayFile, append(newest(old, awayKept-1, awayBytes-len(line)-1), append(line, '\n')...))
}

// newest returns the last lines of a text, bounded by number and by bytes.
func newest(text []byte, lines, size int) []byte {
	for len(text) > 0 && (bytes.Count(text, []byte("\n")) > lines || len(text) > size) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return text
}

func (s store) write(name string, data []byte) error {
	_, err := s.create(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the report: %w", err)
	}
	return nil
}

// create writes a file atomically and returns its size in bytes.
func (s store) create(name string, fill func(io.Writer) error) (int64, error) {
	f, err := os.CreateTemp(s.dir, ".report-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name()) // after a failure; after the rename there is nothing to remove
	err = fill(f)
	size, sized := f.Seek(0, io.SeekCurrent)
	if err = cmp.Or(err, sized, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, name))
	}
	return size, err
}

// hangs returns the gap of a snapshot while a write hangs.
func (s store) hangs(after time.Duration) nodereport.Gap {
	return nodereport.Gap{
		What: "reports in " + s.dir, Why: fmt.Sprintf("writing one has not returned for %s", after.Round(time.Second)),
		How: string(shell.Format("timeout 10 dd if={file} of=/dev/null iflag=direct", filepath.Join(s.dir, reportFile))),
	}
}

// tidy removes temporary files of an agent that was killed.
func (s store) tidy() {
	begun, _ := filepath.Glob(filepath.Join(s.dir, ".report-*"))
	for _, name := range begun {
		_ = os.Remove(name)
	}
}

// answered reports whether the API server answered the node. It is true if the node does not know its API server.
func answered(r *nodereport.Report) bool {
	for _, c := range r.Connections {
		if c.Peer == "api-server" && c.Answer != "ok" {
			return false
		}
	}
	return true
}
