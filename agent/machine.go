package agent

import (
	"bufio"
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// machine reads kernel, operating system, firmware and boot of the node.
func machine(_ context.Context, h *Host, r *nodereport.Report) error {
	m := &nodereport.Machine{
		Hostname: h.hostname(),
		Kernel:   h.text("/proc/sys/kernel/osrelease"),
		Vendor:   wording.Cut(h.text("/sys/class/dmi/id/sys_vendor"), 100),
		Product:  wording.Cut(h.text("/sys/class/dmi/id/product_name"), 100),
		BootID:   h.text("/proc/sys/kernel/random/boot_id"),
		Booted:   h.booted(),

		MachineID:  wording.Cut(cmp.Or(h.text("/etc/machine-id"), h.text("/var/lib/dbus/machine-id")), 100),
		SystemUUID: wording.Cut(h.text("/sys/class/dmi/id/product_uuid"), 100),
	}
	for line := range strings.Lines(h.text("/etc/os-release")) {
		if name, ok := strings.CutPrefix(line, "PRETTY_NAME="); ok {
			m.System = wording.Cut(strings.Trim(strings.TrimSpace(name), `"`), 100)
		}
	}
	r.Machine = m
	if m.Kernel == "" {
		_, err := h.read("/proc/sys/kernel/osrelease", maxFile)
		return err
	}
	return nil
}

// booted returns the boot time from /proc/stat, or zero.
func (h *Host) booted() time.Time {
	f, err := h.open("/proc/stat")
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxFile) // the interrupt line is long on large machines
	for lines.Scan() {
		if s, ok := strings.CutPrefix(lines.Text(), "btime "); ok {
			if n, err := strconv.ParseInt(s, 10, 64); err == nil {
				return time.Unix(n, 0).UTC()
			}
		}
	}
	return time.Time{}
}
