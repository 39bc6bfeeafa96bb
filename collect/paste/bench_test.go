package paste

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// logs are common log lines that this package does not recognize.
var logs = map[string]string{
	"journal":    `Mar 03 10:15:%02d node-7 kubelet[1432]: E0303 10:15:02.123456    1432 pod_workers.go:1294] "Error syncing pod, skipping" err="failed to \"StartContainer\" for \"app\" with CrashLoopBackOff: \"back-off 5m0s restarting failed container=app\"" pod="shop/web-6c54bd5869-8m2xh" podUID=0bc9323f`,
	"klog":       `I0303 10:15:%02d.123456       1 schedule_one.go:826] "Unable to schedule pod; no fit; waiting" pod="test/minio-0" err="0/12 nodes are available: 1 node(s) didn't match pod anti-affinity rules"`,
	"containerd": `time="2024-03-03T10:15:%02d.123456789Z" level=info msg="RunPodSandbox for &PodSandboxMetadata{Name:web-6c54bd5869-8m2xh,Uid:0bc9323f,Namespace:shop,Attempt:0,}"`,
	"cri":        `2024-03-03T10:15:%02d.849429880+08:00 stderr F {"level":"info","msg":"reconciled","controller":"node","name":"worker-1"}`,
	"plain":      `INFO:root:10:15:%02d worker thread finished the request for /api/v1/items in 23 milliseconds with status two hundred`,
	"kernel":     `[ 1849.%02d1234] eth0: renamed from veth0a1b2c3, link becomes ready and something more to fill the line`,
}

func BenchmarkLogs(b *testing.B) {
	for name, format := range logs {
		b.Run(name, func(b *testing.B) {
			var text strings.Builder
			for i := 0; text.Len() < 8<<20; i++ {
				fmt.Fprintf(&text, format+"\n", i%60)
			}
			data := []byte(text.String())
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				t, err := Parse("log", bytes.NewReader(data))
				if err != nil || !t.Empty() {
					b.Fatal(err, t.rows)
				}
			}
		})
	}
}
