//go:build unix

package lab

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// KubernetesVersion is the default version of the control plane.
const KubernetesVersion = "v1.36.3"

// otherReleases has a module file for each other minor version of Kubernetes, made by kubernetes/add.sh.
//
//go:embed kubernetes/*.mod kubernetes/*.sum
var otherReleases embed.FS

// release is a version of Kubernetes, and the module from which its programs are built.
type release struct {
	version  string // "v1.36.3"
	mod, sum []byte
}

var own = release{KubernetesVersion, goMod, goSum}

// Releases returns the minor versions of Kubernetes for a control plane, oldest first: "1.31".
func Releases() []string {
	files, err := otherReleases.ReadDir("kubernetes")
	if err != nil {
		panic(err) // it is embedded
	}
	out := []string{own.minor()}
	for _, f := range files {
		if minor, ok := strings.CutSuffix(f.Name(), ".mod"); ok {
			out = append(out, minor)
		}
	}
	slices.Sort(out) // all have two digits
	return out
}

// VersionOf returns the full version of that minor version: "v1.31.14".
func VersionOf(minor string) (string, error) {
	r, err := releaseOf(minor)
	return r.version, err
}

var requiredKubernetes = regexp.MustCompile(`(?m)^\s*(?:require )?k8s\.io/kubernetes (v\S+)`)

// releaseOf returns the release of a minor version; for "" the default of the lab.
func releaseOf(minor string) (release, error) {
	if minor == "" || minor == own.minor() {
		return own, nil
	}
	mod, err := otherReleases.ReadFile("kubernetes/" + minor + ".mod")
	if err != nil {
		return release{}, fmt.Errorf("find Kubernetes %q: the lab has %s", minor, strings.Join(Releases(), ", "))
	}
	sum, err := otherReleases.ReadFile("kubernetes/" + minor + ".sum")
	if err != nil {
		return release{}, fmt.Errorf("find Kubernetes %s: %w", minor, err)
	}
	found := requiredKubernetes.FindSubmatch(mod)
	if found == nil {
		return release{}, fmt.Errorf("find Kubernetes %s: its module file does not require k8s.io/kubernetes", minor)
	}
	return release{string(found[1]), mod, sum}, nil
}

// minor returns "1.36" for v1.36.3.
func (r release) minor() string {
	return strings.Join(strings.SplitN(strings.TrimPrefix(r.version, "v"), ".", 3)[:2], ".")
}

// flags returns the linker flags that set the version of the programs.
func (r release) flags() string {
	const at = " -X k8s.io/component-base/version."
	_, minor, _ := strings.Cut(r.minor(), ".")
	return at + "gitVersion=" + r.version + at + "gitMajor=1" + at + "gitMinor=" + minor
}
