//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// row is one program with what every run of it took.
type row struct {
	name                          string
	command                       []string
	wall, cpu, resident, requests []float64 // s, s, MB, number
}

type bench struct {
	plane *lab.ControlPlane
	beat  func() error
}

// judged are the exit codes of nodetriage for a cluster that is not well, has warnings, or cannot be judged.
var judged = []int{3, 4, 5}

// measure runs the program once, as a process of its own, on nodes with fresh heartbeats and against a server that rests.
func (b *bench) measure(ctx context.Context, r *row) error {
	if err := b.beat(); err != nil {
		return err
	}
	if err := b.rest(ctx); err != nil {
		return err
	}
	before, err := b.requests(ctx)
	if err != nil {
		return err
	}
	if err := r.run(ctx, "KUBECONFIG="+b.plane.Kubeconfig); err != nil {
		return err
	}
	after, err := b.requests(ctx)
	if err != nil {
		return err
	}
	r.requests = append(r.requests, after-before-1) // one is the second look itself
	return nil
}

// run runs the program once, as a process of its own, with one more variable in its environment.
func (r *row) run(ctx context.Context, variable string) error {
	cmd := exec.CommandContext(ctx, r.command[0], r.command[1:]...)
	cmd.Env = append(os.Environ(), variable)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && slices.Contains(judged, exit.ExitCode())) {
		return fmt.Errorf("run %s: %w\n%s", r.name, err, &stderr)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	r.wall = append(r.wall, wall.Seconds())
	r.cpu = append(r.cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	r.resident = append(r.resident, maxResident(usage))
	fmt.Fprintf(os.Stderr, "%s: %.1f s, %.0f MB\n", r.name, wall.Seconds(), r.resident[len(r.resident)-1])
	return nil
}

// maxResident is the most memory that a process had, in MB.
func maxResident(usage *syscall.Rusage) float64 {
	unit := 1024.0 // Maxrss is in kilobytes, on macOS in bytes
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / 1e6
}

// How a server is recognized that has worked off the heartbeats and collected what the command before left: on a machine with
// few cores that would take the cores of the next one.
const (
	restFor    = time.Second
	restCPU    = 0.25 // seconds of processor time in that, of which telling it takes some
	restWithin = 3 * time.Minute
)

// rest waits until the API server has nothing left to do.
func (b *bench) rest(ctx context.Context) error {
	end := time.Now().Add(restWithin)
	for {
		begin, err := b.sum(ctx, "process_cpu_seconds_total")
		if err != nil {
			return err
		}
		time.Sleep(restFor)
		used, err := b.sum(ctx, "process_cpu_seconds_total")
		if err != nil || used-begin <= restCPU {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("wait until the API server rests: not within %s", restWithin)
		}
	}
}

// requests is the number of GETs and LISTs that the API server has answered in all, those of its own apart.
func (b *bench) requests(ctx context.Context) (float64, error) {
	return b.sum(ctx, "apiserver_request_total", `verb="GET"`, `verb="LIST"`)
}

// sum adds up a metric of the API server, of those rows that have one of the labels.
func (b *bench) sum(ctx context.Context, metric string, labels ...string) (float64, error) {
	client, err := b.plane.Client()
	if err != nil {
		return 0, err
	}
	text, err := client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return 0, fmt.Errorf("read metrics of the API server: %w", err)
	}
	sum := 0.0
	of := func(row string) bool {
		return len(labels) == 0 || slices.ContainsFunc(labels, func(l string) bool { return strings.Contains(row, l) })
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), metric)
		if !ok || rest == "" || rest[0] != '{' && rest[0] != ' ' || !of(rest) {
			continue
		}
		value, err := strconv.ParseFloat(rest[strings.LastIndexByte(rest, ' ')+1:], 64)
		if err != nil {
			return 0, fmt.Errorf("read metrics of the API server: %w", err)
		}
		sum += value
	}
	return sum, lines.Err()
}

func best(list []float64) float64  { return slices.Min(list) }
func worst(list []float64) float64 { return slices.Max(list) }

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

// ratios compares the walls of runs that stood side by side.
func ratios(r, floor *row) []float64 {
	var out []float64
	for i := range r.wall {
		out = append(out, r.wall[i]/floor.wall[i])
	}
	return out
}
