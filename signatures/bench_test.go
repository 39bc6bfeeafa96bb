package signatures_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/signatures"
)

// journal is a mostly healthy kubelet and containerd journal; one line in a thousand is not.
func journal(size int) string {
	r := rand.New(rand.NewSource(1))
	var b strings.Builder
	for b.Len() < size {
		at := fmt.Sprintf("Nov 21 01:%02d:%02d worker-7 ", r.Intn(60), r.Intn(60))
		switch n := r.Intn(1000); {
		case n == 0:
			fmt.Fprintf(&b, "%skubelet[1234]: E1121 01:12:13.123456 1234 kubelet.go:2448] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s\"\n", at)
		case n < 300:
			fmt.Fprintf(&b, "%skubelet[1234]: I1121 01:00:00.%06d 1234 kubelet.go:2450] \"SyncLoop (PLEG): event for pod\" pod=\"default/web-%d\" event={\"ID\":\"%032x\",\"Type\":\"ContainerStarted\"}\n", at, r.Intn(1e6), r.Intn(1000), r.Int63())
		case n < 600:
			fmt.Fprintf(&b, "%scontainerd[812]: time=\"2026-11-21T01:00:00.%06dZ\" level=info msg=\"CreateContainer within sandbox \\\"%032x\\\" for container &ContainerMetadata{Name:web,Attempt:%d,}\"\n", at, r.Intn(1e6), r.Int63(), r.Intn(3))
		default:
			fmt.Fprintf(&b, "%ssystemd[1]: Started libcontainer container %032x%032x.\n", at, r.Int63(), r.Int63())
		}
	}
	return b.String()
}

func BenchmarkScan(b *testing.B) {
	set, err := signatures.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	text := journal(64 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := set.Scan(strings.NewReader(text), signatures.Options{Kind: "log"}); err != nil {
			b.Fatal(err)
		}
	}
}
