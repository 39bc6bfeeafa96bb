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

// Exit codes of nodetriage for a cluster that is not well.
const (
	foundProblem  = 3
	foundWarnings = 4
)

// measure runs the program once, as a process of its own, on nodes with fresh heartbeats.
func (b *bench) measure(ctx context.Context, r *row) error {
	if err := b.beat(); err != nil {
		return err
	}
	before, err := b.requests(ctx)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, r.command[0], r.command[1:]...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+b.plane.Kubeconfig)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begin := time.Now()
	err = cmd.Run()
	wall := time.Since(begin)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && (exit.ExitCode() == foundProblem || exit.ExitCode() == foundWarnings)) {
		return fmt.Errorf("run %s: %w\n%s", r.name, err, &stderr)
	}
	after, err := b.requests(ctx)
	if err != nil {
		return err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	r.wall = append(r.wall, wall.Seconds())
	r.cpu = append(r.cpu, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	r.resident = append(r.resident, maxResident(usage))
	r.requests = append(r.requests, after-before-1) // one is the second look itself
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

// requests is the number of GETs and LISTs that the API server has answered in all, those of its own apart.
func (b *bench) requests(ctx context.Context) (float64, error) {
	client, err := b.plane.Client()
	if err != nil {
		return 0, err
	}
	text, err := client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return 0, fmt.Errorf("read metrics of the API server: %w", err)
	}
	sum := 0.0
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "apiserver_request_total{") || !strings.Contains(line, `verb="GET"`) && !strings.Contains(line, `verb="LIST"`) {
			continue
		}
		value, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
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
