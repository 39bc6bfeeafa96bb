//go:build linux

package lab

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"time"
)

// saved is the folder of the archive on the machine: no scenario fills that file system.
const saved = "/opt/saved.tar.gz"

// Save is the cost of saving the evidence of a machine.
type Save struct {
	Size int           // of the file, in bytes; 0: nothing was saved
	Took time.Duration // including the probes and the first evaluation
}

// Save runs node-check --save on the machine and writes the archive to file. The kernel log belongs to the host, so
// messages from before the start of this machine are removed.
func (m *Machine) Save(ctx context.Context, nodetriage, file string) (Save, error) {
	program, err := m.keeper.program(m, nodetriage)
	if err != nil {
		return Save{}, fmt.Errorf("give node %s the program: %w", m.Name, err)
	}
	hide, err := m.keeper.showLogs(m)
	defer hide()
	if err != nil {
		return Save{}, fmt.Errorf("show node %s its logs: %w", m.Name, err)
	}
	begin := time.Now()
	out, ended := exec.CommandContext(ctx, "nsenter", m.enter(append(m.NodeCheck(program), "--save", saved)...)...).CombinedOutput() // the exit code is the verdict
	took := time.Since(begin)
	data, err := os.ReadFile(m.Path(saved))
	if err != nil {
		return Save{}, fmt.Errorf("save what node %s knows: %w: %.500s", m.Name, errors.Join(err, ended), out)
	}
	own, err := since(data, m.born.Add(time.Duration(m.ahead.Load())*time.Second))
	if err != nil {
		return Save{}, fmt.Errorf("read what node %s saved: %w", m.Name, err)
	}
	return Save{Size: len(data), Took: took}, errors.Join(os.WriteFile(file, own, 0o600), os.Remove(m.Path(saved)))
}

// since removes the lines of the kernel log in the archive before a time.
func since(archive []byte, begin time.Time) ([]byte, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	to := tar.NewWriter(zipped)
	for files := tar.NewReader(unzipped); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			err = errors.Join(to.Close(), zipped.Close())
			return out.Bytes(), err
		} else if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(files)
		if err != nil {
			return nil, err
		}
		if path.Base(h.Name) == "dmesg.log" {
			text = linesSince(text, begin.UTC().Format("2006-01-02T15:04:05Z"))
			h.Size = int64(len(text))
		}
		if err := to.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := to.Write(text); err != nil {
			return nil, err
		}
	}
}

// linesSince returns the lines that do not begin with an earlier time.
func linesSince(log []byte, begin string) []byte {
	var out []byte
	for line := range bytes.Lines(log) {
		if len(line) < len(begin) || string(line[:len(begin)]) >= begin {
			out = append(out, line...)
		}
	}
	return out
}
