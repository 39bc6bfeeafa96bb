package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

const (
	maxTail    = 2 << 20   // of a system log
	maxPodTail = 256 << 10 // of a container log
	maxPodLogs = 60
)

// hostLogs are log files outside the journal: of systems without one, of the machine setup, and of cloud agents.
var hostLogs = []string{
	"/var/log/syslog", "/var/log/messages", "/var/log/kern.log", "/var/log/daemon.log",
	"/var/log/cloud-init-output.log", "/var/log/azure/cluster-provision.log", "/var/log/azure/cluster-provision-cse-output.log", "/var/log/waagent.log",
}

// plainLogs returns the log files of the host and of components.
func plainLogs() []string { return slices.Concat(components.Logs(), hostLogs) }

// logFiles searches the ends of log files, and of the logs of node-level pods, with the signatures.
func logFiles(ctx context.Context, h *Host, r *nodereport.Report) error {
	read := 0
	for _, name := range plainLogs() {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch err := h.tail(r, name, "", maxTail); {
		case err == nil:
			read++
		case !errors.Is(err, fs.ErrNotExist):
			gap(r, name, err, shell.Format("tail -n 1000 {file}", name))
		}
	}
	for _, l := range h.podLogs(ctx, r) {
		if ctx.Err() != nil {
			break
		}
		if read++; read > maxPodLogs {
			gap(r, "logs of pods", fmt.Errorf("only %d were read", maxPodLogs), "ls /var/log/pods")
			return nil
		}
		if err := h.tail(r, l.file, l.pod, maxPodTail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			gap(r, l.file, err, "")
		}
	}
	return ctx.Err()
}

// podLog is a log file of a container, with the namespace and name of its pod.
type podLog struct{ file, pod string }

// podLogs returns the newest log of each container of node-level pods. More than maxPodLogs are never read.
func (h *Host) podLogs(ctx context.Context, r *nodereport.Report) (out []podLog) {
	pods, err := h.list("/var/log/pods")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		gap(r, "logs of pods", err, "ls /var/log/pods")
	}
	for _, pod := range pods {
		parts := strings.Split(pod.Name(), "_") // NAMESPACE_NAME_UID
		if len(parts) != 3 || !components.Holds(parts[0]) {
			continue
		}
		containers, _ := h.list(path.Join("/var/log/pods", pod.Name()))
		for _, container := range containers {
			if ctx.Err() != nil || len(out) > maxPodLogs {
				return out
			}
			if file := h.newestLog(path.Join("/var/log/pods", pod.Name(), container.Name())); file != "" {
				out = append(out, podLog{file, parts[0] + "/" + parts[1]})
			}
		}
	}
	return out
}

// newestLog returns the log of the latest start of a container. Log files are numbered (kubernetes
// pkg/kubelet/kuberuntime/helpers.go, 1.36.3).
func (h *Host) newestLog(dir string) string {
	logs, _ := h.list(dir)
	best := ""
	for _, l := range logs {
		if n := l.Name(); strings.HasSuffix(n, ".log") && (len(n) > len(best) || len(n) == len(best) && n > best) {
			best = n
		}
	}
	if best == "" {
		return ""
	}
	return path.Join(dir, best)
}

// tail searches the end of one file.
func (h *Host) tail(r *nodereport.Report, name, pod string, most int64) error {
	f, err := h.open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("read %s: not a regular file", name)
	case info.ModTime().Before(h.since):
		return nil // it has nothing recent
	case info.Size() > most:
		if _, err := f.Seek(-most, io.SeekEnd); err != nil {
			return err
		}
	}
	return h.scan(r, name, pod, newRecent(io.LimitReader(f, most), h.since, h.now, info.ModTime()))
}
