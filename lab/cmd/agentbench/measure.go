//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is one that runs on the node.
type program struct {
	name string
	cmd  *exec.Cmd
}

// row is what a program took. Sizes are in megabytes.
type row struct {
	name                string
	resident, peak, own float64
	cpu, during         time.Duration
}

// measure runs the programs side by side and reads, every five seconds, what the kernel says of them.
func (b bench) measure(ctx context.Context, programs []program) ([]row, error) {
	rows := make([]row, len(programs))
	pids := make([]int, len(programs))
	for i, p := range programs {
		p.cmd.Stderr = os.Stderr
		if err := p.cmd.Start(); err != nil {
			return nil, fmt.Errorf("start %s: %w", p.name, err)
		}
		time.Sleep(time.Second)
		pid, err := childOf(p.cmd.Process.Pid)
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", p.name, err)
		}
		pids[i], rows[i].name = pid, p.name
		defer func() {
			_ = syscall.Kill(pid, syscall.SIGTERM)
			_ = p.cmd.Wait()
		}()
	}
	begin := time.Now()
	resident, own := make([][]float64, len(rows)), make([][]float64, len(rows))
	for time.Since(begin) < b.during {
		select {
		case <-time.After(5 * time.Second):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		for i, pid := range pids {
			status, err := statusOf(pid)
			if err != nil {
				return nil, fmt.Errorf("%s ended: %w", rows[i].name, err)
			}
			resident[i], own[i] = append(resident[i], status["VmRSS"]), append(own[i], status["RssAnon"])
			rows[i].peak = status["VmHWM"]
			if rows[i].cpu, err = cpuOf(pid); err != nil {
				return nil, err
			}
			rows[i].during = time.Since(begin)
		}
	}
	for i := range rows {
		rows[i].resident, rows[i].own = median(resident[i]), median(own[i])
	}
	return rows, nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// childOf is the only child of a process.
func childOf(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// statusOf reads the sizes in /proc/PID/status, in megabytes.
func statusOf(pid int) (map[string]float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if n, ok := strings.CutSuffix(strings.TrimSpace(value), " kB"); ok {
			kilobytes, err := strconv.ParseFloat(n, 64)
			if err != nil {
				return nil, err
			}
			out[name] = kilobytes * 1024 / 1e6
		}
	}
	return out, nil
}

// tick is the kernel's unit of processor time in /proc, on every architecture that Go knows.
const tick = 10 * time.Millisecond

// cpuOf is the processor time that a process took, in user and in kernel mode (proc(5), fields 14 and 15).
func cpuOf(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // from field 3 on
	var sum time.Duration
	for _, f := range []int{14, 15} {
		n, err := strconv.ParseInt(fields[f-3], 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}
