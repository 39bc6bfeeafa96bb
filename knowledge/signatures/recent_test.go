package signatures_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Lines that differ only in their time are found like single lines, each with its own line and captures.
func TestScanRepeatedLines(t *testing.T) {
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	forms := []string{
		`Jun 02 00:%02d:%02d w1 kubelet[12]: E0602 00:30:01.%06d    12 kubelet.go:2466] "Error getting node" err="node \"w1\" not found"`,
		`2026-06-02T00:%02d:%02d.%06dZ w1 kernel: Out of memory: Killed process 77 (java) total-vm:1kB`,
		`time="2026-06-02T00:%02d:%02d.%06dZ" level=error msg="failed to pull and unpack image \"a/b:c\": no space left on device"`,
		`x509: certificate has expired or is not yet valid: current time 2026-06-02T00:%02d:%02d.%06dZ is after 2026-06-01T00:00:00Z`,
	}
	var text strings.Builder
	alone := map[string]int{}
	for i := range 400 {
		line := fmt.Sprintf(forms[i%len(forms)], i/60, i%60, i)
		text.WriteString(line + "\n")
		for _, m := range set.Match(line, "") {
			alone[fmt.Sprint(m.Signature.ID, m.Captures)]++
		}
	}
	if len(alone) < len(forms) {
		t.Fatalf("only %d kinds of match: %v", len(alone), alone)
	}
	found, err := set.Scan(strings.NewReader(text.String()), signatures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	together := map[string]int{}
	for _, m := range found {
		together[m.Signature.ID] += m.Count
	}
	sums := map[string]int{}
	for k, n := range alone {
		id, _, _ := strings.Cut(k, "map[")
		sums[id] += n
	}
	for id, n := range sums {
		if together[id] != n {
			t.Errorf("%s: %d lines, alone %d", id, together[id], n)
		}
	}
}

// The digits of a line's time do not change the result, for any signature and any order of lines.
func TestTimeDecidesNothing(t *testing.T) {
	entries := `
  - {id: test-port, says: runtime-hung, certainty: likely, source: here, pattern: 'dial tcp (?P<address>10\.0\.0\.1):\d+: connection refused', not: ':2379|2379'}
`
	lines := []string{
		"2026-06-02T00:30:01.123790Z dial tcp 10.0.0.1:443: connection refused\n",
		"2026-06-02T00:30:01.555555Z dial tcp 10.0.0.1:443: connection refused\n",
		"2026-06-02T00:30:02.123790Z dial tcp 10.0.0.1:443: connection refused\n",
	}
	for _, text := range []string{lines[0] + lines[1] + lines[2], lines[1] + lines[0] + lines[2]} {
		found, err := read(t, entries).Scan(strings.NewReader(text), signatures.Options{})
		if err != nil || len(found) != 1 || found[0].Count != 3 {
			t.Errorf("%q: found %+v, %v; want one signature, three times", text, found, err)
		}
	}
	port := strings.ReplaceAll(lines[1], ":443", ":2379")
	if found := read(t, entries).Match(port, ""); len(found) > 0 {
		t.Errorf("%q: found %+v, want nothing", port, found)
	}
}
