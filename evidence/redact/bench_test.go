package redact_test

import (
	"io"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/redact"
)

// BenchmarkReader runs the redactor on lines without clues, on ordinary kubelet lines, and on lines with secrets.
func BenchmarkReader(b *testing.B) {
	for name, line := range map[string]string{
		"plain":    "Jun 02 00:30:01 worker-1 kubelet[1234]: I0602 00:30:01.123456    1234 reconciler_common.go:251] \"operationExecutor started for volume\" pod=\"default/web-0\"\n",
		"ordinary": "I0602 00:30:01.123456    1234 trace.go:236] Trace[12]: \"Reconcile\" key=\"kube-system/coredns\" url=\"https://10.0.0.1:443/api/v1/nodes\" token request took 12ms\n",
		"secrets":  "Jun 02 00:30:01 worker-1 app[1234]: login with password=Hunter2x! and Authorization: Bearer abcdefghij0123456789 was fine\n",
	} {
		text := strings.Repeat(line, 4<<20/len(line))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := io.Copy(io.Discard, redact.New(false).Reader(strings.NewReader(text))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
