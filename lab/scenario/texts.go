//go:build linux

package scenario

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/lab"
)

// fromOutside are the kubectl outputs that a user collects, one file each.
var fromOutside = []string{
	"get nodes -o wide", "describe nodes", "get events -A --sort-by=.metadata.creationTimestamp", "get pods -A -o wide",
	"describe pods -A", "get pods -o yaml", "get pdb -A", "get leases -n kube-node-lease", "get validatingwebhookconfigurations -o yaml",
}

// onNode are the commands that a user runs on the node. Without systemd, the processes replace the units, and their
// logs are separate files.
var onNode = []string{
	"date -u", "ps aux | grep kubelet", "ps aux | grep containerd", "ss -tlnp | grep 10250",
	"curl -sS -m 5 http://localhost:10248/healthz",
	"df -h /var/lib/kubelet /var/lib/containerd /var/log /run", "df -i /var/lib/kubelet /var/lib/containerd /var/log /run",
	"free -m", "cat /proc/swaps",
	"openssl x509 -noout -subject -dates -in " + lab.KubeletCert,
	"ls /etc/cni/net.d", "ls " + lab.CNIPlugins,
	"grep -i cgroupDriver " + lab.KubeletConfig, "grep evictionHard " + lab.KubeletConfig, "grep SystemdCgroup " + lab.RuntimeConfig,
	"ip addr show eth0", "ip route", "ping -c 2 -W 2 10.77.0.1", "curl -skSi -m 5 " + lab.MachineServer + "/livez",
}

// onSystemd are additional commands with systemd. timedatectl is not included, because the clock belongs to the host.
var onSystemd = []string{
	"systemctl status kubelet --no-pager", "systemctl status containerd --no-pager", "systemctl --failed --no-pager",
	"systemctl is-system-running", "resolvectl status --no-pager", "ls -l /etc/resolv.conf",
}

// texts writes the pasted texts.
func (r Recorder) texts(ctx context.Context, w *World, out *Record) error {
	for _, line := range slices.Concat(fromOutside, w.texts) {
		args := append(strings.Fields(line), "--kubeconfig", w.Plane.Kubeconfig, "--request-timeout=20s")
		text, _ := exec.CommandContext(ctx, r.Kubectl, args...).CombinedOutput() // the error output is evidence too
		name := strings.ReplaceAll(strings.Join(strings.Fields(line), "-"), "--", "-")
		if err := out.write("text/"+name+".txt", text); err != nil {
			return err
		}
	}
	if w.Machine == nil {
		return nil
	}
	var console bytes.Buffer
	lines := slices.Concat(onNode, w.onNode)
	if w.Machine.Systemd() {
		lines = append(lines, onSystemd...)
	}
	for _, line := range lines {
		run := line
		if program, _, _ := strings.Cut(line, " "); program == "date" { // the others do not depend on the clock
			run = strings.Join(w.Machine.Timed(line), " ")
		}
		text, _ := w.Machine.Run(ctx, "timeout", "10", "sh", "-c", run)
		fmt.Fprintf(&console, "root@%s:~# %s\n%s", w.Node, line, text)
		if text != "" && !strings.HasSuffix(text, "\n") {
			console.WriteByte('\n')
		}
	}
	return errors.Join(out.write("text/console.txt", console.Bytes()), w.logs(out, "text"))
}

// logs writes the logs of kubelet and runtime since the break to dir.
func (w *World) logs(out *Record, dir string) error {
	logs, err := w.Logs()
	for unit, text := range logs {
		err = errors.Join(err, out.write(dir+"/"+unit+".log", text))
	}
	return err
}

// Logs returns the logs of the units since the break, without repetitions.
func (w *World) Logs() (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, unit := range []string{lab.Kubelet, lab.Containerd} {
		data, err := w.Machine.Unit(unit).Said(w.marks[unit])
		if err != nil {
			return nil, err
		}
		out[unit] = excerpt(data)
	}
	return out, nil
}

const (
	repeats   = 2   // number of kept lines of one message at the start, and one at the end
	mostLines = 300 // of a log
)

// excerpt removes repetitions from a log.
func excerpt(log []byte) []byte {
	lines := bytes.SplitAfter(log, []byte("\n"))
	seen, keep := map[string]int{}, make([]bool, len(lines))
	for i, line := range lines {
		seen[message(line)]++
		keep[i] = seen[message(line)] <= repeats
	}
	last := map[string]bool{}
	for i, line := range slices.Backward(lines) {
		if m := message(line); !last[m] {
			last[m], keep[i] = true, true
		}
	}
	var kept [][]byte
	for i, line := range lines {
		if keep[i] {
			kept = append(kept, line)
		}
	}
	if n := len(kept); n > mostLines {
		kept = append(slices.Clone(kept[:mostLines/2]), kept[n-mostLines/2:]...)
	}
	return bytes.Join(kept, nil)
}

// message returns a line without its time and numbers, which differ each time.
func message(line []byte) string {
	text := string(line)
	if _, rest, ok := strings.Cut(text, "] "); ok && len(text)-len(rest) < 130 {
		text = rest // klog, also in a journal
	} else if _, rest, ok := strings.Cut(text, " level="); ok {
		text = rest // logfmt
	}
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'f' {
			return -1 // numbers and identifiers
		}
		return c
	}, text)
}
