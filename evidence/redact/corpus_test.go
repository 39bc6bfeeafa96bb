package redact_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/redact"
)

// meant are the secrets in recorded evidence, each with enough context to identify it. Their redaction is correct.
var meant = []struct{ file, part string }{
	{"kubeadm-join-without-hash.txtar", "--token abcdef.0123456789abcdef"}, {"br-netfilter-missing.txtar", "--token xxxxxx.xxxxxxxxxxxxxxxx"},
	{"", `FLAG: --storage-driver-password="root"`},                                                        // as printed by the kubelet
	{"contact-6-a-018-weave-overlaps-calico-route.txtar", "value: "}, {"describe_current.txtar", "A:  b"}, // of environments
	{"testdata/bundle/cluster.txtar", "s3cr3t"}, {"testdata/bundle/cluster.txtar", "czNjcjN0LXNlY3JldA=="}, {"script/collect.txtar", "hunter2"}, // planted secrets
	{"kube-flannel/1.log", "token=abcdefghijklmnopqrstuvwxyz012345"},
}

// ordinary is the minimum number of bytes that the test reads.
const ordinary = 10 << 20

// forms are the formats in which runtimes and journals store lines: the same text with other prefixes.
var forms = []func(line string) string{
	func(line string) string { return "2026-06-02T00:30:01.123456789Z stderr F " + line },
	func(line string) string { return "Jun 02 00:30:01 worker-1 app[4711]: " + line },
	func(line string) string {
		quoted, _ := json.Marshal(line + "\n")
		return `{"log":` + string(quoted) + `,"stream":"stderr","time":"2026-06-02T00:30:01.123456789Z"}`
	},
}

// Ordinary evidence stays unchanged: at most one in 10,000 lines of all cases and fixtures, also with log prefixes,
// changes without a secret in it.
func TestOrdinaryEvidenceStays(t *testing.T) {
	lines, wrong, size := 0, 0, 0
	look := func(text *redact.Lines, name, line string, meant bool) {
		lines++
		size += len(line) + 1
		if out := text.Line(line); out != line && !meant {
			wrong++
			t.Logf("%s:\n  %.300s\n  %.300s", name, line, out)
		}
	}
	var again []string
	for _, root := range []string{"../../cases", "../../triage/rules", "../../collect", "../../agent/testdata", "../../answers/why", "../../answers/verify", "../../answers/predict", "../../knowledge/signatures", "../../accuracy", "../../cmd/nodetriage/testdata", "../../cmd/nodetriage/examples"} {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".gz") || strings.Contains(name, "redact") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text := redact.New(false).Lines()
			for line := range strings.Lines(string(data)) {
				line = strings.TrimRight(line, "\r\n")
				if strings.HasPrefix(line, "-- ") {
					text = redact.New(false).Lines() // the next file of the case
				}
				secret := isMeant(name, line)
				look(text, name, line, secret)
				if !secret && logged.MatchString(line) {
					again = append(again, line)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, form := range forms {
		text := redact.New(false).Lines()
		for _, line := range again {
			look(text, "a log", form(line), false)
		}
	}
	t.Logf("%d lines, %d bytes, %d replaced without need", lines, size, wrong)
	if size < ordinary {
		t.Errorf("only %d bytes of ordinary text, want %d", size, ordinary)
	}
	if wrong > lines/10_000 {
		t.Errorf("%d of %d lines are changed without need", wrong, lines)
	}
}

// logged matches log lines, as opposed to lines of objects and tables.
var logged = regexp.MustCompile(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}[-/]\d\d[-/]\d\d[T ][\d:]{8}|[IWEF]\d{4} [\d:]{8}|time=)`)

func isMeant(name, line string) bool {
	for _, m := range meant {
		if strings.HasSuffix(name, m.file) && strings.Contains(line, m.part) {
			return true
		}
	}
	return false
}
