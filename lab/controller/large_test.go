//go:build linux

package controller_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/nodetriage/nodetriage/lab/load"
)

var timed = flag.Bool("timed", false, "fail if a goal of time is missed, which says something only on a quiet computer")

var large = flag.Int("large", 0, "measure the controller with this number of nodes and 30 pods for each; 0: skip")

// The cost of the controller in a large cluster with 50 sick nodes and a heartbeat of each node every ten seconds.
func TestLarge(t *testing.T) {
	if *large == 0 {
		t.Skip("go test -large 5000 measures it")
	}
	size := load.Size{Nodes: *large, Pods: 30 * *large, Sick: 50}
	w, store := start(t, size)
	ctx, stop := context.WithCancel(context.Background())
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		for second := 0; ctx.Err() == nil; second++ {
			begun := time.Now()
			_ = store.Put(context.WithoutCancel(ctx), leases(size, second)...)
			time.Sleep(time.Until(begun.Add(time.Second)))
		}
	}()
	t.Cleanup(func() { stop(); <-beats; _ = store.Close() })
	r := run(t, w.user(t))
	begun := time.Now()
	published := func() int {
		list, err := w.dynamic.Resource(diagnoses).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Items)
	}
	w.until(t, 8*time.Minute, "all sick nodes are published", func() bool { time.Sleep(time.Second); return published() >= size.Sick })
	t.Logf("%d nodes, %d pods: all %d sick nodes published %s after the start", size.Nodes, size.Pods, published(), time.Since(begun).Round(time.Second))
	time.Sleep(30 * time.Second)
	before := r.cpu(t)
	time.Sleep(time.Minute)
	t.Logf("at rest: %.2f cores, %d MB resident, %d MB at most", (r.cpu(t)-before).Seconds()/60, r.memory(t, "VmRSS"), r.memory(t, "VmHWM"))
	var seen, healed []time.Duration
	for i := range 10 {
		node := size.Node(size.Sick + i)
		w.sick(t, node, true)
		seen = append(seen, w.until(t, time.Minute, node+" is published as sick", func() bool { return w.of(t, node).Verdict == "broken" || w.of(t, node).Primary.Cause != "" }))
		w.sick(t, node, false)
		healed = append(healed, w.until(t, time.Minute, node+" is published as clear", func() bool { return w.of(t, node).Verdict == "clear" }))
	}
	slices.Sort(seen)
	slices.Sort(healed)
	t.Logf("published after %s, clear after %s; %d MB at most", seen, healed, r.memory(t, "VmHWM"))
	if n := published(); n != size.Sick+10 {
		t.Errorf("%d nodes are published, %d were sick", n, size.Sick+10)
	}
}

// leases returns the heartbeats of a tenth of the nodes. Those of the sick nodes stay old.
func leases(size load.Size, second int) (out []runtime.Object) {
	for i := size.Sick + second%10; i < size.Nodes; i += 10 {
		l := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceNodeLease, Name: size.Node(i)}}
		l.Spec.HolderIdentity, l.Spec.LeaseDurationSeconds, l.Spec.RenewTime = new(size.Node(i)), new(int32(40)), new(metav1.NowMicro())
		out = append(out, l)
	}
	return out
}

// cpu returns the processor time of the controller.
func (r *replica) cpu(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", r.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var ticks int
	for _, f := range fields[11:13] { // utime and stime, in 1/100 s
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// memory returns a line of the status of the controller, in MB.
func (r *replica) memory(t *testing.T, line string) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), line+":")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb / 1024
}
