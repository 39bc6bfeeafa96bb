//go:build linux

package lab

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const cgroupRoot = "/sys/fs/cgroup"

// Cgroup returns the name that the host kernel uses for the root cgroup of the machine.
func (m *Machine) Cgroup() string { return "/" + m.cgroup() }

// cgroup returns the name of the cgroup of the machine; its kubelet puts everything below it.
func (m *Machine) cgroup() string {
	return fmt.Sprintf("nodetriage-lab-%d-%s-%s", os.Getpid(), filepath.Base(m.plane.Dir), m.Name)
}

// makeCgroups creates the cgroup in every hierarchy and returns its folders.
func makeCgroups(name string) ([]string, error) {
	parents := []string{cgroupRoot}
	if controllers, err := os.ReadFile(filepath.Join(cgroupRoot, "cgroup.controllers")); err == nil { // version 2
		for _, c := range strings.Fields(string(controllers)) {
			_ = os.WriteFile(filepath.Join(cgroupRoot, "cgroup.subtree_control"), []byte("+"+c), 0) // the kubelet names what is not available
		}
	} else if parents, err = filepath.Glob(cgroupRoot + "/*"); err != nil {
		return nil, err
	}
	var made []string
	for _, parent := range parents {
		if info, err := os.Lstat(parent); err != nil || !info.IsDir() {
			continue // a link to a combined hierarchy
		}
		dir := filepath.Join(parent, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return made, fmt.Errorf("make the machine's control group: %w", err)
		}
		made = append(made, dir)
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} { // version 1 starts without any
			if value, err := os.ReadFile(filepath.Join(parent, file)); err == nil {
				_ = os.WriteFile(filepath.Join(dir, file), bytes.TrimSpace(value), 0)
			}
		}
	}
	return made, nil
}

// removeCgroups removes the folders and everything below; it returns false if they are in use.
func removeCgroups(dirs []string) bool {
	gone := true
	for _, dir := range dirs {
		var all []string
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() {
				all = append(all, path)
			}
			return nil
		})
		for _, path := range slices.Backward(all) {
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				gone = false
			}
		}
	}
	return gone
}
