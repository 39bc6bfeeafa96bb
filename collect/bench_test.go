package collect_test

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// BenchmarkReadLog measures the reading of log text, end to end. The lines are unknown, match a signature with one message or with
// many, or hold a secret each. times-floor is the time relative to reading and splitting the same bytes.
func BenchmarkReadLog(b *testing.B) {
	set, err := signatures.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	for name, line := range map[string]string{
		"nothing":        "Jun 02 00:%02d:%02d worker-1 kubelet[1234]: I0602 00:30:01.%06d    1234 reconciler_common.go:251] \"operationExecutor.VerifyControllerAttachedVolume started for volume\" pod=\"default/web-0\"\n",
		"nothing-varied": "Jun 02 00:%02d:%02d worker-1 kubelet[1234]: I0602 00:30:01.000001    1234 reconciler_common.go:251] \"operationExecutor.VerifyControllerAttachedVolume started for volume\" pod=\"default/web-%06d\"\n",
		"matches-varied": "Jun 02 00:%02d:%02d worker-1 kubelet[1234]: E0602 00:30:01.000001    1234 kubelet.go:2466] \"Error getting node\" err=\"node \\\"worker-%06d\\\" not found\"\n",
		"matches":        "Jun 02 00:%02d:%02d worker-1 kubelet[1234]: E0602 00:30:01.%06d    1234 kubelet.go:2466] \"Error getting node\" err=\"node \\\"worker-1\\\" not found\"\n",
		"secrets":        "Jun 02 00:%02d:%02d worker-1 app[1234]: %06d login with password=Hunter2x! and Authorization: Bearer abcdefghij0123456789 was fine\n",
	} {
		var text strings.Builder
		for i := 0; text.Len() < 4<<20; i++ {
			fmt.Fprintf(&text, line, i/60%60, i%60, i%1000000)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			var floor, whole time.Duration
			for b.Loop() {
				start := time.Now()
				for lines := bufio.NewScanner(strings.NewReader(text.String())); lines.Scan(); {
				}
				floor += time.Since(start)
				start = time.Now()
				builder := collect.NewBuilder(evidence.Source{Kind: "file"}, set)
				builder.AddStream("kubelet.log", strings.NewReader(text.String()))
				builder.Snapshot()
				whole += time.Since(start)
			}
			b.ReportMetric(whole.Seconds()/floor.Seconds(), "times-floor")
			b.ReportMetric(float64(text.Len())*float64(b.N)/1e6/whole.Seconds(), "read-MB/s")
		})
	}
}
