//go:build linux && !race

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stated is the limit in the documentation of package collect, in bytes.
const stated = 1536 << 20

// greedy are inputs that would exceed the memory if they were kept. Each writes itself.
var greedy = map[string]func(io.Writer){
	"pods.json": func(w io.Writer) { // an honest dump of 60,000 pods
		io.WriteString(w, `{"apiVersion": "v1", "items": [`)
		for i := range 60_000 {
			fmt.Fprintf(w, `%s{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-%d", "namespace": "default", "uid": "u-%d"}, "spec": {"nodeName": "n-%d", "containers": [{"name": "c", "image": "i", "env": [%s]}]}, "status": {"phase": "Running"}}`,
				comma(i), i, i, i%500, strings.TrimSuffix(strings.Repeat(`{"name": "A_LONG_NAME_OF_A_VARIABLE", "value": "and its value"},`, 50), ","))
		}
		io.WriteString(w, `], "kind": "List"}`)
	},
	"string.json": func(w io.Writer) { // one string of 400 MiB
		io.WriteString(w, `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "status": {"message": "`)
		repeat(w, "words without an end ", 400<<20)
		io.WriteString(w, `"}}`)
	},
	"unique.json": func(w io.Writer) { // 700 pods with a message of 1 MiB each
		io.WriteString(w, `{"kind": "PodList", "apiVersion": "v1", "items": [`)
		for i := range 700 {
			fmt.Fprintf(w, `%s{"metadata": {"name": "p-%d"}, "status": {"message": "%d `, comma(i), i, i)
			repeat(w, "zz qqq ", 1<<20) // no word of a signature, because matching is not what uses memory here
			io.WriteString(w, `"}}`)
		}
		io.WriteString(w, `]}`)
	},
	"specs.json": func(w io.Writer) { // no two pods have the same template
		io.WriteString(w, `{"kind": "PodList", "apiVersion": "v1", "items": [`)
		for i := range 20_000 {
			fmt.Fprintf(w, `%s{"metadata": {"name": "p-%d", "labels": {"l-%d": "x"}}, "spec": {"containers": [{"name": "c-%d", "image": "%s"}]}}`, comma(i), i, i, i, strings.Repeat("i", 10_000))
		}
		io.WriteString(w, `]}`)
	},
	"log.txt": func(w io.Writer) { // one line of 400 MiB, then a log
		repeat(w, "no line break in sight ", 400<<20)
		for range 100_000 {
			io.WriteString(w, "\nPLEG is not healthy: pleg was last seen active 5m3s ago; threshold is 3m0s")
		}
	},
	"items.yaml": func(w io.Writer) { // items that are as large as they may be
		io.WriteString(w, "apiVersion: v1\nkind: List\nitems:\n")
		for i := range 3 {
			fmt.Fprintf(w, "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p-%d\n    annotations:\n", i)
			for n := range 150_000 {
				fmt.Fprintf(w, "      key-%d: value of the annotation %d\n", n, n)
			}
		}
	},
	"document.yaml": func(w io.Writer) { // a document that is larger
		io.WriteString(w, "apiVersion: v1\nkind: ConfigMap\ndata:\n")
		repeat(w, "  a: b\n", 100<<20)
	},
	"cloud.json": func(w io.Writer) { // activities with large bodies
		io.WriteString(w, `[`)
		for i := range 15 {
			fmt.Fprintf(w, `%s{"eventTimestamp": "2026-06-02T00:31:44Z", "properties": {"statusMessage": [`, comma(i))
			for n := range 100_000 {
				fmt.Fprintf(w, `%s{"code":"C%d","message":"m"}`, comma(n), n)
			}
			io.WriteString(w, `]}}`)
		}
		io.WriteString(w, `]`)
	},
	"table.txt": func(w io.Writer) { // a table of 400,000 pods
		io.WriteString(w, "NAMESPACE   NAME      READY   STATUS    RESTARTS   AGE\n")
		for i := range 400_000 {
			fmt.Fprintf(w, "default     p-%-7d 1/1     Running   0          1d\n", i)
		}
	},
	"events.json": func(w io.Writer) {
		io.WriteString(w, `{"kind": "EventList", "apiVersion": "v1", "items": [`)
		for i := range 60_000 {
			fmt.Fprintf(w, `%s{"metadata": {"name": "e-%d"}, "involvedObject": {"kind": "Pod", "name": "p"}, "reason": "Failed", "message": "%d %s"}`, comma(i), i, i, strings.Repeat("m", 8<<10))
		}
		io.WriteString(w, `]}`)
	},
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func repeat(w io.Writer, s string, n int) {
	block := strings.Repeat(s, 1+(64<<10)/len(s))
	for ; n > 0; n -= len(block) {
		io.WriteString(w, block)
	}
}

// For any input the program stays below the stated limit. Each input is read by a separate process, without the race detector,
// which needs memory.
func TestMemoryBound(t *testing.T) {
	t.Parallel()
	for name, write := range greedy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			pipe := filepath.Join(dir, "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			written := make(chan error, 1)
			go func() {
				w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
				if err != nil {
					written <- err
					return
				}
				buffered := bufio.NewWriterSize(w, 1<<20)
				write(buffered)
				_ = buffered.Flush() // the program may have enough of it
				written <- w.Close()
			}()
			job := measureJob{Args: []string{"diagnose", "-o", "json", "-"}, Dir: dir, In: pipe, Out: filepath.Join(dir, "out")}
			took := newMeasurer(t).run(job)
			if err := <-written; err != nil {
				t.Fatal(err)
			}
			if took.Code < 0 || took.Code == 1 {
				t.Fatalf("exit code %d: %s", took.Code, output(job.Out+".err"))
			}
			t.Logf("%d MiB", took.Memory>>20)
			if took.Memory > stated {
				t.Errorf("took %d MiB, more than the stated %d", took.Memory>>20, stated>>20)
			}
		})
	}
}
