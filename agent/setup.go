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

// Bounds for the setup of a node.
const (
	maxSetupFile  = 64 << 10 // bytes per file
	maxSettings   = 200      // per file
	maxSetup      = 1200     // in total
	maxSetupFiles = 250
	maxSetupName  = 160
	maxSetupValue = 160
)

// setup reads the configuration of this node for a comparison with other nodes of its pool. It reads configuration and
// flags of the kubelet, systemd units, the runtime and registry configuration, CNI, kernel settings and command line,
// modules, resolver, hosts, proxies, CA digests, mounts, clock, name and time zone, and package versions. Each file has
// the time of its last change. It reads at most 64 KB per file and 1200 settings; long values are cut, secrets
// replaced.
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
		return errors.New("none of the configuration files of a node exists")
	}
	r.Setup = s.out
	return nil
}

// setupReader collects files and their settings within bounds.
type setupReader struct {
	h    *Host
	hide *redact.Redactor
	out  *nodereport.Setup
	kept int // settings
}

// file adds a file of the node with the given parser. A missing file is left out, and the comparison reports its
// absence.
func (s *setupReader) file(area, name string, read func(string) (values, error)) {
	s.whole(area, name, func(text string) (values, error) { return read(s.hide.Text(text)) })
}

// whole is file for a parser whose output has no secrets.
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

// folder adds the files of a folder with these suffixes.
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

// add adds a file with its settings, and redacts and shortens the values. A file with a proxy setting gets the area of
// proxies.
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

// value returns a redacted value of bounded length. It also redacts values whose name indicates a secret. A digest
// distinguishes values that are cut.
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

// safe returns a text on one line without secrets.
func (s *setupReader) safe(text string) string {
	text = s.hide.Text(strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f || c == ' ' }), " ")
}

// digest returns the beginning of a checksum, enough to compare files.
func digest(data []byte) string { return fmt.Sprintf("sha256:%.6x", sha256.Sum256(data)) }

// changed returns when the file was changed. For a link it is the later time of the link and its target.
func (s *setupReader) changed(name string) time.Time {
	info, err := s.h.stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().UTC().Truncate(time.Second)
}
