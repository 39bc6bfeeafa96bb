package agent

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// FuzzParsers gives invalid text to every parser.
func FuzzParsers(f *testing.F) {
	for _, seed := range []string{
		"22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw", `27 25 0:50 / /a\040b\1 rw - nfs4 x ro`,
		"811 (kub) elet) S 1 811", "   0: 0100007F:2808 00000000:0000 0A 0", "eth0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0",
		"6,1234,5678901,-;text", "<6>[    5.678901] text", "2026-03-01T09:59:00.0Z stderr F text",
		`{"cniVersion":"0.3.1","plugins":[{"type":"flannel","ipam":{"type":"host-local"}}]}`,
		"sandbox_image = \"registry.k8s.io/pause:3.10\"", "--config=/x --v 4 -n=1",
		"[Service]\nEnvironment=\"A=--b c\" D=e\nExecStart=\nExecStart=/x \\\n y", "[a.'b']\nlist = [\n 1, # x\n 2]\n", "server a iburst\n!", "10.0.0.1 a b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, ok := parseMount(text); ok && m.point == "" {
			t.Error("a mount without a place")
		}
		if p, ok := parseStat(text); ok && len(p.args) == 0 {
			t.Error("a process without a name")
		}
		if s, ok := parseSocket(text); ok && (s.Port < 0 || s.Port > 65535) {
			t.Errorf("port %d", s.Port)
		}
		if r, ok := parseRoute(text); ok && r.Destination == "" {
			t.Error("a route to nowhere")
		}
		if at, _, ok := parseRecord([]byte(text)); ok && at < 0 {
			t.Error("a record from before the start")
		}
		n := &nodereport.Network{}
		if err := nodereport.ReadNetwork([]byte(text), n); err == nil && len(n.Plugins) == 0 {
			t.Error("a network without plugins")
		}
		flagsOf(strings.Fields(text))
		parseCertificates([]byte(text))
		for name, read := range map[string]func(string) (values, error){
			"nested": nested, "tables": tomlTables, "sections": sections, "variables": variables, "lines": lines(2), "kernel": kernelSettings, "hosts": hostNames,
			"mounts": mountTable, "cluster": clusterOf, "apt": aptProxy,
		} {
			if found, err := read(text); err == nil && len(found) > len(text)+1 && name != "nested" {
				t.Errorf("%s finds %d settings in %d bytes", name, len(found), len(text))
			}
		}
		got, err := io.ReadAll(newRecent(strings.NewReader(text), fixtureTime.Add(-time.Hour), fixtureTime, fixtureTime))
		if err != nil || len(got) > len(text)+bytes.Count([]byte(text), []byte("\n"))+1 {
			t.Errorf("%d bytes of %d (%v)", len(got), len(text), err)
		}
	})
}
