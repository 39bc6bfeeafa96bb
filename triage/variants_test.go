package triage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// If the evidence shows one variant of a cause, checks and remedies of other variants are hidden. If it shows none, all are shown.
func TestVariants(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key, text, first string
		not                    []string
	}{
		{"a signature tells it", "k3s-node-password", "", "--with-node-id", []string{"aws-auth", "kubeadm", "openssl"}},
		{"words tell it", "", "Node password rejected", "--with-node-id", []string{"aws-auth", "kubeadm", "openssl"}},
		{"nothing tells it", "", "Unauthorized", "node-password", nil},
	} {
		said := claim("kubelet-auth-rejected", triage.Certain, on("n"))
		said.Key, said.Evidence = c.key, []evidence.Ref{{Source: "log", Text: c.text}}
		f := judge(t, nodes(node("n", 0, nil)), said).Findings[0]
		texts := remedyTexts(&f)
		if c.not == nil && !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "grants the node its permissions") }) {
			t.Errorf("%s: remedies of other variants are missing: %q", c.name, texts)
		}
		for _, not := range c.not {
			if i := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, not) }); i >= 0 {
				t.Errorf("%s: shows %q", c.name, texts[i])
			}
		}
		for _, r := range f.Remedies {
			if len(r.Variants)+len(r.Platforms) > 0 {
				t.Errorf("%s: %q has what it was chosen by", c.name, r.Title)
			}
		}
	}
}

// A remedy for a platform is shown only if the evidence shows the platform.
func TestRemediesOfPlatforms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"k3s[812]: certificate is not yet valid": true,
		"kubelet: certificate is not yet valid":  false,
	} {
		said := claim("clock-skew", triage.Certain, on("n"))
		said.Key, said.Evidence = "linux-x509-not-yet", []evidence.Ref{{Source: "log", Text: text}}
		f := judge(t, evidence.New(evidence.Data{}), said).Findings[0]
		got := slices.ContainsFunc(remedyTexts(&f), func(text string) bool { return strings.Contains(text, "k3s certificate rotate") })
		if got != want {
			t.Errorf("%q: the remedy of k3s is shown: %v", text, got)
		}
	}
}

// If the cloud is unknown, no cloud commands are shown, and what is left of such remedies comes last.
func TestNoCommandsOfUnknownClouds(t *testing.T) {
	t.Parallel()
	cat, _ := casetest.Builtin(t)
	for _, cause := range cat.Causes() {
		f := judge(t, evidence.New(evidence.Data{}), claim(cause.ID, triage.Certain, on("n"))).Findings[0]
		for _, r := range f.Remedies {
			for _, c := range r.Commands {
				if catalog.ProviderOfCommand(c) != nil {
					t.Errorf("%s: %s", cause.ID, c)
				}
			}
		}
	}
}

// Names from messages are filled in, unless the messages name several.
func TestNamesOfMessages(t *testing.T) {
	t.Parallel()
	const refused = "shop/web-749b9d5cc8-2chl9 blocked by pdb web with unready pods [], on node aks-infra-17497433-vmss00000y:"
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{refused}, "kubectl scale -n shop deployment/web --replicas=<one-more>"},
		{[]string{refused, "api/gate-749b9d5cc8-2chl9 blocked by pdb gate"}, "kubectl scale -n <namespace> <workload> --replicas=<one-more>"},
	} {
		said := claim("drain-blocked-pdb", triage.Certain, evidence.Subject{})
		for i, text := range c.texts {
			said.Evidence = append(said.Evidence, evidence.Ref{Source: "log", Locator: string(rune('a' + i)), Text: text})
		}
		f := judge(t, evidence.New(evidence.Data{}), said).Findings[0]
		if !slices.Contains(remedyTexts(&f), c.want) {
			t.Errorf("%q: %q is missing in %q", c.texts, c.want, remedyTexts(&f))
		}
	}
}

// With a single node, no remedy drains it to another.
func TestNoDrainOfTheOnlyNode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list   []*evidence.Node
		drains bool
	}{
		{[]*evidence.Node{node("n", 0, nil)}, false},
		{[]*evidence.Node{node("n", 0, nil), node("m", 0, nil)}, true},
	} {
		f := judge(t, nodes(c.list...), claim("filesystem-readonly", triage.Certain, on("n"))).Findings[0]
		got := slices.ContainsFunc(remedyTexts(&f), func(text string) bool { return strings.HasPrefix(text, "kubectl drain") })
		if got != c.drains {
			t.Errorf("%d nodes: drains %v", len(c.list), got)
		}
	}
}

// Remedies for kubeadm are shown if the distribution is unknown and no provider runs the control plane.
func TestRemediesOfKubeadm(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"v1.33.3": true, "v1.33.3+k3s1": false, "v1.33.3-eks-94953ac": false} {
		n := node("n", 0, nil)
		n.Node.Status.NodeInfo.KubeletVersion = version
		f := judge(t, nodes(n), claim("kubelet-client-cert-expired", triage.Certain, on("n"))).Findings[0]
		got := slices.ContainsFunc(remedyTexts(&f), func(text string) bool { return strings.Contains(text, "kubeadm") })
		if got != want {
			t.Errorf("%s: kubeadm is shown: %v", version, got)
		}
	}
}

// The signatures of variants exist, and report the cause or one of its effects.
func TestSignaturesOfVariants(t *testing.T) {
	t.Parallel()
	cat, set := casetest.Builtin(t)
	platforms := map[string]bool{catalog.Kubeadm: true}
	for _, p := range catalog.Platforms() {
		platforms[p.Name] = true
	}
	for _, cause := range cat.Causes() {
		for _, v := range cause.Variants {
			for _, id := range v.Signatures {
				if sig := set.Lookup(id); sig == nil || sig.Says != cause.ID {
					t.Errorf("%s: variant %s: signature %s does not report it", cause.ID, v.ID, id)
				}
			}
			for _, word := range v.Said {
				if word != strings.ToLower(word) {
					t.Errorf("%s: variant %s: %q is not in lower case", cause.ID, v.ID, word)
				}
			}
		}
		for _, r := range cause.Remedies {
			for _, name := range r.Platforms {
				if !platforms[name] {
					t.Errorf("%s: %q: platform %q is not in platforms.yaml", cause.ID, r.Title, name)
				}
			}
		}
	}
}

// remedyTexts returns the titles and commands of the remedies and the checks.
func remedyTexts(f *triage.Finding) (out []string) {
	for _, r := range f.Remedies {
		out = append(out, r.Title)
		for _, c := range r.Commands {
			out = append(out, string(c))
		}
	}
	for _, k := range f.Confirm {
		out = append(out, string(k.Run))
	}
	return out
}

// A finding has the title of the variant that its most certain claim shows. If another variant is shown too, it has the title of
// the page.
func TestTitleOfVariant(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	page := cat.Cause("etcd-unavailable").Title
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"one variant":                 {[]string{"etcd-space"}, "etcd storage quota exceeded (NOSPACE)"},
		"a variant without a title":   {[]string{"etcd-no-leader"}, page},
		"two variants":                {[]string{"etcd-space", "etcd-corrupt"}, page},
		"the surest claim shows none": {[]string{"etcd-refused"}, page},
	} {
		var said []triage.Claim
		for _, key := range c.keys {
			one := claim("etcd-unavailable", triage.Likely, on("n"))
			one.Key = key
			said = append(said, one)
		}
		if got := judge(t, nodes(node("n", 0, nil)), said...).Findings[0].Title; got != c.want {
			t.Errorf("%s: title %q, want %q", name, got, c.want)
		}
	}
}
