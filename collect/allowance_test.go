package collect_test

import (
	"strings"
	"testing"
)

// A document with millions of tiny items is read in part, and a gap reports that.
func TestManySmallThings(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes with the race detector, and its goroutines are those of other tests")
	}
	for name, c := range map[string]struct{ text, gap string }{
		"pods.json":  {`{"apiVersion":"v1","kind":"PodList","items":[` + strings.Repeat(`{"metadata":{"name":"p"}},`, 300_000) + `{}]}`, "too many objects for its size"},
		"a.yaml":     {"apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- kind: Pod\n  spec: {a: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}\n", 100_000), "more YAML than is read"},
		"secret.txt": {"kubelet: no space left on device\n" + strings.Repeat("curl -u\n", 600_000), "too many of its lines may hold secrets"},
		"lines.txt":  {"kubelet: no space left on device\n" + strings.Repeat("a\n", 10_000_000), "too many lines for its size"},
		"table.txt":  {"NAMESPACE NAME READY STATUS RESTARTS AGE\n" + strings.Repeat("default   p    1/1   Running 0      1d\n", 210_000), "only messages are read from line"},
		"az.json":    {"[" + strings.Repeat(`{"eventTimestamp":"2026-06-02T00:31:44Z","operationName":{"value":"x"},"resourceId":"/subscriptions/1/resourceGroups/g","status":{"value":"Failed"}},`, 4_100) + "{}]", "there are more than 4000 documents with an error or of a log; the rest was not read"},
	} {
		said := ""
		for _, g := range read(t, name, []byte(c.text)).Gaps {
			said += g.Why + "\n"
		}
		if !strings.Contains(said, c.gap) {
			t.Errorf("%s: no gap %q in: %s", name, c.gap, said)
		}
	}
}
