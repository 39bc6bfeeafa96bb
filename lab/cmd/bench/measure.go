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

// row is one program with the measurements of every run.
type row struct {
	name                          string
	command                       []string
	wall, cpu, resident, requests []float64 // s, s, MB, number
}

type bench struct {
	plane *lab.ControlPlane
	beat  func() error
}

// judged lists the exit codes of nodetriage for a cluster with problems, with warnings, or without enough evidence.
var judged = []int{3, 4, 5}

// measure runs the program once as a separate process, with fresh heartbeats and an idle server.
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
	r.requests = append(r.requests, after-before-1) // one request reads the metrics again
	return nil
}

// run runs the program once as a separate process, with one more environment variable.
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

// maxResident returns the peak memory of a process in MB.
func maxResident(usage *syscall.Rusage) float64 {
	unit := 1024.0 // Maxrss is in kilobytes; on macOS in bytes
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / 1e6
}

// These values identify an idle server: it has processed the heartbeats and collected the garbage of the previous
// command. On a machine with few cores this work would slow the next command.
const (
	restFor    = time.Second
	restCPU    = 0.25 // CPU seconds in that time; reading the metric takes some of them
	restWithin = 3 * time.Minute
)

// rest waits until the API server is idle.
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

// requests returns the number of GETs and LISTs that the API server has answered, except its own.
func (b *bench) requests(ctx context.Context) (float64, error) {
	return b.sum(ctx, "apiserver_request_total", `verb="GET"`, `verb="LIST"`)
}

// sum adds up a metric of the API server over the rows with one of the labels.
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

// ratios compares the wall times of paired runs.
func ratios(r, floor *row) []float64 {
	var out []float64
	for i := range r.wall {
		out = append(out, r.wall[i]/floor.wall[i])
	}
	return out
}
