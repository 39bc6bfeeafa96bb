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

// Journal is what was done to one cluster's cloud, a JSON object a line. Each line is on the disk before the next step is
// taken, so that whatever ends a repair, the next one knows what was begun. Who has it open is alone.
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
	Bundle    string           `json:"bundle,omitempty"` // of the evidence before
}

// What a Record's Do says. From stepBegin on the request may have been sent; stepSucceeded leaves the verification.
const (
	stepBegin     = "begin"
	stepAccepted  = "accepted"
	stepRefused   = "refused"
	stepFailed    = "failed"
	stepSucceeded = "succeeded"
	stepEnd       = "end"
)

// attempt is one change as the journal has it.
type attempt struct {
	run, bundle string
	subject     evidence.Subject
	change      cloud.Change
	begun, done time.Time
	operation   *cloud.Operation
	succeeded   bool
	over        bool
}

// ErrBusy is returned where another process works on the same cluster.
var ErrBusy = errors.New("another repair of this cluster runs on this machine")

// OpenJournal opens the journal of a cluster for this process alone, and makes it if there is none.
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

// JournalOf opens the journal of the cluster of which one node has this provider id: the node resource group names it.
func JournalOf(dir, providerID string) (*Journal, error) {
	group, _, ok := strings.Cut(strings.ToLower(providerID), "/providers/")
	if !ok {
		return nil, repair.ErrNoCloud
	}
	sum := sha256.Sum256([]byte(group))
	return OpenJournal(filepath.Join(dir, fmt.Sprintf("%s-%x.jsonl", safeFile(path.Base(group)), sum[:4])))
}

// BundlePath is where the evidence before a change is saved.
func BundlePath(dir string, verb cloud.Verb, target string, at time.Time) string {
	return filepath.Join(dir, fmt.Sprintf("before-%s-%s-%s.tar.gz", verb, safeFile(target), at.UTC().Format("20060102T150405Z")))
}

// safeFile is a name as a part of a file's name.
func safeFile(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
			return c
		}
		return '_'
	}, name[:min(len(name), 60)])
}

// Close lets others go on.
func (j *Journal) Close() error { return j.file.Close() }

// Path is where the journal is.
func (j *Journal) Path() string { return j.path }

// Pending is a change that was begun and has not come to its end.
type Pending struct {
	Subject evidence.Subject
	Change  cloud.Change
	Begun   time.Time
	Done    time.Time // by the cloud; zero: it is not
	Bundle  string    // of the evidence before
}

// Is reports whether the change is this one.
func (p *Pending) Is(verb cloud.Verb, subject evidence.Subject, count int, own cloud.Own) bool {
	return p.Change.Verb == verb && p.Subject == subject && p.Change.Count == count && p.Change.Own == own
}

// Arguments are those of the command that began the change.
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

// Pending is the one that was begun last, or nil.
func (j *Journal) Pending() *Pending {
	if a := j.pending(); a != nil {
		return &Pending{a.subject, a.change, a.begun, a.done, a.bundle}
	}
	return nil
}

// DoneAt is when the same was done last; zero: never.
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

// read replays the lines. One that a kill cut off says nothing, and is ended.
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
			return nil // the end; what cannot be read cannot be written either
		}
	}
}

// note takes one line in.
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

// write adds a line and waits until it is on the disk.
func (j *Journal) write(r Record) error {
	r.Why = redact.New(false).Text(r.Why) // it quotes what the cloud said
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
