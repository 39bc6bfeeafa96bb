package paste

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/evidence"
)

// FuzzParse checks that any text can be read, and that all output refers to one of its lines.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			if part.Name != "want" && part.Name != "at" {
				f.Add(part.Data)
			}
		}
	}
	at := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := Parse("text", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		d := evidence.Data{TakenAt: at}
		x.AddTo(&d, evidence.NewTemplates())
		lines := bytes.Count(text, []byte("\n")) + 1
		for _, n := range d.Nodes {
			if n.Node == nil || !n.Partial || n.Ref.Locator == "" || n.Ref.Text == "" {
				t.Errorf("node %+v", n)
			}
		}
		for _, p := range d.Pods {
			if !p.Partial || p.Created.After(at) {
				t.Errorf("pod %+v", p)
			}
		}
		for _, e := range d.Events {
			if e.Type == "" || e.Reason == "" || e.Last.After(at) {
				t.Errorf("event %+v", e)
			}
		}
		if len(d.Nodes)+len(d.Events) > 40*lines {
			t.Errorf("%d nodes and %d events of %d lines", len(d.Nodes), len(d.Events), lines)
		}
		if _, err := json.Marshal(&d); err != nil {
			t.Error(err)
		}
	})
}

// FuzzRow checks that a split row has a cell for every column, and only bytes of the row.
func FuzzRow(f *testing.F) {
	f.Add("NAME   READY   STATUS    RESTARTS   AGE", "web-0  1/1     Running   5 (3m ago) 5d")
	f.Add("LAST SEEN   TYPE   REASON   OBJECT   MESSAGE", "5m\tWarning\tX\tpod/a\tb c d")
	f.Add("NAME STATUS", "ä ö")
	f.Fuzz(func(t *testing.T, head, row string) {
		cols, ok := header(clean([]byte(head)), true)
		if !ok {
			return
		}
		row = clean([]byte(row))
		c, ok := cols.split(row)
		if !ok {
			return
		}
		for _, name := range cols.names {
			for _, word := range strings.Fields(c[name]) {
				if !strings.Contains(row, word) {
					t.Errorf("column %s: %q is not in %q", name, word, row)
				}
			}
		}
	})
}

// FuzzCommand checks that any line can be parsed as a prompt and a command.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{
		"[root@node1 ~]# lsmod | grep -e a -e 'b|c'", "user@host:~$ ssh -i k core@w1 \"sudo crictl ps | grep x\"",
		"$ kubectl -n x exec -it pod/y -c z -- sh -c 'df -h'", "PS C:\\> kubectl.exe get po -nfoo -Lbar,baz", "$ a=b watch -n 2 timeout 5 k3s kubectl top node",
		"$ kubectl debug node/w1 -it --image=x -- chroot /host crictl ps", "### `kubectl get nodes`", "$ minikube ssh -- 'bash -c \"df\"'",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, rest, ok := splitPrompt(clean([]byte(text)))
		if !ok {
			return
		}
		c := parseCommand(rest)
		if c == nil {
			return
		}
		if len(c.words) == 0 && !c.shell {
			t.Errorf("%q: no words", rest)
		}
		c.kubectl()
		c.searched()
		target(c)
		lookupName(c)
	})
}

// FuzzEventLine checks that a parsed event has all required fields, all from the line.
func FuzzEventLine(f *testing.F) {
	f.Add("Warning  FailedScheduling  33m (x3 over 33m)  default-scheduler  0/3 nodes are available")
	f.Add("1h\t2m\t20\t{kubelet node-3}\tspec.containers{web}\tWarning\t\tBackOff\tBack-off")
	f.Fuzz(func(t *testing.T, text string) {
		e, ok := parseEventLine(text)
		if ok && (!isEventType(e.typ) || e.reason == "" || !strings.Contains(text, e.message) || !isAge(e.last)) {
			t.Errorf("%q gave %+v", text, e)
		}
		subjectOf(e.reason, e.message)
	})
}

// FuzzTaints checks that printed taints have a key and an effect.
func FuzzTaints(f *testing.F) {
	f.Add("[map[effect:NoSchedule key:a timeAdded:2024-05-01T10:00:00Z] map[key:b value:c effect:NoExecute]]")
	f.Add(`[{"effect":"NoSchedule","key":"a"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		taints, ok := printedTaints(text)
		for _, taint := range taints {
			if !ok || taint.Key == "" || taint.Effect == "" {
				t.Errorf("%q gave %+v", text, taint)
			}
		}
		parseTaint(text)
		parseToleration(text)
	})
}

// FuzzAmounts checks that invalid sizes, ages and times are refused, without overflow.
func FuzzAmounts(f *testing.F) {
	for _, s := range []string{"1.5G", "3d4h", "5m (x20 over 2h)", "99999999999999999999E", "NaN", "Mon, 03 Jun 2024 10:00:00 +0000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := parseAge(s); ok && (d < 0 || d > maxAge) {
			t.Errorf("age %q: %v", s, d)
		}
		if n := parseSize(s, 1<<10); n != badSize && n > 1<<63 {
			t.Errorf("size %q: %d", s, n)
		}
		parseInterval(s)
		_, _ = parseRFC1123Z(s)
		parseUnitTime(s)
		budget(s)
	})
}
