package kube

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// children returns the running child processes of this process.
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

// endChildren ends child processes that are not in before. A plugin that hangs would hold stdout open.
func endChildren(before []int) {
	for _, pid := range children() {
		if !slices.Contains(before, pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}
