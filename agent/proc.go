package agent

import (
	"iter"
	"path"
	"strconv"
	"strings"
)

// process is one process in /proc.
type process struct {
	pid   int
	state string
	ppid  int
	args  []string // never empty: at least the program name
}

// maxProcesses bounds the result on a machine with a fork bomb.
const maxProcesses = 200_000

// eachProcess visits all visible processes.
func (h *Host) eachProcess() iter.Seq[process] {
	return func(yield func(process) bool) {
		for _, pid := range h.pids() {
			p, ok := h.process(pid)
			if ok && !yield(p) {
				return
			}
		}
	}
}

func (h *Host) pids() []int {
	f, err := h.open("/proc")
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(maxProcesses)
	if err != nil {
		return nil
	}
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

func (h *Host) process(pid int) (process, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	stat, err := h.read(path.Join(dir, "stat"), 4096)
	if err != nil {
		return process{}, false
	}
	p, ok := parseStat(string(stat))
	if !ok {
		return process{}, false
	}
	p.pid = pid
	if cmdline, err := h.read(path.Join(dir, "cmdline"), 4096); err == nil && len(cmdline) > 0 {
		p.args = strings.Split(strings.TrimRight(string(cmdline), "\x00"), "\x00")
	}
	return p, true
}

// parseStat parses /proc/PID/stat. The name is in parentheses and may contain any character (proc_pid_stat(5)).
func parseStat(text string) (process, bool) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 2 {
		return process{}, false
	}
	ppid, err := strconv.Atoi(fields[1])
	return process{state: fields[0], ppid: ppid, args: []string{text[open+1 : end]}}, err == nil
}
