package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// The ids that a signature ends or outlives exist: an unknown id would end nothing.
func TestEndedIDsExist(t *testing.T) {
	in := knowledge(t)
	for _, s := range in.Signatures.All() {
		for _, id := range slices.Concat(s.Ends, s.Outlives) {
			if in.Catalog.Cause(id) == nil && in.Catalog.Symptom(id) == nil && in.Signatures.Lookup(id) == nil {
				t.Errorf("signature %s ends %q, which is no cause, symptom or signature", s.ID, id)
			}
		}
	}
}

var looksLikeID = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)

// Every id in Go code is one of a cause, a symptom, a signature or a rule, or is listed in others.
func TestIDsExist(t *testing.T) {
	in := knowledge(t)
	known := map[string]bool{}
	for _, c := range in.Catalog.Causes() {
		known[c.ID] = true
	}
	for _, s := range in.Catalog.Symptoms() {
		known[s.ID] = true
	}
	for _, s := range in.Signatures.All() {
		known[s.ID] = true
	}
	book := rules.All()
	for _, r := range book.Rules {
		known[r.ID] = true
	}
	for _, e := range book.Endings {
		known[e.ID] = true
	}
	for _, d := range book.Doubts {
		known[d.ID] = true
	}
	for _, m := range catalog.Mechanisms() {
		known[m.ID] = true
	}
	for _, words := range others {
		for _, word := range words {
			known[word] = true
		}
	}
	for _, root := range []string{"..", "../../cases"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.IsDir() && e.Name() == "casetest" { // the harness names forms of texts
				return filepath.SkipDir
			}
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			tree, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
			if err != nil {
				return err
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				id, err := strconv.Unquote(lit.Value)
				if err != nil || !looksLikeID.MatchString(id) || known[id] {
					return true
				}
				t.Errorf("%s names %q, which is no cause, symptom, signature or rule", path, id)
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// others are words that look like ids, by what they are.
var others = map[string][]string{
	"resources of the cloud": {"scale-set", "service-event", "required-outbound", "route-table", "security-group", "deny-assignment", "role-assignment"},
	"names in commands":      {"address-of-another-node", "api-endpoint", "cni-config", "lock-group", "lock-id", "locked-group", "node-resource-group", "one-more", "webhook-configuration", "webhook-namespace"},
	"components and units": {"cloud-controller-manager", "vsphere-cpi", "controller-manager", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-system",
		"cri-o", "kube-proxy"},
	"certificates, by their use or name": {"front-proxy", "kubelet-client"},
	"peers that a node reaches for":      {"api-server", "k8s-api", "kube-api"},
	"words of reports of nodes": {"aks-provision", "cluster-dns", "no-name", "no-resolver", "wrong-answer", "udp-only", "tcp-only", "tls-foreign", "tls-expired", "tls-not-yet", "tls-name", "proxy-refused", "proxy-needed",
		"transport-offline", "device-plugin", "soft-lockup", "bad-page", "machine-check", "conntrack-drop", "backlog-drop",
		"not-executable", "file-handles", "inotify-instances", "inotify-watches", "read-only", "auto-restart"},
	"labels and actions of controllers": {"controller-revision-hash", "scale-down"},
	"kinds of errors in lines": {"inotify-limit", "mount-limit", "name-resolution", "no-memory", "no-route", "no-tasks", "not-found", "not-supported", "too-many",
		"unknown-option"},
}
