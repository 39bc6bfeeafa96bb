package accuracy

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
)

// wearOtherSyntax converts kubectl get -o json to -o yaml, and vice versa.
func wearOtherSyntax(p Play) Files {
	if p.Case.Files.bundled() {
		return nil // a bundle has only one form
	}
	var out Files
	for _, f := range p.Case.Files {
		d, ok := parseDocument(f)
		if ok && kubernetes(d) && len(d.roots) == 1 {
			d.yaml = !d.yaml
			f.Text = d.text()
			f.Name = strings.TrimSuffix(f.Name, path.Ext(f.Name)) + map[bool]string{true: ".yaml", false: ".json"}[d.yaml]
		}
		out = append(out, f)
	}
	return out
}

// kubernetes reports whether a document contains objects of Kubernetes, and not another program's output.
func kubernetes(d document) bool {
	yes := len(d.roots) > 0
	for _, root := range d.roots {
		version := textAt(root, "apiVersion")
		yes = yes && version != "" && !strings.HasPrefix(version, "nodetriage.dev/") && textAt(root, "kind") != ""
	}
	return yes
}

// wearSplit puts every object of a list into a separate file.
func wearSplit(p Play) Files {
	if p.Case.Files.bundled() {
		return nil
	}
	var out Files
	for _, f := range p.Case.Files {
		d, ok := parseDocument(f)
		lists := d.lists()
		oneList := ok && len(lists) == 1 && len(d.roots) == 1
		if !oneList || !kubernetes(d) || len(listAt(lists[0], "items")) < 2 {
			out = append(out, f)
			continue
		}
		list := lists[0]
		for i, item := range listAt(list, "items") {
			o, ok := item.(object)
			if !ok {
				return nil
			}
			if textAt(o, "kind") == "" {
				o["kind"] = strings.TrimSuffix(textAt(list, "kind"), "List")
				o["apiVersion"] = list["apiVersion"]
			}
			name := fmt.Sprintf("%s-%03d%s", strings.TrimSuffix(f.Name, path.Ext(f.Name)), i, path.Ext(f.Name))
			out = append(out, File{name, document{yaml: d.yaml, roots: []any{o}}.text()})
		}
	}
	return out
}

var (
	digits    = regexp.MustCompile(`\d`)
	dotted    = regexp.MustCompile(`^\d+\.\d+\.\d+\.\d+$`)
	namespace = regexp.MustCompile(`(?m)(?:"namespace": ?"|^\s*namespace: |^Namespace:\s+|\bpod="|\bnamespace=")([a-z0-9-]+)`)
)

// wearOtherNames gives nodes and application namespaces other names of the same shape, because the name of a cloud's machine
// shows its provider.
func wearOtherNames(p Play) Files {
	rnd := p.rnd()
	text := p.Case.Files.String()
	to := map[string]string{}
	taken := namesIn(text).nodes
	for _, n := range taken {
		if !renamable(n) {
			continue
		}
		for range 20 {
			other := otherName(n, rnd)
			if !slices.Contains(taken, other) && !strings.Contains(text, other) {
				to[n] = other
				text += " " + other
				break
			}
		}
	}
	for _, m := range namespace.FindAllStringSubmatch(text, -1) {
		if ns := m[1]; applicationSpace(ns) && to[ns] == "" {
			to[ns] = "team-" + string(rune('a'+rnd.IntN(26))) + string(rune('a'+rnd.IntN(26)))
		}
	}
	return p.Case.Files.renamed(to)
}

// otherName replaces digits by other digits, or the end by another one.
func otherName(n string, rnd *rand.Rand) string {
	if host, domain, ok := strings.Cut(n, "."); ok {
		return otherName(host, rnd) + "." + domain
	}
	if !digits.MatchString(n) {
		return n + "-" + string(rune('a'+rnd.IntN(26)))
	}
	if strings.HasPrefix(n, "ip-") {
		return fmt.Sprintf("ip-10-%d-%d-%d", rnd.IntN(250), rnd.IntN(250), rnd.IntN(250)+1)
	}
	return digits.ReplaceAllStringFunc(n, func(string) string { return string(rune('1' + rnd.IntN(9))) })
}

// applicationSpace reports whether a namespace may have any name, because no distribution and no plugin uses it.
func applicationSpace(ns string) bool {
	return len(ns) > 3 && ns != "default" && !regexp.MustCompile(`^kube-|system|openshift|calico|tigera|cilium|cattle|gke|aks|rook|longhorn|nvidia|gpu|istio|operator|monitoring|kyverno|gatekeeper|ingress|cert|karpenter|flannel`).MatchString(ns)
}

var providers = []*regexp.Regexp{
	regexp.MustCompile(`azure:///subscriptions/[^\s"',]+`),
	regexp.MustCompile(`aws:///[^\s"',]+`),
	regexp.MustCompile(`gce://[^\s"',]+`),
	regexp.MustCompile(`openstack:///[^\s"',]+`),
}

// wearOtherProvider moves the cluster to another cloud, if the problem does not depend on the cloud.
func wearOtherProvider(p Play) Files {
	if strings.HasPrefix(p.Case.Truth.Class, "cloud-") || strings.HasPrefix(p.Case.Truth.Class, "provision-") || strings.HasPrefix(first(p.Case.Base()), "cloud-") {
		return nil
	}
	n := 0
	return p.Case.Files.each(func(f File) string {
		for i, re := range providers {
			f.Text = re.ReplaceAllStringFunc(f.Text, func(string) string {
				n++
				if i == 1 {
					return fmt.Sprintf("gce://project-1/europe-west1-b/instance-%d", n)
				}
				return fmt.Sprintf("aws:///eu-central-1a/i-0f3a6b594837261%02d", n)
			})
		}
		return f.Text
	})
}
