//go:build linux

package scenario

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// limits are scenarios of limited resources of a node: memory, process IDs, pods. Memory and processes belong to the
// host, so the thresholds of the kubelet are near their current values.
var limits = []Scenario{
	{
		Name: "memory-short", Real: true, After: 45 * time.Second,
		Occupies: []Part{Memory, Sandboxes, Settings}, Sign: `MemoryPressure=True|EvictionThresholdMet`, Lone: true,
		Truth: Truth{Class: "memory-pressure-oom", Truth: "Files in memory took what the kubelet wants to have free."},
		Prepare: func(_ context.Context, w *World) error {
			available, err := availableMemory()
			if err == nil && available < hog+(1<<30) {
				err = fmt.Errorf("%d MiB of memory are available, and %d are needed", available>>20, (hog+(1<<30))>>20)
			}
			if err != nil {
				return err
			}
			w.threshold = available - hog/2
			threshold := fmt.Sprintf("memory.available: %dMi", w.threshold>>20)
			return errors.Join(w.edit(lab.KubeletConfig, replace("memory.available: 100Mi", threshold)), w.Machine.Unit(lab.Kubelet).Restart())
		},
		Break: func(ctx context.Context, w *World) error {
			available, err := availableMemory() // the previous value may be wrong: other programs start and exit
			if err != nil {
				return err
			}
			take := max(available-w.threshold, 0) + hog/2
			return w.shell(ctx, fmt.Sprintf("mkdir /run/hog && mount -t tmpfs -o size=%d tmpfs /run/hog && dd if=/dev/zero of=/run/hog/fill bs=1M count=%d 2>/dev/null", take+(1<<20), take>>20))
		},
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.shell(ctx, "umount /run/hog"), restoreAndRestart(lab.KubeletConfig)(ctx, w))
		},
	},
	{
		Name: "pids-exhausted", Real: true, After: 45 * time.Second,
		Occupies: []Part{Processes, Sandboxes}, Sign: `PIDPressure=True|EvictionThresholdMet`, Lone: true,
		Truth: Truth{Class: "pid-exhaustion", Truth: "Sleeping processes took what the kernel's pid_max leaves (a small number laid over the file: it is the whole computer's)."},
		Break: func(ctx context.Context, w *World) error {
			// Fewer than the sleepers alone: other processes of the host start and exit.
			if err := w.overlay(ctx, "/proc/sys/kernel/pid_max", strconv.Itoa(sleepers*2/3)+"\n"); err != nil {
				return err
			}
			return w.shell(ctx, fmt.Sprintf("i=0; while [ $i -lt %d ]; do sleep 900 >/dev/null 2>&1 & i=$((i+1)); done", sleepers))
		},
		Heal: func(ctx context.Context, w *World) error {
			return w.shell(ctx, "umount /proc/sys/kernel/pid_max; pkill -x -f 'sleep 900' || true")
		},
	},
	{
		Name: "too-many-pods", Real: true, After: 30 * time.Second,
		Occupies: []Part{Sandboxes, Settings}, Sign: `OutOfpods`, Lone: true,
		Truth: Truth{Class: "pod-density-limit", Truth: "The node takes three pods, and five were placed there."},
		Prepare: func(_ context.Context, w *World) error {
			return errors.Join(w.edit(lab.KubeletConfig, func(s string) string { return s + "maxPods: 3\n" }), w.Machine.Unit(lab.Kubelet).Restart())
		},
		Break: func(ctx context.Context, w *World) error { return w.pods(ctx, 5) },
		Heal: func(ctx context.Context, w *World) error {
			return errors.Join(w.noPods(ctx), restoreAndRestart(lab.KubeletConfig)(ctx, w))
		},
	},
}

const (
	hog      = 3 << 30 // allocated bytes: more than the usual variation on a busy host
	sleepers = 600
)

// availableMemory returns what the kubelet calls memory.available: everything except the working set of the root cgroup
// (kubernetes pkg/kubelet/eviction, 1.36.3). MemAvailable of the kernel is close enough.
func availableMemory() (int64, error) {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), "MemAvailable:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, errors.New("read /proc/meminfo: it has no MemAvailable")
	}
	kib, err := strconv.ParseInt(fields[0], 10, 64)
	return kib << 10, err
}
