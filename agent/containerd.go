package agent

import (
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

// Lines in the configuration of containerd (versions 2 and 3) and CRI-O. Each setting is one line, so no TOML parser is
// needed.
var (
	sandboxLine = lazyregexp.New(`(?m)^\s*(?:sandbox_image|sandbox|pause_image)\s*=\s*["']([^"'\s]+)["']`)
	confDirLine = lazyregexp.New(`(?m)^\s*(?:conf_dir|network_dir)\s*=\s*["']([^"'\s]+)["']`)
	binDirLine  = lazyregexp.New(`(?m)^\s*(?:bin_dir|bin_dirs|plugin_dirs)\s*=\s*\[?\s*["']([^"'\s]+)["']`)
)

// configured returns the value of the first runtime configuration with such a line, or otherwise.
func (h *Host) configured(line *lazyregexp.Regexp, otherwise string) string {
	for _, name := range components.RuntimeConfigs() {
		if m := line.FindStringSubmatch(h.text(name)); m != nil {
			return wording.Cut(m[1], 300)
		}
	}
	return otherwise
}

func (h *Host) sandboxImage() string { return h.configured(sandboxLine, "") }
