package execute

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Journal records the operations in the cloud of one cluster, one JSON object per line. Each line is synced to disk
// before the next step, so that the next run knows what was started. Only one process can open it.
type Journal struct {
	path string
	file *os.File
	runs []*attempt
}

// Record is one line.
type Record struct {
	Entry
	Change    *cloud.Change    `json:"change,omitempty"`
	Operation *cloud.Operation `json:"operation,omitempty"`
	Bundle    string           `json:"bundle,omitempty"` // with the evidence before the change
}

// Values of Record.Do. From stepBegin on the request may have been sent. After stepSucceeded only the verification is
// left.
const (
	stepBegin     = "begin"
	stepAccepted  = "accepted"
	stepRefused   = "refused"
	stepFailed    = "failed"
	stepSucceeded = "succeeded"
	stepEnd       = "end"
)

// attempt is one change in the journal.
type attempt struct {
	run, bundle string
	subject     evidence.Subject
	change      cloud.Change
	begun, done time.Time
	operation   *cloud.Operation
	succeeded   bool
	over        bool
}

// ErrBusy means that another process repairs the same cluster.
var ErrBusy = errors.New("another repair of this cluster is running on this host")

// OpenJournal opens the journal of a cluster exclusively and creates it if needed.
func OpenJournal(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open the journal %s: %w", path, err)
	}
	file, err := atomicfile.Append(path)
	if err != nil {
		return nil, fmt.Errorf("open the journal %s: %w", path, err)
	}
	if err := alone(file); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("open the journal %s: %w", path, err)
	}
	j := &Journal{path: path, file: file}
	if err := j.read(); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("read the journal %s: %w", path, err)
	}
	return j, nil
}

// JournalOf opens the journal of the cluster that contains the node with this provider ID. The node resource group
// identifies the cluster.
func JournalOf(dir, providerID string) (*Journal, error) {
	group, _, ok := strings.Cut(strings.ToLower(providerID), "/providers/")
	if !ok {
		return nil, repair.ErrNoCloud
	}
	sum := sha256.Sum256([]byte(group))
	return OpenJournal(filepath.Join(dir, fmt.Sprintf("%s-%x.jsonl", safeFile(path.Base(group)), sum[:4])))
}

// BundlePath returns the file for the evidence before a change.
func BundlePath(dir string, verb cloud.Verb, target string, at time.Time) string {
	return filepath.Join(dir, fmt.Sprintf("before-%s-%s-%s.tar.gz", verb, safeFile(target), at.UTC().Format("20060102T150405Z")))
}

// safeFile returns a name that is safe as part of a file name.
func safeFile(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
			return c
		}
		return '_'
	}, name[:min(len(name), 60)])
}

// Close releases the lock.
func (j *Journal) Close() error { return j.file.Close() }

// Path returns the path of the journal.
func (j *Journal) Path() string { return j.path }

// Pending is a change that was started and has not ended.
type Pending struct {
	Subject evidence.Subject
	Change  cloud.Change
	Begun   time.Time
	Done    time.Time // when the cloud completed it; zero: not completed
	Bundle  string    // with the evidence before the change
}

// Is reports whether the change is this one.
func (p *Pending) Is(verb cloud.Verb, subject evidence.Subject, count int, own cloud.Own) bool {
	return p.Change.Verb == verb && p.Subject == subject && p.Change.Count == count && p.Change.Own == own
}

// Arguments returns the arguments of the command that started the change.
func (p *Pending) Arguments() shell.Text {
	name := p.Subject.Name
	if p.Subject.Kind == "Cluster" {
		name = "cluster"
	}
	words := shell.Format("{verb} {subject}", string(p.Change.Verb), name)
	if p.Change.Like != "" {
		words += shell.Format(" --like {pool}", path.Base(p.Change.Like))
	}
	if p.Change.Own.Size != "" {
		words += shell.Format(" --size {size}", p.Change.Own.Size)
	}
	if p.Change.Own.Labels != "" {
		words += shell.Format(" --label {labels}", p.Change.Own.Labels)
	}
	if p.Change.Own.Taints != "" {
		words += shell.Format(" --taint {taints}", p.Change.Own.Taints)
	}
	if p.Change.Verb == cloud.AddPool || p.Change.Verb == cloud.ScalePool {
		words += shell.Format(" --count {count}", strconv.Itoa(p.Change.Count))
	}
	return words
}

// Pending returns the change that was started last, or nil.
func (j *Journal) Pending() *Pending {
	if a := j.pending(); a != nil {
		return &Pending{a.subject, a.change, a.begun, a.done, a.bundle}
	}
	return nil
}

// DoneAt returns when the same change was last completed; zero: never.
func (j *Journal) DoneAt(subject evidence.Subject, verb cloud.Verb, count int) time.Time {
	var at time.Time
	for _, a := range j.runs {
		same := a.subject == subject && a.change.Verb == verb && a.change.Count == count
		if same && a.over && a.succeeded {
			at = a.done
		}
	}
	return at
}

func (j *Journal) pending() *attempt {
	if n := len(j.runs); n > 0 && !j.runs[n-1].over {
		return j.runs[n-1]
	}
	return nil
}

// read replays the lines. It ignores and terminates a line that was cut off by a kill.
func (j *Journal) read() error {
	lines := bufio.NewReader(j.file)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var r Record
			if bounds.JSON(line, &r) == nil {
				j.note(r)
			}
			if !bytes.HasSuffix(line, []byte("\n")) {
				if _, err := j.file.WriteString("\n"); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return nil // the end; an unreadable file cannot be written either
		}
	}
}

// note applies one line.
func (j *Journal) note(r Record) {
	if r.Do == stepBegin && r.Change != nil {
		j.runs = append(j.runs, &attempt{run: r.Run, subject: evidence.Subject{Kind: r.Kind, Name: r.Name}, change: *r.Change, begun: r.At, bundle: r.Bundle})
		return
	}
	a := j.pending()
	if a == nil {
		return
	}
	switch r.Do {
	case stepAccepted:
		a.operation = r.Operation
	case stepSucceeded:
		a.succeeded, a.done = true, r.At
	case stepRefused, stepFailed, stepEnd:
		a.over = true
	}
}

// write appends a line and syncs it to disk.
func (j *Journal) write(r Record) error {
	r.Why = redact.New(false).Text(r.Why) // it quotes messages of the cloud
	line, err := json.Marshal(r)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("write the journal %s: %w", j.path, err)
	}
	j.note(r)
	return nil
}
