package agent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// need is a required module or kernel setting, with the component that needs it.
type need struct{ module, sysctl, want, by string }

// always returns the requirements of every node: overlay for containers, and the settings for pods.
func always() []need {
	return append([]need{{module: "overlay", by: "the container runtime"}}, neededSettings(components.NodeSettings(), components.PodNetwork)...)
}

// modules checks the requirements of the CNI plugin: modules that are loaded, built in or available, kernel settings,
// and whether both persist across a reboot.
func modules(_ context.Context, h *Host, r *nodereport.Report) error {
	k := h.kernel()
	r.Modules = &nodereport.Modules{Loaded: k.loaded, Complete: k.loaded != nil, AtBoot: k.atBoot, Ref: k.ref}
	r.Sysctls = map[string]string{}
	for _, n := range h.needs() {
		if n.module != "" {
			r.Needs = append(r.Needs, k.module(h, n))
			if slices.Contains(k.builtin, n.module) {
				r.Modules.Builtin = append(r.Modules.Builtin, n.module)
			}
			continue
		}
		out := nodereport.Need{Kind: "sysctl", Name: n.sysctl, By: n.by, Want: n.want, State: "unknown", AtBoot: h.sysctlAtBoot(n.sysctl)}
		file := "/proc/sys/" + strings.ReplaceAll(n.sysctl, ".", "/")
		if out.Have = h.text(file); out.Have != "" {
			r.Sysctls[n.sysctl] = out.Have
			out.State = "ok"
			if out.Have != n.want {
				out.State = "wrong"
			}
		}
		out.Ref = fmt.Sprintf("%s = %s", n.sysctl, out.Have)
		r.Needs = append(r.Needs, out)
	}
	if k.loaded == nil && k.builtin == nil {
		if _, err := h.read("/proc/modules", 1); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return errors.New("/proc/modules and modules.builtin are missing: the kernel may have all modules built in")
	}
	return nil
}

// needs returns the requirements of every node and of the CNI plugin.
func (h *Host) needs() []need {
	out := always()
	c := &nodereport.CNI{ConfigDir: h.configured(confDirLine, "/etc/cni/net.d")}
	entries, _ := h.list(c.ConfigDir)
	for _, e := range entries {
		c.Configs = append(c.Configs, e.Name())
	}
	network, _ := h.network(c) // the probe of the network reports the error
	if network == nil {
		return out
	}
	for _, p := range network.Plugins {
		for _, n := range needsOf(p.Type) {
			n.by = p.Type + " in " + path.Base(network.File)
			if !slices.ContainsFunc(out, func(o need) bool { return o.module == n.module && o.sysctl == n.sysctl }) {
				out = append(out, n)
			}
		}
	}
	return out
}

// needsOf returns the requirements of a CNI plugin by its type.
func needsOf(cniType string) []need {
	known, _ := components.CNIType(cniType)
	var out []need
	for _, m := range known.Modules {
		out = append(out, need{module: m})
	}
	return append(out, neededSettings(known.Sysctls, "")...)
}

func neededSettings(values map[string]string, by string) []need {
	var out []need
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, need{sysctl: name, want: values[name], by: by})
	}
	return out
}

// kernel has the modules of this kernel. A nil list could not be read.
type kernel struct {
	loaded, builtin, atBoot []string
	files                   map[string]bool // available modules; nil: unknown
	ref                     string
}

func (h *Host) kernel() kernel {
	k := kernel{atBoot: h.modulesAtBoot()}
	release := h.text("/proc/sys/kernel/osrelease")
	k.ref = "kernel " + release
	if data, err := h.read("/proc/modules", 4<<20); err == nil {
		k.loaded = []string{}
		for line := range strings.Lines(string(data)) {
			if name, _, ok := strings.Cut(line, " "); ok {
				k.loaded = append(k.loaded, name)
			}
		}
	}
	if release == "" {
		return k
	}
	for _, dir := range []string{"/lib/modules/", "/usr/lib/modules/"} {
		if names, ok := h.moduleNames(dir + release + "/modules.builtin"); ok {
			k.builtin = names
		}
		if names, ok := h.moduleNames(dir + release + "/modules.dep"); ok {
			k.files = map[string]bool{}
			for _, name := range names {
				k.files[name] = true
			}
		}
		if k.builtin != nil {
			break
		}
	}
	return k
}

// moduleNames reads the module names of a list of files: kernel/drivers/net/vxlan/vxlan.ko.zst: others.
func (h *Host) moduleNames(file string) ([]string, bool) {
	f, err := h.open(file)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	out := []string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxFile)
	for lines.Scan() && len(out) < 50_000 {
		name, _, _ := strings.Cut(lines.Text(), ":")
		name, _, ok := strings.Cut(path.Base(name), ".ko")
		if ok {
			out = append(out, strings.ReplaceAll(name, "-", "_"))
		}
	}
	return out, true
}

// module returns whether the kernel meets a requirement. It reports a missing module only if all three lists were read:
// without /proc/modules every module may be built in.
func (k kernel) module(h *Host, n need) nodereport.Need {
	out := nodereport.Need{Kind: "module", Name: n.module, By: n.by, State: "unknown"}
	switch {
	case slices.Contains(k.loaded, n.module):
		out.State, out.Ref = "ok", n.module+" is loaded"
	case slices.Contains(k.builtin, n.module) || h.built(n.module):
		out.State, out.Ref = "ok", n.module+" is built in"
		return out
	case k.files[n.module]:
		out.State, out.Ref = "loadable", n.module+" is not loaded"
	case k.loaded != nil && k.builtin != nil && k.files != nil:
		out.State, out.Ref = "missing", n.module+" is neither loaded nor built in, and not among the modules of this "+k.ref
	}
	if k.atBoot != nil {
		if out.AtBoot = "none"; slices.Contains(k.atBoot, n.module) {
			out.AtBoot = "modules-load.d"
		}
	}
	return out
}

// built detects that a kernel feature works, built in or not.
func (h *Host) built(module string) bool {
	switch module {
	case "overlay":
		return strings.Contains(h.text("/proc/filesystems"), "\toverlay")
	case "br_netfilter":
		return h.text("/proc/sys/net/bridge/bridge-nf-call-iptables") != ""
	}
	_, err := h.stat("/sys/module/" + module)
	return err == nil
}

// modulesAtBoot reads modules-load.d(5) and /etc/modules of Debian. It returns nil if no folder exists.
func (h *Host) modulesAtBoot() []string {
	var out []string
	for _, line := range h.confLines([]string{"/etc/modules-load.d", "/run/modules-load.d", "/usr/lib/modules-load.d"}, "/etc/modules", &out) {
		if fields := strings.Fields(line); len(fields) > 0 {
			out = append(out, strings.ReplaceAll(fields[0], "-", "_"))
		}
	}
	return out
}

// sysctlAtBoot returns the file that sets a kernel setting at boot, or "none". It returns "" if it cannot be read.
func (h *Host) sysctlAtBoot(name string) string {
	var looked []string
	lines := h.confLines([]string{"/etc/sysctl.d", "/run/sysctl.d", "/usr/lib/sysctl.d"}, "/etc/sysctl.conf", &looked)
	if looked == nil {
		return ""
	}
	for _, line := range lines {
		key, _, ok := strings.Cut(line, "=")
		key = strings.ReplaceAll(strings.Trim(key, "- \t"), "/", ".")
		if ok && key == name {
			return "sysctl.d"
		}
	}
	return "none"
}

// confLines returns the lines of *.conf in the folders and of one file, without comments. looked becomes an empty list
// if something was readable.
func (h *Host) confLines(dirs []string, file string, looked *[]string) []string {
	var names []string
	for _, dir := range dirs {
		entries, err := h.list(dir)
		if err == nil {
			*looked = []string{}
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".conf") {
				names = append(names, path.Join(dir, e.Name()))
			}
		}
	}
	if h.first([]string{file}) != "" {
		*looked = []string{}
		names = append(names, file)
	}
	var out []string
	for _, name := range names {
		for line := range strings.Lines(h.text(name)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && line[0] != ';' {
				out = append(out, line)
			}
		}
	}
	return out
}
