//go:build unix

package lab

import (
	"context"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Two control planes run in parallel, serve their own objects, and leave nothing behind.
func TestStartStop(t *testing.T) {
	if _, err := Build(t.Context(), os.Stderr); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			begin := time.Now()
			c, err := Start(t.Context(), Options{})
			if err != nil {
				t.Error(err)
				return
			}
			t.Logf("ready after %s", time.Since(begin).Round(time.Millisecond))
			checkRunning(t, c)
			var pids []int
			for _, p := range c.processes {
				pids = append(pids, p.cmd.Process.Pid)
			}
			dir := c.Dir
			c.Stop()
			for _, pid := range pids {
				if err := syscall.Kill(pid, 0); err == nil {
					t.Errorf("process %d still runs", pid)
				}
			}
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%s is still there", dir)
			}
		})
	}
	wait.Wait()
}

func checkRunning(t *testing.T, c *ControlPlane) {
	client, err := c.Client()
	if err != nil {
		t.Error(err)
		return
	}
	version, err := client.ServerVersion()
	if err != nil || version.GitVersion != KubernetesVersion {
		t.Errorf("version is %v (%v), want %s", version, err, KubernetesVersion)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for { // the controllers hold their leases: they run
		leases, err := client.CoordinationV1().Leases("kube-system").List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Error(err)
			return
		}
		var names []string
		for _, l := range leases.Items {
			names = append(names, l.Name)
		}
		all := strings.Join(names, " ")
		if strings.Contains(all, "kube-scheduler") && strings.Contains(all, "kube-controller-manager") {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// A program that exits at once is reported with its last log lines.
func TestStartSaysWhatWentWrong(t *testing.T) {
	_, err := Start(t.Context(), Options{APIServerArgs: []string{"--no-such-flag"}})
	if err == nil || !strings.Contains(err.Error(), "unknown flag") {
		t.Fatalf("got %v, want the API server's own words", err)
	}
}
