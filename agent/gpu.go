package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// PCI vendor IDs of GPUs, and PCI classes of GPUs and NVSwitches.
var gpuVendors = map[string]string{"0x10de": "nvidia", "0x1002": "amd"}

const maxGPUs = 64

// Folders with the NVIDIA library: of packages, of a driver container, and of Container-Optimized OS.
var libraryFolders = []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/run/nvidia/driver/usr/lib/x86_64-linux-gnu", "/run/nvidia/driver/usr/lib/aarch64-linux-gnu", "/run/nvidia/driver/usr/lib64", "/home/kubernetes/bin/nvidia/lib64"}

// gpus finds GPUs of NVIDIA and AMD on the PCI bus. It reads the driver of each, its version and the library version,
// and other requirements: the fabric manager, CDI.
func gpus(_ context.Context, h *Host, r *nodereport.Report) error {
	const bus = "/sys/bus/pci/devices"
	entries, err := h.list(bus)
	if errors.Is(err, os.ErrNotExist) {
		return nil // a machine without PCI has no GPU
	}
	if err != nil {
		return err
	}
	g := &nodereport.GPUs{}
	for _, e := range entries {
		dir := path.Join(bus, e.Name())
		vendor := gpuVendors[h.text(dir+"/vendor")]
		class := h.text(dir + "/class")
		switch {
		case vendor == "nvidia" && strings.HasPrefix(class, "0x0680"):
			g.Switches++
		case vendor != "" && (strings.HasPrefix(class, "0x03") || strings.HasPrefix(class, "0x12")) && len(g.Cards) < maxGPUs:
			g.Cards = append(g.Cards, h.gpu(dir, vendor))
		}
	}
	if len(g.Cards) == 0 && g.Switches == 0 {
		return nil
	}
	g.Library = h.nvidiaLibrary()
	if g.Switches > 0 {
		g.Fabric = "missing"
		for p := range h.eachProcess() {
			if path.Base(p.args[0]) == "nv-fabricmanager" {
				g.Fabric = "running"
			}
		}
	}
	for _, dir := range []string{"/etc/cdi", "/var/run/cdi", "/run/cdi"} {
		files, err := h.list(dir)
		if err == nil && g.CDI == nil {
			g.CDI = []string{}
		}
		for _, f := range files {
			if ext := path.Ext(f.Name()); (ext == ".yaml" || ext == ".json") && len(g.CDI) < 20 {
				g.CDI = append(g.CDI, path.Join(dir, f.Name()))
			}
		}
		if dir == "/var/run/cdi" && err == nil {
			break // /run and /var/run are the same folder
		}
	}
	g.Ref = fmt.Sprintf("%s: %d GPUs, %d switches", bus, len(g.Cards), g.Switches)
	r.GPUs = g
	return nil
}

func (h *Host) gpu(dir, vendor string) nodereport.GPU {
	g := nodereport.GPU{Address: path.Base(dir), Vendor: vendor}
	// All bits are one in the configuration space of a card that fell off the bus.
	if head, err := h.read(dir+"/config", 4); err == nil && len(head) == 4 && string(head) == "\xff\xff\xff\xff" {
		g.Gone = true
	}
	if at, err := h.path(dir); err == nil {
		if to, err := os.Readlink(path.Join(at, "driver")); err == nil {
			g.Driver = wording.Cut(path.Base(to), 50)
		}
	}
	there := false
	switch g.Driver {
	case "nvidia":
		g.Version = h.nvidiaModule()
		minor := ""
		for line := range strings.Lines(h.text("/proc/driver/nvidia/gpus/" + g.Address + "/information")) {
			if n, ok := strings.CutPrefix(line, "Device Minor:"); ok {
				minor = strings.TrimSpace(n)
			}
		}
		if minor != "" {
			there = h.first([]string{"/dev/nvidia" + minor}) != ""
			g.Device = &there
		}
	case "amdgpu":
		g.Version = wording.Cut(h.text("/sys/module/amdgpu/version"), 50)
		there = h.first([]string{"/dev/kfd"}) != ""
		g.Device = &there
	}
	g.Ref = strings.TrimSpace(fmt.Sprintf("%s: %s, driver %s %s", dir, vendor, orNone(g.Driver), g.Version))
	return g
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// nvidiaModule returns the version of the loaded module: "NVRM version: NVIDIA UNIX x86_64 Kernel Module 535.129.03
// date".
func (h *Host) nvidiaModule() string {
	if v := h.text("/sys/module/nvidia/version"); v != "" {
		return wording.Cut(v, 50)
	}
	head, _, _ := strings.Cut(h.text("/proc/driver/nvidia/version"), "\n")
	for _, word := range strings.Fields(head) {
		if word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
			return wording.Cut(word, 50)
		}
	}
	return ""
}

// nvidiaLibrary returns the version of the NVIDIA library from the target of its link.
func (h *Host) nvidiaLibrary() string {
	for _, dir := range libraryFolders {
		at, err := h.path(dir)
		if err != nil {
			continue
		}
		to, err := os.Readlink(path.Join(at, "libnvidia-ml.so.1"))
		if v, ok := strings.CutPrefix(path.Base(to), "libnvidia-ml.so."); err == nil && ok {
			return wording.Cut(v, 50)
		}
	}
	return ""
}
