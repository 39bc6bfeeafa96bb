package agent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/wording"
)

// Bounds of what is kept of a node's setup.
const (
	maxSetupFile  = 64 << 10 // bytes that are read of a file
	maxSettings   = 200      // of a file
	maxSetup      = 1200     // of all
	maxSetupFiles = 250
	maxSetupName  = 160
	maxSetupValue = 160
)

// setup reads how this node is set up, so that it can be compared with others of its pool: configuration and flags of the kubelet,
// files of units, the runtime's configuration and its registries, pod network, kernel settings and command line, modules,
// resolver, hosts, proxies, digests of authorities, mounts, clock, name and time zone, versions of packages; each file with the
// time of its last change. At most 64 KB of a file and 1200 settings; long values are cut, secrets replaced.
func setup(ctx context.Context, h *Host, r *nodereport.Report) error {
	s := &setupReader{h: h, hide: redact.New(false), out: &nodereport.Setup{Files: []nodereport.SetupFile{}}}
	for _, read := range []func(*setupReader){
		kubeletSetup, unitSetup, processFlags, runtimeSetup, registrySetup, networkSetup, kernelSetup, nameSetup, trustSetup, mountSetup,
		systemSetup, programSetup, packageSetup,
	} {
		if ctx.Err() != nil {
			return fmt.Errorf("read how the node is set up: %w", ctx.Err())
		}
		read(s)
	}
	sort.SliceStable(s.out.Files, func(i, j int) bool {
		a, b := &s.out.Files[i], &s.out.Files[j]
		return cmp.Or(slices.Index(nodereport.SetupAreas, a.Area)-slices.Index(nodereport.SetupAreas, b.Area), strings.Compare(a.Path, b.Path)) < 0
	})
	if len(s.out.Files) == 0 {
		return errors.New("none of the files is there that say how a node is set up")
	}
	r.Setup = s.out
	return nil
}

// setupReader gathers files and their settings within bounds.
type setupReader struct {
	h    *Host
	hide *redact.Redactor
	out  *nodereport.Setup
	kept int // settings
}

// file adds a file of the node as the reader understands it. One that is not there is left out: its absence is what others compare.
func (s *setupReader) file(area, name string, read func(string) (values, error)) {
	s.whole(area, name, func(text string) (values, error) { return read(s.hide.Text(text)) })
}

// whole is file for a reader that keeps nothing secret by itself.
func (s *setupReader) whole(area, name string, read func(string) (values, error)) {
	data, err := s.h.read(name, maxSetupFile+1)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	f := nodereport.SetupFile{Path: name, Area: area, Changed: s.changed(name)}
	if err != nil {
		f.Unread = why(err)
		s.add(f, nil)
		return
	}
	if len(data) > maxSetupFile {
		data, f.Cut = data[:maxSetupFile], true
	}
	found, err := read(strings.ReplaceAll(string(data), "\r", ""))
	if err != nil && !f.Cut {
		f.Error = s.safe(err.Error())
	}
	s.add(f, found)
}

// folder adds the files of a folder whose names end so.
func (s *setupReader) folder(area, dir string, read func(string) (values, error), ends ...string) {
	entries, err := s.h.list(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		s.add(nodereport.SetupFile{Path: dir, Area: area, Unread: why(err)}, nil)
		return
	}
	for _, e := range entries {
		if !e.IsDir() && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(e.Name(), end) }) {
			s.file(area, path.Join(dir, e.Name()), read)
		}
	}
}

// add adds a file with its settings, whose values become safe and short here. Where any is a proxy, the file is about that.
func (s *setupReader) add(f nodereport.SetupFile, found values) {
	if len(s.out.Files) == maxSetupFiles {
		s.out.Cut = true
		return
	}
	f.Path = wording.Cut(f.Path, 300)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if len(f.Settings) == maxSettings || s.kept == maxSetup {
			f.Cut, s.out.Cut = true, s.out.Cut || s.kept == maxSetup
			break
		}
		if f.Settings == nil {
			f.Settings = map[string]string{}
		}
		if strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			f.Area = nodereport.SetupProxy
		}
		f.Settings[wording.Cut(s.safe(name), maxSetupName)] = s.value(name, found[name])
		s.kept++
	}
	s.out.Files = append(s.out.Files, f)
}

// value is a value without secrets, also one that only its name tells, of bounded length: what is cut is told apart by its digest.
func (s *setupReader) value(name, text string) string {
	name = name[strings.LastIndexAny(name, ". ")+1:]
	text = s.safe(text)
	head := name + `="`
	if hidden, ok := strings.CutPrefix(s.hide.Text(head+text+`"`), head); ok {
		text = strings.TrimSuffix(hidden, `"`)
	} else {
		text = "[redacted]"
	}
	if len(text) <= maxSetupValue {
		return text
	}
	return wording.Cut(text, maxSetupValue-40) + " " + digest([]byte(text))
}

// safe is a text on one line without secrets.
func (s *setupReader) safe(text string) string {
	text = s.hide.Text(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f || c == ' ' }), " ")
}

// digest is the beginning of a checksum: enough to see whether two are the same.
func digest(data []byte) string { return fmt.Sprintf("sha256:%.6x", sha256.Sum256(data)) }

// changed is when the file was changed; of a link, when the link was made or what it leads to was changed.
func (s *setupReader) changed(name string) time.Time {
	info, err := s.h.stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().UTC().Truncate(time.Second)
}
