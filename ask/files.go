package ask

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// Files is saved evidence: bundles, folders, kubectl output, logs, pasted text.
type Files struct {
	// Paths are files, folders and named pipes; "-" is Stdin.
	Paths []string
	// Stdin is what "-" reads.
	Stdin io.Reader
}

// LongestReading limits how long the reading of files may take. What was read by then is used.
const LongestReading = 15 * time.Minute

func (f Files) read(ctx context.Context, from *From, n need) (*evidence.Snapshot, error) {
	source := f.source()
	source.Node = evidence.OfNodes(n.nodes)
	b := from.builder(source)
	ctx, cancel := context.WithTimeoutCause(ctx, LongestReading, fmt.Errorf("it took more than %s", LongestReading))
	defer cancel()
	b.Until(ctx)
	b.Assume(from.At)
	for _, path := range f.Paths {
		if err := f.readOne(ctx, from, b, path); err != nil {
			return nil, &UsageError{err}
		}
	}
	if err := b.Unreadable(); err != nil {
		return nil, &UsageError{err}
	}
	return b.Snapshot(), nil
}

// source returns the name of the evidence in reports.
func (f Files) source() evidence.Source {
	s := evidence.Source{Kind: "file", Name: strings.Join(f.Paths, ", ")}
	if len(f.Paths) != 1 {
		return s
	}
	if f.Paths[0] == "-" {
		return evidence.Source{Kind: "stdin"}
	}
	if info, err := os.Stat(f.Paths[0]); err == nil && info.IsDir() {
		s.Kind = "folder"
	}
	return s
}

// readOne reads one path.
func (f Files) readOne(ctx context.Context, from *From, b *collect.Builder, path string) error {
	p := Progress{Reading: path}
	info, err := os.Stat(path)
	switch {
	case path == "-":
		p.Reading = "standard input"
	case err == nil && info.Mode().IsRegular():
		p.Total = info.Size()
	}
	from.tell(p)
	var done atomic.Int64
	b.Progress(func(bytes int) {
		from.tell(Progress{Reading: p.Reading, Phase: Going, Done: done.Add(int64(bytes)), Total: p.Total})
	})
	defer func() { from.tell(Progress{Reading: p.Reading, Phase: Ended, Done: done.Load(), Total: p.Total}) }()
	switch {
	case path == "-":
		b.AddStream(p.Reading, newPatient(ctx, f.Stdin))
		return nil
	case err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeCharDevice) != 0:
		pipe, err := openPatiently(ctx, path)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		defer pipe.Close()
		b.AddStream(filepath.Base(path), newPatient(ctx, pipe))
		return nil
	}
	return b.AddPath(path)
}

// Recording is a recorded case. Its evidence is a file system, which may be remote.
type Recording struct {
	Name     string
	Evidence fs.FS
}

func (r Recording) read(ctx context.Context, from *From, _ need) (*evidence.Snapshot, error) {
	b := from.builder(evidence.Source{Kind: "example", Name: r.Name})
	b.Until(ctx)
	if err := b.AddFS(r.Evidence); err != nil {
		return nil, err
	}
	return b.Snapshot(), context.Cause(ctx)
}
