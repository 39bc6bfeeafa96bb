package signatures_test

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
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

// The memory is the largest heap during the scan. It must not grow with the text.
func BenchmarkScan(b *testing.B) {
	set, err := signatures.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	piece := journal(8 << 20)
	for _, size := range []int{8 << 20, 64 << 20, 1 << 30} {
		b.Run(fmt.Sprintf("%dMiB", size>>20), func(b *testing.B) {
			b.SetBytes(int64(size))
			peak := peakHeap(b)
			for b.Loop() {
				if _, err := set.Scan(repeat(piece, size/(8<<20)), signatures.Options{Kind: "log"}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(peak())/1e6, "peak-MB")
		})
	}
}

// ripgrep counts the matching lines of the same journal with the same patterns. Needs rg, Debian's ripgrep.
func BenchmarkRipgrep(b *testing.B) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.Skip("rg is not installed")
	}
	set, err := signatures.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	var patterns strings.Builder
	for _, s := range set.All() {
		if s.AppliesTo("log") {
			patterns.WriteString(namedGroup.ReplaceAllString(s.Pattern, "(") + "\n")
		}
	}
	dir := b.TempDir()
	text, list := filepath.Join(dir, "journal.log"), filepath.Join(dir, "patterns")
	for name, content := range map[string]string{text: journal(1 << 20), list: patterns.String()} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(1 << 20)
	for b.Loop() {
		ctx, cancel := context.WithTimeout(b.Context(), 5*time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, rg, "-c", "-i", "--regex-size-limit", "4G", "--dfa-size-limit", "4G", "-f", list, text).CombinedOutput()
		if ctx.Err() != nil {
			b.Skip("rg has not finished 1 MiB after five minutes")
		}
		if err != nil {
			b.Fatalf("rg: %v\n%.500s", err, out)
		}
	}
}

// rg takes all patterns as one expression, in which a name may not come twice.
var namedGroup = regexp.MustCompile(`\(\?P<\w+>`)

func repeat(piece string, times int) io.Reader {
	var all []io.Reader
	for range times {
		all = append(all, strings.NewReader(piece))
	}
	return io.MultiReader(all...)
}

// peakHeap samples the heap every few milliseconds until its result is called.
func peakHeap(b *testing.B) func() uint64 {
	b.Helper()
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
			select {
			case <-tick.C:
			case <-done:
				result <- peak
				return
			}
		}
	}()
	return func() uint64 {
		close(done)
		return <-result
	}
}
