package kube

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// children are the processes that this one started and that run.
func children() []int {
	var out []int
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, f := range files {
		list, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		for _, pid := range strings.Fields(string(list)) {
			if n, err := strconv.Atoi(pid); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// endChildren ends the processes that were started since: a plugin that hangs would hold the output of the program open.
func endChildren(before []int) {
	for _, pid := range children() {
		if !slices.Contains(before, pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
