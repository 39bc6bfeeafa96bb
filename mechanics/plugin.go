package mechanics

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// PluginNeeds are the documented node requirements of a network plugin.
type PluginNeeds struct {
	Plugin string // common name
	Kernel string // the oldest supported kernel; empty: not documented
	// Oldest and Newest are the Kubernetes versions that the release is tested with; empty: not published as such a
	// list.
	Oldest, Newest string
	// Refuses is the newest Kubernetes version that it no longer supports.
	Refuses string
}

// release has the requirements from one release of a plugin until the next row of the same plugin.
type release struct {
	from string
	PluginNeeds
}

// releases of components, oldest first. Calico: "System requirements" of each release (tigera/docs). Cilium: "System
// Requirements" (docs.cilium.io), for 1.14 also cilium/cilium#24258. If two releases may share a change, the later one
// has it here.
var releases = map[string][]release{
	"calico": {
		{"3.25", PluginNeeds{"Calico", "3.10", "1.23", "1.28", "1.15"}},
		{"3.26", PluginNeeds{"Calico", "3.10", "1.24", "1.28", "1.20"}},
		{"3.27", PluginNeeds{"Calico", "3.10", "1.27", "1.29", "1.20"}},
		{"3.28", PluginNeeds{"Calico", "3.10", "1.27", "1.30", "1.20"}},
		{"3.29", PluginNeeds{"Calico", "5.10", "1.29", "1.32", "1.20"}},
		{"3.30", PluginNeeds{"Calico", "5.10", "1.31", "1.35", "1.20"}},
		{"3.31", PluginNeeds{"Calico", "5.10", "1.32", "1.35", "1.20"}},
		{"3.32", PluginNeeds{"Calico", "5.10", "1.34", "1.36", "1.20"}},
		{"3.33", PluginNeeds{"Calico", "5.10", "", "", "1.20"}},
	},
	"cilium": {
		{"1.14", PluginNeeds{"Cilium", "4.19.57", "", "", ""}},
		{"1.17", PluginNeeds{"Cilium", "5.4", "", "", ""}},
		{"1.18", PluginNeeds{"Cilium", "5.10", "", "", ""}},
	},
}

// imageRelease matches an image name from any registry or mirror, with its release.
var imageRelease = lazyregexp.New(`^(.{1,300}):v?(\d+\.\d+\.\d+)`)

// PluginOf returns the requirements and the release of the plugin with this agent image; false: unknown plugin.
func PluginOf(image string) (needs PluginNeeds, at string, known bool) {
	m := imageRelease.FindStringSubmatch(image)
	if m == nil {
		return PluginNeeds{}, "", false
	}
	plugin := components.OfImage(m[1])
	if plugin == nil {
		return PluginNeeds{}, "", false
	}
	now := version.MustParseGeneric(m[2])
	for _, r := range slices.Backward(releases[plugin.Name]) {
		if now.AtLeast(version.MustParseGeneric(r.from)) {
			return r.PluginNeeds, m[2], true
		}
	}
	return PluginNeeds{}, "", false
}

// KernelTooOld reports whether the kernel of a node is older than the plugin supports. It skips kernels of Red Hat and
// SUSE distributions, which backport features to old version numbers.
func (n PluginNeeds) KernelTooOld(kernel string) bool {
	backported := strings.Contains(kernel, ".el") || strings.HasSuffix(kernel, "-default")
	return !backported && n.Kernel != "" && older(kernel, n.Kernel)
}

// Tested reports whether the plugin is tested with a kubelet version; true if nothing is published.
func (n PluginNeeds) Tested(kubelet string) bool {
	v, err := minor(kubelet)
	return err != nil || n.Newest == "" || !v.LessThan(version.MustParseGeneric(n.Oldest)) && !version.MustParseGeneric(n.Newest).LessThan(v)
}

// WorksWith reports whether the plugin works with a Kubernetes version at all.
func (n PluginNeeds) WorksWith(kubelet string) bool {
	v, err := minor(kubelet)
	return err != nil || n.Refuses == "" || version.MustParseGeneric(n.Refuses).LessThan(v)
}

// minor returns a version without its patch.
func minor(s string) (*version.Version, error) {
	v, err := version.ParseGeneric(s)
	if err != nil {
		return nil, err
	}
	return version.MajorMinor(v.Major(), v.Minor()), nil
}

// older reports whether a version is before another; false if it does not parse.
func older(s, than string) bool {
	v, err := version.ParseGeneric(s)
	return err == nil && v.LessThan(version.MustParseGeneric(than))
}
