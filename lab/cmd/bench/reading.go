//go:build unix

package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// howToGet explains the source of the must-gather for the figures in docs/measurements/benchmarks.md.
const howToGet = `not measured: no must-gather is given
git clone --depth 1 https://github.com/openshift/must-gather-clean
tar xJf must-gather-clean/test/files/must-gather-aws.tar.xz
make bench MUST_GATHER=$PWD/must-gather-aws
`

// reading measures how nodetriage reads a must-gather and its kubelet journals, and how rg reads the same bytes.
func reading(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("read", flag.ContinueOnError)
	program := flags.String("nodetriage", "nodetriage", "program to measure")
	data := flags.String("data", "", "folder of a must-gather")
	runs := flags.Int("runs", 3, "how often; the table shows the best")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *data == "" {
		fmt.Print(howToGet)
		return nil
	}
	path, err := filepath.Abs(*program)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "nodetriage-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	journals := filepath.Join(work, "kubelet.log")
	if err := join(journals, *data, "kubelet_service.log"); err != nil {
		return err
	}
	grep := []string{"rg", "--no-ignore", "--hidden", "--text", "-i", "-e", strings.Join(messages, "|")}
	line := filepath.Join(work, "line.log")
	if err := os.WriteFile(line, []byte("Jun 02 00:30:01 worker-1 kubelet[1234]: connection refused\n"), 0o600); err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tMB\twall, best\tMB a second\tCPU, best\tMB a second of CPU\tresident, worst")
	for _, text := range []struct{ name, path string }{{"a line", line}, {"kubelet journals", journals}, {"must-gather", *data}} {
		size, err := sizeOf(text.path)
		if err != nil {
			return err
		}
		rows := []*row{{name: "diagnose, " + text.name, command: []string{path, "diagnose", "-f", text.path}}}
		if _, err := exec.LookPath(grep[0]); err == nil {
			rows = append(rows, &row{name: "rg, " + text.name, command: append(grep[:len(grep):len(grep)], text.path)})
		}
		for _, r := range rows {
			for range *runs {
				if err := r.run(ctx, "KUBECONFIG="+os.DevNull); err != nil {
					return err
				}
			}
			fmt.Fprintf(w, "%s\t%.1f\t%.2f s\t%.1f\t%.2f s\t%.1f\t%.0f MB\n",
				r.name, size, best(r.wall), size/best(r.wall), best(r.cpu), size/best(r.cpu), worst(r.resident))
		}
	}
	if _, err := exec.LookPath(grep[0]); err != nil {
		fmt.Println("rg is not installed (Debian: ripgrep), so nothing stands next to diagnose")
	}
	return w.Flush()
}

// messages are fifty messages that a person would search for on an unhealthy node.
var messages = strings.Split(strings.TrimSpace(`
PLEG is not healthy
Container runtime network not ready
Error getting node
Failed to update lease
Unable to update node status
Error updating node status
Unable to register node with API server
failed to sync configmap cache
failed to sync secret cache
Unable to attach or mount volumes
MountVolume.SetUp failed
MountVolume.MountDevice failed
AttachVolume.Attach failed
Failed to create pod sandbox
CreatePodSandbox failed
StopPodSandbox failed
KillPodSandboxError
CreateContainerConfigError
CrashLoopBackOff
ImagePullBackOff
ErrImagePull
failed to pull image
toomanyrequests
Failed to start ContainerManager
Failed to run kubelet
misconfiguration: kubelet cgroup driver
Eviction manager: attempting to reclaim
DiskPressure
MemoryPressure
PIDPressure
no space left on device
read-only file system
input/output error
Out of memory: Kill
oom-kill
task blocked for more than
soft lockup
hung_task
too many open files
connection refused
i/o timeout
TLS handshake timeout
context deadline exceeded
no route to host
no such host
x509: certificate has expired
certificate signed by unknown authority
Unauthorized
is forbidden: User
use of closed network connection
`), "\n")

// join writes all files of a name in a folder to one file.
func join(to, folder, name string) error {
	var all []byte
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != name {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s: no %s in it", folder, name)
	}
	return os.WriteFile(to, all, 0o600)
}

// sizeOf returns the size in MB of a file or of the files in a folder.
func sizeOf(path string) (float64, error) {
	size := int64(0)
	err := filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return float64(size) / 1e6, err
}
