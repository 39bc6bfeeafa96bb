package agent

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Each file format is parsed like its program does. Unknown lines are skipped.
func TestSetupReaders(t *testing.T) {
	for name, tt := range map[string]struct {
		read       func(string) (values, error)
		text, want string
	}{
		"nested": {nested, "a: {b: 1, c: [x, z]}\nd: [{e: true}, {e: null}]\nf:\n", "a.b=1; a.c=x, z; d[0].e=true"},
		"tables": {tomlTables, "version = 3 # new\n[a.'b.c'.\"d\"]\n  x = 'y # z'\n  list = [\n \"1\", # one\n '2',\n ]\n[[e]]\nf = true\ntext = \"\"\"\nno = 1\n\"\"\"\nnothing\n",
			"a.b.c.d.list=1, 2; a.b.c.d.x=y # z; e.f=true; version=3"},
		"sections": {sections, "; no\n[Unit]\nDescription=x\nAfter=a\nAfter=b\n[Service]\nEnvironment=\"A=--x 1\" B=2\nExecStart=/old\nExecStart=\nExecStart=/new \\\n --flag\nMemoryMax=4G\nMemoryMax=8M\n",
			"Service.Environment A=--x 1; Service.Environment B=2; Service.ExecStart=/new   --flag; Service.MemoryMax=8M; Unit.After=a | b"},
		"variables": {variables, "# no\nexport A='b c'\nARGS=\"--v=2 --node-ip 10.0.0.7\"\nnothing\n", "--node-ip=10.0.0.7; --v=2; A=b c"},
		"lines":     {lines(1), "nameserver 10.0.0.53 # first\nnameserver 10.0.0.54\n; no\noverlay\n", "nameserver=10.0.0.53, 10.0.0.54; overlay=yes"},
		"two words": {lines(2), "server a iburst\nserver b\nmakestep 1 3\n", "makestep 1=3; server a=iburst; server b=yes"},
		"kernel":    {kernelSettings, "#no=1\n-net/ipv4/ip_forward = 1\nnet.ipv4.ping_group_range=0\t5\n", "net.ipv4.ip_forward=1; net.ipv4.ping_group_range=0 5"},
		"hosts":     {hostNames, "127.0.0.1 localhost a # b\n::1 localhost\n", "a=127.0.0.1; localhost=127.0.0.1, ::1"},
		"mounts":    {mountTable, "UUID=1 / ext4 defaults 0 1\n/swap none swap sw 0 0\n#no / x y\nshort\n", "/=UUID=1 ext4 defaults; swap=/swap swap sw"},
		"cluster":   {clusterOf, "clusters: [{name: a, cluster: {server: \"https://x\", insecure-skip-tls-verify: true}}]\nusers: [{user: {token: secret}}]\n", "cluster.a.insecure-skip-tls-verify=true; cluster.a.server=https://x"},
	} {
		found, err := tt.read(tt.text)
		var got []string
		for _, k := range slices.Sorted(maps.Keys(found)) {
			got = append(got, fmt.Sprintf("%s=%s", k, found[k]))
		}
		if strings.Join(got, "; ") != tt.want || err != nil {
			t.Errorf("%s: %s (%v)\nwant %s", name, strings.Join(got, "; "), err, tt.want)
		}
	}
}
