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
		h.addDevice(g, path.Join(bus, e.Name()))
	}
	if len(g.Cards) == 0 && g.Switches == 0 {
		return nil
	}
	g.Library = h.nvidiaLibrary()
	if g.Switches > 0 {
		g.Fabric = h.fabricManager()
	}
	g.CDI = h.cdiFiles()
	g.Ref = fmt.Sprintf("%s: %d GPUs, %d switches", bus, len(g.Cards), g.Switches)
	r.GPUs = g
	return nil
}

// addDevice adds a device of the PCI bus that is a GPU or a switch between GPUs.
func (h *Host) addDevice(g *nodereport.GPUs, dir string) {
	vendor := gpuVendors[h.text(dir+"/vendor")]
	class := h.text(dir + "/class")
	card := strings.HasPrefix(class, "0x03") || strings.HasPrefix(class, "0x12")
	switch {
	case vendor == "nvidia" && strings.HasPrefix(class, "0x0680"):
		g.Switches++
	case vendor != "" && card && len(g.Cards) < maxGPUs:
		g.Cards = append(g.Cards, h.gpu(dir, vendor))
	}
}

// fabricManager reports whether the fabric manager, which GPUs behind switches need, is running or missing.
func (h *Host) fabricManager() string {
	for p := range h.eachProcess() {
		if path.Base(p.args[0]) == "nv-fabricmanager" {
			return "running"
		}
	}
	return "missing"
}

// cdiFiles returns the CDI specifications of the node; nil: it has no folder for them.
func (h *Host) cdiFiles() []string {
	var out []string
	for _, dir := range []string{"/etc/cdi", "/var/run/cdi", "/run/cdi"} {
		files, err := h.list(dir)
		if err == nil && out == nil {
			out = []string{}
		}
		for _, f := range files {
			ext := path.Ext(f.Name())
			if len(out) < 20 && (ext == ".yaml" || ext == ".json") {
				out = append(out, path.Join(dir, f.Name()))
			}
		}
		if dir == "/var/run/cdi" && err == nil {
			break // /run and /var/run are the same folder
		}
	}
	return out
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
