//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is a program on the node.
type program struct {
	name string
	cmd  *exec.Cmd
}

// row is the usage of a program and of the processes that it started. Sizes are in megabytes.
type row struct {
	name                string
	resident, peak, own float64
	cpu, during         time.Duration
}

// often is the interval between two samples of the sizes. It is short enough for a process that lives three seconds.
const often = 250 * time.Millisecond

// measure runs the programs in parallel and samples the kernel counters.
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
		case <-time.After(often):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		for i, pid := range pids {
			t, err := tookOf(pid)
			if err != nil {
				return nil, fmt.Errorf("%s ended: %w", rows[i].name, err)
			}
			resident[i], own[i] = append(resident[i], t.resident), append(own[i], t.own)
			rows[i].peak, rows[i].cpu = max(rows[i].peak, t.resident), max(rows[i].cpu, t.cpu)
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

// childOf returns the only child of a process.
func childOf(pid int) (int, error) {
	children, err := childrenOf(pid)
	if err == nil && len(children) != 1 {
		err = fmt.Errorf("process %d has %d children", pid, len(children))
	}
	if err != nil {
		return 0, err
	}
	return children[0], nil
}

func childrenOf(pid int) ([]int, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // each thread lists the children that it started
	if err != nil {
		return nil, err
	}
	var out []int
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended, and another thread has its children
		}
		for _, f := range strings.Fields(string(text)) {
			child, err := strconv.Atoi(f)
			if err != nil {
				return nil, err
			}
			out = append(out, child)
		}
	}
	return out, nil
}

// took is the usage of processes: sizes in megabytes; shared pages count for each process.
type took struct {
	resident, own float64
	cpu           time.Duration
}

// tookOf sums up a process and its descendants, including those that have ended.
func tookOf(pid int) (took, error) {
	status, err := statusOf(pid)
	if err != nil {
		return took{}, err
	}
	t := took{resident: status["VmRSS"], own: status["RssAnon"]}
	if t.cpu, err = cpuOf(pid); err != nil {
		return took{}, err
	}
	children, err := childrenOf(pid)
	if err != nil {
		return took{}, err
	}
	for _, child := range children {
		c, err := tookOf(child)
		if err != nil {
			continue // it has ended in the meantime
		}
		t.resident, t.own, t.cpu = t.resident+c.resident, t.own+c.own, t.cpu+c.cpu
	}
	return t, nil
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

// tick is the unit of CPU time in /proc, on every architecture that Go supports.
const tick = 10 * time.Millisecond

// cpuOf returns the CPU time of a process and of its ended children, in user and kernel mode (proc(5), fields 14 to
// 17).
func cpuOf(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // from field 3 on
	var sum time.Duration
	for _, f := range []int{14, 15, 16, 17} {
		n, err := strconv.ParseInt(fields[f-3], 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}
