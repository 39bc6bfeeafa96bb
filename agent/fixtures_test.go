package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// A fixture is testdata/<probe>/<case>: root is the root of the node, want.json the reviewed result, and provenance
// whether root was recorded or hand-written. sizes.json has the file system sizes that a running machine returns.
func TestFixtures(t *testing.T) {
	for _, p := range probes() {
		folder := strings.ReplaceAll(strings.ToLower(p.name), " ", "-")
		cases, err := filepath.Glob(filepath.Join("testdata", folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range cases {
			t.Run(folder+"/"+filepath.Base(dir), func(t *testing.T) {
				t.Parallel()
				if says, err := os.ReadFile(filepath.Join(dir, "provenance")); err != nil || len(says) == 0 {
					t.Error("provenance is missing: say whether the fixture was recorded or written by hand, and after what")
				}
				h := fixtureHost(t, dir)
				r := &nodereport.Report{}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := p.look(ctx, h, r); err != nil {
					r.Gaps = append(r.Gaps, nodereport.Gap{What: p.name, Why: why(err)})
				}
				undated(r.Setup)
				got, err := json.MarshalIndent(r, "", "  ")
				if err != nil {
					t.Fatal(err)
				}
				casetest.Golden(t, filepath.Join(dir, "want.json"), func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%s\n", got)
					return err
				})
			})
		}
	}
}

// undated gives all files of a setup the same time because a checkout sets new ones.
func undated(s *nodereport.Setup) {
	if s == nil {
		return
	}
	for i := range s.Files {
		if !s.Files[i].Changed.IsZero() {
			s.Files[i].Changed = fixtureTime
		}
	}
}

// fixtureTime is the time of all fixtures.
var fixtureTime = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

func fixtureHost(t testing.TB, dir string) *Host {
	t.Helper()
	s := folderSystem()
	s.now = func() time.Time { return fixtureTime }
	s.running = func() time.Duration { return 0 }
	s.kernelTime = func() (bool, time.Duration, error) { return true, 0, nil }
	if data, err := os.ReadFile(filepath.Join(dir, "sizes.json")); err == nil {
		var sizes map[string][5]uint64
		if err := json.Unmarshal(data, &sizes); err != nil {
			t.Fatal(err)
		}
		root := filepath.Join(dir, "root")
		s.statfs = func(name string) (space, error) {
			n, ok := sizes["/"+strings.TrimPrefix(strings.TrimPrefix(name, root), "/")]
			if !ok {
				return space{}, os.ErrNotExist
			}
			return space{n[0], n[1], n[2], n[3], n[4]}, nil
		}
	}
	h := newHost(Options{Root: filepath.Join(dir, "root"), Since: time.Hour, Signatures: builtin(t)}, s, newAbsent())
	h.timeouts = ample
	return h
}

// ample has timeouts for tests in which every server answers. That may take seconds on a busy machine.
var ample = timeouts{
	ask: time.Minute, lookup: time.Minute, way: time.Minute, step: time.Minute, slow: time.Minute,
	greet: time.Minute, endpoint: time.Minute, statfs: time.Minute,
}

// short is the timeout for a server that never answers.
const short = 50 * time.Millisecond

func builtin(t testing.TB) *signatures.Set {
	t.Helper()
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Every probe that reads files has a fixture; the others have a test with a server.
func TestEveryProbeIsTested(t *testing.T) {
	elsewhere := []string{"units", "kubelet", "runtime", "journal", "api-server", "cloud", "clock", "certificates", "sockets", "packet-filter"}
	for _, p := range probes() {
		folder := strings.ReplaceAll(strings.ToLower(p.name), " ", "-")
		if _, err := os.Stat(filepath.Join("testdata", folder)); err != nil && !slices.Contains(elsewhere, folder) {
			t.Errorf("probe %s has no fixture in testdata/%s", p.name, folder)
		}
	}
}
