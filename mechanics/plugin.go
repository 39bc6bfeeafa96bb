package mechanics

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// PluginNeeds is what a network plugin asks of its nodes, as its documentation says.
type PluginNeeds struct {
	Plugin string // as people call it
	Kernel string // the oldest that it runs on; empty: it names none
	// Oldest and Newest are the versions of Kubernetes that the release is tested with; empty: not published as such a list.
	Oldest, Newest string
	// Refuses is the newest version of Kubernetes that it does not work with any more.
	Refuses string
}

// release is what holds from one release of a plugin on, until the next row of the same plugin.
type release struct {
	from string
	PluginNeeds
}

// releases of components, oldest first. Calico: "System requirements" of each release (tigera/docs). Cilium: "System Requirements"
// (docs.cilium.io), for 1.14 also cilium/cilium#24258; where two releases may share a change the later one has it here.
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

// imageRelease is the name of an image, from any registry or mirror, with its release.
var imageRelease = lazyregexp.New(`^(.{1,300}):v?(\d+\.\d+\.\d+)`)

// PluginOf returns what the plugin whose agent an image is asks of its nodes, and its release; false where it is none that is known.
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

// KernelTooOld reports whether a node's kernel is older than the plugin runs on. Kernels of Red Hat's and SUSE's distributions
// have much of later ones under an old number, so they are not judged.
func (n PluginNeeds) KernelTooOld(kernel string) bool {
	backported := strings.Contains(kernel, ".el") || strings.HasSuffix(kernel, "-default")
	return !backported && n.Kernel != "" && older(kernel, n.Kernel)
}

// Tested reports whether a kubelet's version is among those that the plugin is tested with; true where nothing is published.
func (n PluginNeeds) Tested(kubelet string) bool {
	v, err := minor(kubelet)
	return err != nil || n.Newest == "" || !v.LessThan(version.MustParseGeneric(n.Oldest)) && !version.MustParseGeneric(n.Newest).LessThan(v)
}

// WorksWith reports whether the plugin works with a version of Kubernetes at all.
func (n PluginNeeds) WorksWith(kubelet string) bool {
	v, err := minor(kubelet)
	return err != nil || n.Refuses == "" || version.MustParseGeneric(n.Refuses).LessThan(v)
}

// minor is a version without its patch.
func minor(s string) (*version.Version, error) {
	v, err := version.ParseGeneric(s)
	if err != nil {
		return nil, err
	}
	return version.MajorMinor(v.Major(), v.Minor()), nil
}

// older reports whether a version is before another; false where it is no version.
func older(s, than string) bool {
	v, err := version.ParseGeneric(s)
	return err == nil && v.LessThan(version.MustParseGeneric(than))
}
