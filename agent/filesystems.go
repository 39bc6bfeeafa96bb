package agent

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Bounds for the number of file systems and for parallel calls. Each hanging call holds a thread.
const (
	maxMounts = 200
	atOnce    = 12
)

// filesystems reads bytes and inodes of each file system of the node. It tests whether every network file system
// responds, including volumes of pods, because a hanging one blocks kubelet and runtime.
func filesystems(ctx context.Context, h *Host, r *nodereport.Report) error {
	mounts, err := h.mounts()
	if err != nil {
		return err
	}
	holds := h.holders(mounts)
	var ask []mount
	for _, m := range mounts {
		if len(ask) < maxMounts && (m.remote() || m.ofNode() || holds[m.point] != nil) {
			ask = append(ask, m)
		}
	}
	type result struct {
		space space
		err   error
		after time.Duration
		back  bool
	}
	results := make([]result, len(ask))
	var done sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for i, m := range ask {
		free <- struct{}{}
		done.Go(func() {
			defer func() { <-free }()
			p, err := h.path(m.point)
			if err != nil {
				results[i] = result{err: err, back: true}
				return
			}
			got := make(chan result, 1)
			after, back := h.absent.within(ctx, "statfs "+m.point, h.timeouts.statfs, func() {
				s, err := h.system.statfs(p)
				got <- result{space: s, err: err, back: true}
			})
			if back {
				results[i] = <-got
			}
			results[i].after = after
		})
	}
	done.Wait()
	for i, m := range ask {
		switch got := results[i]; {
		case !got.back:
			r.Hung = append(r.Hung, nodereport.Hung{What: "file system", Name: m.point, Type: m.kind, After: got.after.Round(time.Millisecond)})
		case errors.Is(got.err, errNotMachine):
			r.Filesystems = append(r.Filesystems, m.report(space{}, holds[m.point]))
		case got.err != nil:
			gap(r, "file system "+m.point, got.err, shell.Format("timeout 5 stat -f {mount}", m.point))
		case !m.ofPod():
			r.Filesystems = append(r.Filesystems, m.report(got.space, holds[m.point]))
		}
	}
	return nil
}

// mount is one line of mountinfo.
type mount struct {
	point, kind, device string
	readOnly            bool
	options             []string
}

// mounts returns the mounts of the first process. The last mount on a mount point hides the others.
func (h *Host) mounts() ([]mount, error) {
	data, err := h.read("/proc/1/mountinfo", 16<<20)
	if err != nil && h.root == "/" {
		data, err = h.read("/proc/self/mountinfo", 16<<20)
	}
	if err != nil {
		return nil, err
	}
	var out []mount
	at := map[string]int{}
	for line := range strings.Lines(string(data)) {
		m, ok := parseMount(line)
		if !ok {
			continue
		}
		if i, seen := at[m.point]; seen {
			out[i] = m
			continue
		}
		at[m.point] = len(out)
		out = append(out, m)
	}
	if len(out) == 0 {
		return nil, errors.New("read the table of mounts: it is empty")
	}
	return out, nil
}

// parseMount parses a line of /proc/PID/mountinfo (proc_pid_mountinfo(5)). A file system that was remounted read-only
// after an error has that in its super options.
func parseMount(line string) (mount, bool) {
	left, right, ok := strings.Cut(line, " - ")
	l, r := strings.Fields(left), strings.Fields(right)
	if !ok || len(l) < 6 || len(r) < 2 {
		return mount{}, false
	}
	m := mount{point: unescapeMount(l[4]), kind: r[0], device: unescapeMount(r[1])}
	options := strings.Split(l[5], ",")
	if len(r) > 2 {
		options = append(options, strings.Split(r[2], ",")...)
	}
	m.readOnly = slices.Contains(options, "ro")
	slices.Sort(options)
	m.options = slices.Compact(options)
	return m, true
}

// unescapeMount decodes octal escapes such as spaces.
func unescapeMount(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// remote reports whether the file system is on a network or in user space. It may never respond.
func (m mount) remote() bool {
	switch m.kind {
	case "nfs", "nfs4", "cifs", "smb3", "ceph", "9p", "glusterfs", "lustre", "beegfs", "afs":
		return true
	}
	return strings.HasPrefix(m.kind, "fuse.") || m.kind == "fuse"
}

// ofPod reports whether the mount is a volume or root file system of a pod. Its capacity is not a concern of the node.
func (m mount) ofPod() bool {
	return strings.Contains(m.point, "/pods/") || strings.Contains(m.point, "/plugins/") || strings.HasPrefix(m.point, "/run/containerd/") || strings.Contains(m.point, "/rootfs")
}

// ofNode reports whether the node itself may use the file system.
func (m mount) ofNode() bool {
	if m.ofPod() || strings.HasPrefix(m.device, "/dev/loop") && m.kind == "squashfs" {
		return false
	}
	switch m.kind {
	case "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs":
		return true
	case "tmpfs":
		return m.point == "/run" || m.point == "/tmp" || m.point == "/dev/shm" || m.point == "/var"
	case "overlay":
		return m.point == "/"
	}
	return false
}

// holders returns the important folders by the mount that contains them.
func (h *Host) holders(mounts []mount) map[string][]string {
	out := map[string][]string{}
	folders := []string{h.kubelet().rootDir, "/var/lib/containerd", "/var/lib/containers", "/var/lib/docker", "/var/lib/rancher", "/var/lib/etcd", "/var/log", "/run", "/etc/cni/net.d", "/tmp"}
	for _, folder := range folders {
		if h.first([]string{folder}) == "" {
			continue
		}
		best := ""
		for _, m := range mounts {
			if under(folder, m.point) && len(m.point) > len(best) {
				best = m.point
			}
		}
		if best != "" {
			out[best] = append(out[best], folder)
		}
	}
	return out
}

func under(name, dir string) bool {
	return dir == "/" || name == dir || strings.HasPrefix(path.Clean(name), dir+"/")
}

func (m mount) report(s space, holds []string) nodereport.Filesystem {
	fs := nodereport.Filesystem{
		Device: m.device, Mount: m.point, Type: m.kind, ReadOnly: m.readOnly, Holds: holds,
		Bytes: s.bytes, BytesFree: s.bytesAvailable, Inodes: s.inodes, InodesFree: s.inodesFree,
		BytesUsedPercent: -1, InodesUsedPercent: -1,
	}
	ref := []string{m.point}
	if s.bytes > 0 {
		used := s.bytes - min(s.bytesFree, s.bytes)
		fs.BytesUsedPercent = share(used, used+s.bytesAvailable) // as in df(1): blocks reserved for root do not count
		ref = append(ref, fmt.Sprintf("%d %% of %d MiB used", fs.BytesUsedPercent, s.bytes>>20))
	}
	if s.inodes > 0 {
		fs.InodesUsedPercent = share(s.inodes-min(s.inodesFree, s.inodes), s.inodes)
		ref = append(ref, fmt.Sprintf("%d %% of %d inodes used", fs.InodesUsedPercent, s.inodes))
	}
	if m.readOnly {
		ref = append(ref, "read-only")
	}
	fs.Ref = strings.Join(ref, ", ")
	return fs
}

// share returns used in percent of all, rounded up.
func share(used, all uint64) int {
	if all == 0 {
		return -1
	}
	return int((used*100 + all - 1) / all)
}
