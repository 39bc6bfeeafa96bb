package agent

import (
	"regexp"

	"github.com/nodetriage/nodetriage/wording"
)

// Lines of containerd's configuration, versions 2 and 3, and of CRI-O's, that name what we look for. One line tells
// it; the whole language is not needed.
var (
	sandboxLine = regexp.MustCompile(`(?m)^\s*(?:sandbox_image|sandbox|pause_image)\s*=\s*["']([^"'\s]+)["']`)
	confDirLine = regexp.MustCompile(`(?m)^\s*(?:conf_dir|network_dir)\s*=\s*["']([^"'\s]+)["']`)
	binDirLine  = regexp.MustCompile(`(?m)^\s*(?:bin_dir|bin_dirs|plugin_dirs)\s*=\s*\[?\s*["']([^"'\s]+)["']`)
)

var runtimeConfigs = []string{
	"/etc/containerd/config.toml", "/var/lib/rancher/k3s/agent/etc/containerd/config.toml",
	"/var/lib/rancher/rke2/agent/etc/containerd/config.toml", "/etc/crio/crio.conf",
}

// configured is what the first runtime configuration with such a line says, or otherwise.
func (h *Host) configured(line *regexp.Regexp, otherwise string) string {
	for _, name := range runtimeConfigs {
		if m := line.FindStringSubmatch(h.text(name)); m != nil {
			return wording.Cut(m[1], 300)
		}
	}
	return otherwise
}

func (h *Host) sandboxImage() string { return h.configured(sandboxLine, "") }
