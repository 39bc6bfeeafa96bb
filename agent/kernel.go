package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// taintWords are the bits of /proc/sys/kernel/tainted that tell of a fault (kernel Documentation/admin-guide/tainted-kernels.rst).
// Modules from elsewhere, which set others, are no fault.
var taintWords = []struct {
	bit  uint
	word string
}{{4, "machine-check"}, {5, "bad-page"}, {7, "oops"}, {9, "warning"}, {14, "soft-lockup"}}

// kernelState reads what the kernel marked on itself, whether the modules of the kernel that runs are there, and whether the
// system waits for a reboot.
func kernelState(_ context.Context, h *Host, r *nodereport.Report) error {
	k := &nodereport.Kernel{}
	tainted, ok := h.number("/proc/sys/kernel/tainted")
	if ok {
		k.Taints = []string{}
		for _, t := range taintWords {
			if tainted&(1<<t.bit) != 0 {
				k.Taints = append(k.Taints, t.word)
			}
		}
		k.Ref = fmt.Sprintf("/proc/sys/kernel/tainted: %d", tainted)
	}
	release := h.text("/proc/sys/kernel/osrelease")
	mine := false
	for _, dir := range []string{"/lib/modules", "/usr/lib/modules"} {
		entries, _ := h.list(dir)
		for _, e := range entries {
			mine = mine || e.Name() == release
			// A folder that holds no list of modules is what was left of a kernel, or holds headers alone.
			if len(k.Installed) < 20 && h.first([]string{dir + "/" + e.Name() + "/modules.dep"}) != "" {
				k.Installed = append(k.Installed, wording.Cut(e.Name(), 100))
			}
		}
		if len(entries) > 0 {
			break // one is usually a link to the other
		}
	}
	k.ModulesMissing = release != "" && !mine && len(k.Installed) > 0
	for _, name := range []string{"/run/reboot-required", "/var/run/reboot-required"} {
		if h.first([]string{name}) != "" {
			k.RebootPending = name
			for _, p := range strings.Fields(h.text(name + ".pkgs")) {
				if len(k.RebootFor) < 20 {
					k.RebootFor = append(k.RebootFor, wording.Cut(p, 100))
				}
			}
			break
		}
	}
	r.Kernel = k
	if !ok {
		return fmt.Errorf("/proc/sys/kernel/tainted cannot be read")
	}
	return nil
}
