package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// The bounds of the result, for machines with hundreds of attached volumes.
const (
	maxDevices      = 64
	maxDeviceMounts = 8
)

// diskLine is a line of /proc/diskstats (kernel Documentation/admin-guide/iostats.rst); times are in milliseconds.
type diskLine struct {
	done, waited, inFlight, busy uint64
}

// devices watches the block devices for a moment: driver state, request latency, and whether any request completes.
func devices(ctx context.Context, h *Host, r *nodereport.Report) error {
	before, err := h.diskLines()
	if err != nil {
		return err
	}
	start := h.system.now()
	pause(ctx, watchFor)
	after, err := h.diskLines()
	if err != nil {
		return err
	}
	window := h.system.now().Sub(start).Round(time.Millisecond)
	mounts, _ := h.mounts() // the probe of the file systems reports why there are none
	entries, err := h.list("/sys/block")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if len(r.Devices) == maxDevices {
			break
		}
		if isMemoryDevice(name) || after[name] == (diskLine{}) {
			continue
		}
		d := nodereport.Device{Name: name, State: h.deviceState(name), InFlight: after[name].inFlight, Mounts: h.mountsOn(name, mounts)}
		requestsBetween(&d, before[name], after[name], window)
		d.Ref = strings.TrimSpace(fmt.Sprintf("%s %s: %d requests ended within %s, %s each, %d open, busy for %s", name, d.State, d.Done, d.Window, d.Waited, d.InFlight, d.Busy))
		r.Devices = append(r.Devices, d)
	}
	return nil
}

// isMemoryDevice reports whether the block device has no disk: a loop device or memory.
func isMemoryDevice(name string) bool {
	return strings.HasPrefix(name, "loop") || strings.HasPrefix(name, "ram") || strings.HasPrefix(name, "zram")
}

// mountsOn returns the mount points of the node on the disk and its partitions.
func (h *Host) mountsOn(disk string, mounts []mount) (points []string) {
	for _, m := range mounts {
		if len(points) < maxDeviceMounts && m.ofNode() && h.isDiskOrPartition(disk, path.Base(m.device)) {
			points = append(points, m.point)
		}
	}
	return points
}

func (h *Host) isDiskOrPartition(disk, device string) bool {
	return device == disk || strings.HasPrefix(device, disk) && h.first([]string{"/sys/block/" + disk + "/" + device}) != ""
}

// requestsBetween sets how many requests completed between two reads of the counters, and how long they took. A counter that
// decreased shows that the device was replaced.
func requestsBetween(d *nodereport.Device, a, b diskLine, window time.Duration) {
	if a == (diskLine{}) || a.done > b.done || a.waited > b.waited || a.busy > b.busy {
		return
	}
	d.Window, d.Done, d.Busy = window, b.done-a.done, time.Duration(b.busy-a.busy)*time.Millisecond
	if d.Done > 0 {
		d.Waited = time.Duration(b.waited-a.waited) * time.Millisecond / time.Duration(d.Done)
	}
}

// diskLines returns the counters by device name.
func (h *Host) diskLines() (map[string]diskLine, error) {
	data, err := h.read("/proc/diskstats", maxFile)
	if err != nil {
		return nil, err
	}
	out := map[string]diskLine{}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 14 {
			continue
		}
		n := func(i int) uint64 { v, _ := strconv.ParseUint(f[i], 10, 64); return v }
		out[f[2]] = diskLine{done: n(3) + n(7), waited: n(6) + n(10), inFlight: n(11), busy: n(12)}
	}
	if len(out) == 0 {
		return nil, errors.New("/proc/diskstats contains no device")
	}
	return out, nil
}

// deviceState returns the state from the driver of a SCSI disk or an NVMe controller.
func (h *Host) deviceState(name string) string {
	return wording.Cut(h.text("/sys/block/"+name+"/device/state"), 30)
}

// diskErrors reads the recorded errors of ext4 and btrfs, and RAID arrays with a missing disk.
func diskErrors(_ context.Context, h *Host, r *nodereport.Report) error {
	read := false
	r.DiskErrors = []nodereport.DiskError{}
	entries, err := h.list("/sys/fs/ext4")
	for _, e := range entries {
		dir := "/sys/fs/ext4/" + e.Name()
		n, ok := h.number(dir + "/errors_count")
		if !ok {
			continue // the features folder is next to the file systems
		}
		read = true
		d := nodereport.DiskError{Device: e.Name(), Kind: "ext4", Count: n, Ref: fmt.Sprintf("%s/errors_count: %d", dir, n)}
		if n > 0 {
			d.First, d.Last = h.unixTime(dir+"/first_error_time"), h.unixTime(dir+"/last_error_time")
			d.Where = wording.Cut(h.text(dir+"/last_error_func"), 60)
		}
		r.DiskErrors = append(r.DiskErrors, d)
	}
	btrfs, _ := h.list("/sys/fs/btrfs")
	for _, e := range btrfs {
		stats, _ := h.list("/sys/fs/btrfs/" + e.Name() + "/devinfo")
		for _, s := range stats {
			file := "/sys/fs/btrfs/" + e.Name() + "/devinfo/" + s.Name() + "/error_stats"
			text := h.text(file)
			if text == "" {
				continue
			}
			read = true
			d := nodereport.DiskError{Device: e.Name(), Kind: "btrfs", Ref: file + ": " + strings.Join(strings.Fields(text), " ")}
			for line := range strings.Lines(text) {
				if f := strings.Fields(line); len(f) == 2 {
					n, _ := strconv.ParseUint(f[1], 10, 64)
					d.Count += n
				}
			}
			r.DiskErrors = append(r.DiskErrors, d)
		}
	}
	if text := h.text("/proc/mdstat"); text != "" {
		read = true
		r.DiskErrors = append(r.DiskErrors, degraded(text)...)
	}
	if !read {
		r.DiskErrors = nil
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = errors.New("no ext4 or btrfs file system and no array with an error counter")
		}
		return fmt.Errorf("read the errors of file systems: %w", err)
	}
	return nil
}

func (h *Host) unixTime(name string) time.Time {
	n, ok := h.number(name)
	if !ok || n == 0 || n > 1<<40 {
		return time.Time{}
	}
	return time.Unix(int64(n), 0).UTC()
}

// degraded finds arrays in /proc/mdstat with a missing disk, which is an underscore in the brackets.
func degraded(text string) []nodereport.DiskError {
	var out []nodereport.DiskError
	name := ""
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) > 1 && f[1] == ":" && strings.HasPrefix(f[0], "md") {
			name = f[0]
		}
		if len(f) == 0 || name == "" {
			continue
		}
		if last := f[len(f)-1]; strings.HasPrefix(last, "[") && strings.Contains(last, "_") && strings.Trim(last, "[U_]") == "" {
			out = append(out, nodereport.DiskError{Device: name, Kind: "md", Count: uint64(strings.Count(last, "_")), Where: "degraded " + last, Ref: "/proc/mdstat " + name + " " + last})
		}
	}
	return out
}
