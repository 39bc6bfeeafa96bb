package paste

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/nodetriage/nodetriage/evidence"
)

// data returns the evidence of one text alone.
func data(t *testing.T, text string) *evidence.Data {
	t.Helper()
	var d evidence.Data
	x, err := Parse("text", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	x.AddTo(&d, evidence.NewTemplates())
	return &d
}

const nodeTable = "NAME   STATUS     ROLES    AGE   VERSION\nw1     NotReady   <none>   5d    v1.27.1\n"

// TestEncodings checks that a table survives changes by editors, terminals and web pages.
func TestEncodings(t *testing.T) {
	utf16le := func(s string) string {
		b := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	}
	utf16be := func(s string) string {
		b := []byte{0xfe, 0xff}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u>>8), byte(u))
		}
		return string(b)
	}
	cases := map[string]string{
		"plain":                nodeTable,
		"no end of line":       strings.TrimSuffix(nodeTable, "\n"),
		"byte order mark":      "\ufeff" + nodeTable,
		"UTF-16 little endian": utf16le(nodeTable),
		"UTF-16 big endian":    utf16be(nodeTable),
		"CRLF":                 strings.ReplaceAll(nodeTable, "\n", "\r\n"),
		"NUL bytes":            strings.ReplaceAll(nodeTable, "NotReady", "Not\x00Ready"),
		"colours":              strings.ReplaceAll(nodeTable, "NotReady", "\x1b[1;31mNotReady\x1b[0m"),
		"window title":         "\x1b]0;root@w1: ~\x07" + nodeTable,
		"unbreakable spaces":   strings.ReplaceAll(nodeTable, " ", "\u00a0"),
		"indented":             "    " + strings.ReplaceAll(nodeTable, "\nw", "\n    w"),
		"first line trimmed":   strings.ReplaceAll(nodeTable, "\nw", "\n    w"),
		"tabs":                 "NAME\tSTATUS\tROLES\tAGE\tVERSION\nw1\tNotReady\t<none>\t5d\tv1.27.1\n",
		"gaps lost":            "NAME STATUS ROLES AGE VERSION\nw1 NotReady <none> 5d v1.27.1\n",
		"empty lines between":  strings.ReplaceAll(nodeTable, "\n", "\n\n"),
		"prose around":         "Here it is:\n" + nodeTable + "and that was it.\n",
		"invalid UTF-8 behind": nodeTable + "\xff\xfe\xfd\n",
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			nodes := data(t, text).Nodes
			if len(nodes) != 1 || nodes[0].Name != "w1" || nodes[0].Ready() != evidence.False || !nodes[0].Partial {
				t.Errorf("nodes: %+v", nodes)
			}
		})
	}
}

// TestAnyChunks checks that the sizes of the reads do not matter.
func TestAnyChunks(t *testing.T) {
	for name, r := range map[string]io.Reader{
		"one byte":              iotest.OneByteReader(strings.NewReader(nodeTable)),
		"halves":                iotest.HalfReader(strings.NewReader(nodeTable)),
		"data and end together": iotest.DataErrReader(strings.NewReader(nodeTable)),
	} {
		x, err := Parse(name, r)
		if err != nil || len(x.nodes) != 1 || x.nodes[0].Ref.Locator != "line 2" {
			t.Errorf("%s: %v, %d nodes", name, err, len(x.nodes))
		}
	}
}

// TestReadError checks that content before an error counts, and that the error names the text.
func TestReadError(t *testing.T) {
	broken := errors.New("disk is gone")
	r := io.MultiReader(strings.NewReader(nodeTable), iotest.ErrReader(broken))
	var sink kept
	err := Read("nodes.txt", r, &sink)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "nodes.txt") || len(sink.data.Nodes) != 1 {
		t.Errorf("error %v, nodes %v", err, sink.data.Nodes)
	}
}

type kept struct{ data evidence.Data }

func (m *kept) Edit(f func(*evidence.Data, *evidence.Templates)) { f(&m.data, evidence.NewTemplates()) }

// TestBounds checks that rows and long lines are bounded, and that a gap reports what is left out.
func TestBounds(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("NAME READY STATUS RESTARTS AGE\n")
	for i := range maxRows + 500 {
		fmt.Fprintf(&rows, "p%d 1/1 Running 0 5d\n", i)
	}
	d := data(t, rows.String())
	if len(d.Pods) != maxRows || len(d.Gaps) != 1 || !strings.Contains(d.Gaps[0].Why, "500 pods") {
		t.Errorf("%d pods, gaps %v", len(d.Pods), d.Gaps)
	}

	long := "Name: w1\nTaints: " + strings.Repeat("x", 10<<20) + "\nUnschedulable: true\n"
	d = data(t, long)
	if len(d.Nodes) != 1 || !d.Nodes[0].Spec.Unschedulable || len(d.Gaps) != 1 || !strings.Contains(d.Gaps[0].Why, "longer than") {
		t.Errorf("nodes %v, gaps %v", d.Nodes, d.Gaps)
	}

	if d := data(t, strings.Repeat("x", 10<<20)); len(d.Gaps) != 0 {
		t.Errorf("a long line that means nothing: gaps %v", d.Gaps)
	}

	var hosts strings.Builder
	for i := range maxReports + 100 {
		fmt.Fprintf(&hosts, "root@h%d:~# sysctl -n vm.swappiness\n1\n", i)
	}
	if d := data(t, hosts.String()); len(d.NodeReports) != maxReports || len(d.Gaps) != 1 {
		t.Errorf("%d reports, gaps %v", len(d.NodeReports), d.Gaps)
	}
}

// TestAges checks that ages count from the time of the evidence, or else from the newest heartbeat of a reachable kubelet.
func TestAges(t *testing.T) {
	describe := func(status string) string {
		return "Name: w1\nConditions:\n  Ready " + status + " Mon, 03 Jun 2024 10:00:00 +0000 Mon, 03 Jun 2024 09:00:00 +0000 R m\n" +
			"Events:\n  Warning  X  5m  kubelet  m\n"
	}
	at := time.Date(2024, 6, 3, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status  string
		takenAt time.Time
		want    time.Time
	}{
		{"True", at, at.Add(-5 * time.Minute)},
		{"True", time.Time{}, at.Add(-2*time.Hour - 5*time.Minute)},
		{"False", time.Time{}, at.Add(-2*time.Hour - 5*time.Minute)},
		{"Unknown", time.Time{}, time.Time{}},
	} {
		x, err := Parse("x", strings.NewReader(describe(c.status)))
		if err != nil {
			t.Fatal(err)
		}
		d := evidence.Data{TakenAt: c.takenAt}
		x.AddTo(&d, evidence.NewTemplates())
		if len(d.Events) != 1 || !d.Events[0].Last.Equal(c.want) {
			t.Errorf("%s at %v: %+v, want %v", c.status, c.takenAt, d.Events, c.want)
		}
	}
}

func TestParseAge(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0s": 0, "45s": 45 * time.Second, "3m42s": 222 * time.Second, "5h": 5 * time.Hour, "3d4h": 76 * time.Hour,
		"2y15d": (2*365 + 15) * day, "4m ago": 4 * time.Minute,
	} {
		if got, ok := parseAge(s); !ok || got != want {
			t.Errorf("%q: %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "5", "m", "<unknown>", "<invalid>", "-5m", "5x", "9999999d", "1.5h", "999999y", "5m5"} {
		if got, ok := parseAge(s); ok {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// TestWholeObjectsWin checks that a table does not change objects from the API.
func TestWholeObjectsWin(t *testing.T) {
	d := data(t, nodeTable)
	d.Nodes[0].Partial = false
	x, err := Parse("later", strings.NewReader(strings.ReplaceAll(nodeTable, "NotReady", "Ready   ")))
	if err != nil {
		t.Fatal(err)
	}
	x.AddTo(d, evidence.NewTemplates())
	if len(d.Nodes) != 1 || d.Nodes[0].Ready() != evidence.False {
		t.Errorf("nodes: %+v", d.Nodes)
	}
}

// TestDescriptionTellsMoreThanTable checks that NotReady in a later table does not hide that the kubelet is unreachable.
func TestDescriptionTellsMoreThanTable(t *testing.T) {
	d := data(t, "Name: w1\nRoles: <none>\nConditions:\n"+
		"  Ready  Unknown  Mon, 03 Jun 2024 10:00:00 +0000  Mon, 03 Jun 2024 10:01:00 +0000  NodeStatusUnknown  Kubelet stopped posting node status.\n\n"+nodeTable)
	if len(d.Nodes) != 1 || !d.Nodes[0].Silent() || d.Nodes[0].Status != "NotReady" {
		t.Errorf("nodes: %+v", d.Nodes)
	}
	d = data(t, nodeTable+"\n"+strings.ReplaceAll(nodeTable, "NotReady", "Ready   "))
	if len(d.Nodes) != 1 || d.Nodes[0].Ready() != evidence.True {
		t.Errorf("the later table counts: %+v", d.Nodes)
	}
}

// TestNothing checks that texts that only resemble output are ignored.
func TestNothing(t *testing.T) {
	for _, text := range []string{
		"", "\n\n\n", "NAME\n", "NAME STATUS\n", "NAME   STATUS   AGE\ndefault   Active   3d\n",
		"The node is NotReady since 5m and I see Warning messages.\n",
		"Name: Jane Doe\nVersion: 1.2\nSteps to reproduce: none\n",
		"# Set up the network\n# modprobe first\nmodprobe br_netfilter\n",
		"Events: I saw none\n", "State: StartTime:2020-04-28 Drained:false\n",
		"Warning: the thing is broken\nNormal people do not see this\n",
		"Ready to go\nReady? Set? Go!\n", "Filesystem is full\nFilesystem      Size  Used Avail Use% Mounted on\n",
		"Module Size Used by\n", "total used free\n", "default via nothing\n",
		"net.ipv4 settings = see below\n", "systemctl restart kubelet\n", "Server: nginx\nAddress: unknown\n",
		"kubectl get nodes\n", "$ kubectl get nodes\nNo resources found\n",
		"$ kubectl exec web-0 -- df -h\nFilesystem      Size  Used Avail Use% Mounted on\noverlay          98G   93G     0 100% /\n",
	} {
		if d := data(t, text); len(d.Nodes)+len(d.Pods)+len(d.Events)+len(d.NodeReports)+len(d.Workloads)+len(d.Gaps) != 0 {
			t.Errorf("%q gave %s", text, shown(t, d))
		}
	}
}

// TestSourcesArePointedAt checks that each reference quotes its line.
func TestSourcesArePointedAt(t *testing.T) {
	d := data(t, "# df -h\nFilesystem  Size  Used Avail Use% Mounted on\n/dev/sda1  98G   93G     0 100% /\n"+nodeTable)
	if ref := d.Nodes[0].Ref; ref.Source != "text" || ref.Locator != "line 5" || ref.Text != "w1     NotReady   <none>   5d    v1.27.1" {
		t.Errorf("node: %+v", ref)
	}
	want := d.NodeReports[0].Filesystems[0]
	if want.Ref != "line 3: /dev/sda1  98G   93G     0 100% /" {
		t.Errorf("file system: %q", want.Ref)
	}
}

// TestLogsAreNothing checks that no common log line is read as an output.
func TestLogsAreNothing(t *testing.T) {
	for name, format := range logs {
		x, err := Parse(name, bytes.NewReader([]byte(fmt.Sprintf(format+"\n", 12))))
		if err != nil || !x.Empty() {
			t.Errorf("%s: %v, %v", name, err, x.rows)
		}
	}
}
