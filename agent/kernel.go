package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// taintWords are the bits of /proc/sys/kernel/tainted that indicate a fault (kernel
// Documentation/admin-guide/tainted-kernels.rst). Bits of out-of-tree modules are no fault.
var taintWords = []struct {
	bit  uint
	word string
}{{4, "machine-check"}, {5, "bad-page"}, {7, "oops"}, {9, "warning"}, {14, "soft-lockup"}}

// kernelState reads the taint flags, whether the modules of the running kernel are installed, and whether a reboot is
// pending.
func kernelState(_ context.Context, h *Host, r *nodereport.Report) error {
	k := &nodereport.Kernel{}
	r.Kernel = k
	h.kernelModules(k)
	h.pendingReboot(k)
	tainted, ok := h.number("/proc/sys/kernel/tainted")
	if !ok {
		return errors.New("/proc/sys/kernel/tainted cannot be read")
	}
	k.Taints = []string{}
	for _, t := range taintWords {
		if tainted&(1<<t.bit) != 0 {
			k.Taints = append(k.Taints, t.word)
		}
	}
	k.Ref = fmt.Sprintf("/proc/sys/kernel/tainted: %d", tainted)
	return nil
}

// kernelModules reads which kernels have modules, and whether the running one has.
func (h *Host) kernelModules(k *nodereport.Kernel) {
	release := h.text("/proc/sys/kernel/osrelease")
	mine := false
	for _, dir := range []string{"/lib/modules", "/usr/lib/modules"} {
		entries, _ := h.list(dir)
		for _, e := range entries {
			mine = mine || e.Name() == release
			// A folder without modules.dep is left from a removed kernel or has only headers.
			if len(k.Installed) < 20 && h.first([]string{dir + "/" + e.Name() + "/modules.dep"}) != "" {
				k.Installed = append(k.Installed, wording.Cut(e.Name(), 100))
			}
		}
		if len(entries) > 0 {
			break // often one is a link to the other
		}
	}
	k.ModulesMissing = release != "" && !mine && len(k.Installed) > 0
}

// pendingReboot reads the file by which packages of Debian and Ubuntu request a reboot.
func (h *Host) pendingReboot(k *nodereport.Kernel) {
	k.RebootPending = h.first([]string{"/run/reboot-required", "/var/run/reboot-required"})
	if k.RebootPending == "" {
		return
	}
	packages := strings.Fields(h.text(k.RebootPending + ".pkgs"))
	for _, p := range packages[:min(len(packages), 20)] {
		k.RebootFor = append(k.RebootFor, wording.Cut(p, 100))
	}
}
