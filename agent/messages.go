package agent

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	logLimit    = 20 * time.Second
	maxText     = 1000 // bytes of a quoted line
	maxMessages = 300  // per source
)

// scan searches a log with the signatures and adds the matches to the report.
func (h *Host) scan(r *nodereport.Report, source, pod string, log io.Reader) error {
	if h.signatures == nil {
		return errors.New("no signatures were given to search with")
	}
	tallies, err := h.signatures.Scan(log, signatures.Options{Kind: "log", Ref: h.now})
	if err == nil && pod == "" {
		r.Logs = append(r.Logs, nodereport.Log{Source: source, Since: h.since.UTC().Truncate(time.Second)})
	}
	hide := redact.New(false) // quoted lines leave the node without secrets
	for i, t := range tallies {
		if i == maxMessages {
			gap(r, source, fmt.Errorf("%d more kinds of messages were left out", len(tallies)-i), "")
			break
		}
		m := nodereport.Message{
			Signature: t.Signature.ID, Source: source, Pod: pod, Line: t.Line, Count: t.Count, First: t.First, Last: t.Last,
			Text: wording.Cut(hide.Text(t.Text), maxText),
		}
		if t.Count > 1 {
			m.LastText = wording.Cut(hide.Text(t.LastText), maxText)
		}
		r.Messages = append(r.Messages, m)
	}
	return err
}

// recent reads the lines of a log that are not older than since. A line without a time has the time of the previous
// line, and at the start the time of the last change.
type recent struct {
	lines   *bufio.Reader
	since   time.Time
	now     time.Time
	current bool // the current lines are recent
	rest    []byte
}

// maxLine bounds the part of a line that is matched.
const maxLine = 32 << 10

func newRecent(r io.Reader, since, now, changed time.Time) *recent {
	return &recent{lines: bufio.NewReaderSize(r, maxLine), since: since, now: now, current: !changed.Before(since)}
}

func (r *recent) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line = append(bytes.Clone(line), '\n')
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.lines.ReadSlice('\n')
			}
		}
		if len(line) == 0 && err != nil {
			return 0, err
		}
		if origin := logline.ReadOrigin(string(line[:min(len(line), 300)]), r.now); !origin.Time.IsZero() {
			r.current = !origin.Time.Before(r.since)
		}
		if r.current {
			r.rest = bytes.Clone(line)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
