//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// A lab with real and hollow nodes that is stopped leaves nothing behind: no process, namespace, mount, cable, cgroup
// or folder.
func TestNothingIsLeft(t *testing.T) {
	if err := lab.CanRunMachines(); err != nil {
		t.Skip(err)
	}
	command := command(t)
	bin, err := lab.BuildNode(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	for i, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			name := fmt.Sprintf("ends-%d", i)
			up := command("up", "--name", name, "--real")
			link := filepath.Join(cacheOf(up.Env), filepath.Base(bin))
			if err := os.Symlink(bin, link); err != nil && !os.IsExist(err) {
				t.Fatal(err)
			}
			cables := links(t)
			out, err := up.Output()
			if err != nil {
				t.Fatal(err)
			}
			folder := filepath.Dir(kubeconfigOf(t, string(out)))
			if out, err := command("node", "add", "--name", name, "--real", "1", "--hollow", "2").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			server := serverOf(t, up.Path, name)
			spaces := namespaces(t, server)
			members := members(t, server, spaces)
			groups := cgroups(t, server)
			if len(spaces) < 3 || len(groups) == 0 || len(mounts(t, spaces, folder)) == 0 {
				t.Fatalf("a lab with a real node has %d namespaces, the control groups %q and no mounts", len(spaces), groups)
			}
			if err := syscall.Kill(server, signal); err != nil {
				t.Fatal(err)
			}
			left := func() []string {
				var out []string
				if _, err := os.Stat(folder); err == nil {
					out = append(out, folder)
				}
				for _, p := range members {
					if p.runs() {
						out = append(out, p.String())
					}
				}
				out = append(out, mounts(t, nil, folder)...)
				out = append(out, cgroups(t, server)...)
				for _, l := range links(t) {
					if !slices.Contains(cables, l) {
						out = append(out, "network card "+l)
					}
				}
				return out
			}
			for end := time.Now().Add(5 * time.Minute); len(left()) > 0 && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			}
			if list := left(); len(list) > 0 {
				t.Errorf("after %s there is left: %q", signal, list)
			}
		})
	}
}

// Ctrl-C during the start of a background lab ends it, although its separate session has no terminal.
func TestUpIsInterrupted(t *testing.T) {
	up := command(t)("up", "--name", "early")
	folder := filepath.Join(cacheOf(up.Env), "run", "early")
	if err := up.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Minute); len(left(t, folder)) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it starts no process")
		}
	}
	if err := up.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := up.Wait(); err == nil {
		t.Error("lab up says that the lab is up")
	}
	if list := left(t, folder); len(list) > 0 {
		t.Errorf("still running: %q", list)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Errorf("%s is still there", folder)
	}
}

// cacheOf is the cache folder of a command of the test.
func cacheOf(env []string) string {
	for _, e := range slices.Backward(env) {
		if dir, ok := strings.CutPrefix(e, "NODETRIAGE_LAB_CACHE="); ok {
			return dir
		}
	}
	return ""
}

func processes(t *testing.T) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// serverOf returns the process that owns the lab of that name.
func serverOf(t *testing.T, program, name string) int {
	t.Helper()
	for _, pid := range processes(t) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if bytes.HasPrefix(line, []byte(program+"\x00serve\x00--name="+name+"\x00")) {
			return pid
		}
	}
	t.Fatalf("no process holds lab %s", name)
	return 0
}

// spacesOf returns the network, PID and mount namespaces of a process.
func spacesOf(pid int) []string {
	var out []string
	for _, kind := range []string{"net", "pid", "mnt"} {
		if name, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", pid, kind)); err == nil {
			out = append(out, name)
		}
	}
	return out
}

// familyOf returns a process and all its descendants.
func familyOf(t *testing.T, server int) map[int]bool {
	t.Helper()
	family := map[int]bool{server: true}
	for grown := true; grown; {
		grown = false
		for _, pid := range processes(t) {
			if s, known := statOf(pid); known && !family[pid] && family[s.parent] {
				family[pid], grown = true, true
			}
		}
	}
	return family
}

// namespaces returns the namespaces that the lab created: those of its processes, except our own.
func namespaces(t *testing.T, server int) []string {
	t.Helper()
	own := spacesOf(os.Getpid())
	var out []string
	for pid := range familyOf(t, server) {
		for _, s := range spacesOf(pid) {
			if !slices.Contains(own, s) && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// users returns the processes in one of the namespaces.
func users(t *testing.T, spaces []string) []int {
	t.Helper()
	return slices.DeleteFunc(processes(t), func(pid int) bool {
		return !slices.ContainsFunc(spacesOf(pid), func(s string) bool { return slices.Contains(spaces, s) })
	})
}

// stat contains the data of the kernel about a process.
type stat struct {
	state, start string // start: in ticks since boot
	parent       int
}

func statOf(pid int) (s stat, known bool) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // its ID and name precede it
	if len(f) < 20 {
		return stat{}, false
	}
	parent, err := strconv.Atoi(f[1])
	return stat{state: f[0], start: f[19], parent: parent}, err == nil
}

// member is a process of a lab, identified by its ID and start time: the kernel reuses process IDs and namespace IDs.
type member struct {
	pid   int
	start string
	line  string
	in    []string
}

func (m member) String() string { return fmt.Sprintf("process %d %q in %s", m.pid, m.line, m.in) }

// runs reports whether the process still runs; a zombie does not.
func (m member) runs() bool {
	s, known := statOf(m.pid)
	return known && s.start == m.start && s.state != "Z" && s.state != "X"
}

// members returns the current processes of a lab: the descendants of its process, and the processes in its namespaces.
func members(t *testing.T, server int, spaces []string) []member {
	t.Helper()
	pids := familyOf(t, server)
	for _, pid := range users(t, spaces) {
		pids[pid] = true
	}
	var out []member
	for pid := range pids {
		if s, known := statOf(pid); known {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			out = append(out, member{pid, s.start, string(line), spacesOf(pid)})
		}
	}
	return out
}

// mounts returns the mounts that name the folder: ours, and those of the processes in the namespaces.
func mounts(t *testing.T, spaces []string, folder string) []string {
	t.Helper()
	var out []string
	for _, pid := range append(users(t, spaces), os.Getpid()) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo", pid))
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, folder) {
				out = append(out, "mount "+line)
			}
		}
	}
	return out
}

// cgroups returns the cgroups of a lab, by the ID of its process.
func cgroups(t *testing.T, server int) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"/sys/fs/cgroup/", "/sys/fs/cgroup/*/"} {
		list, err := filepath.Glob(pattern + fmt.Sprintf("nodetriage-lab-%d-*", server))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, list...)
	}
	return out
}

// links returns the network interfaces of this host.
func links(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/sys/class/net")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
