package mcp_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/anonymize"
)

// With HideNames no answer of any tool has a real name, tools accept aliases and real names, and a name keeps its alias.
func TestHideNames(t *testing.T) {
	opt := ofShop()
	opt.HideNames = true
	aliases := map[string]string{}
	opt.KeepNames = func(n *anonymize.Names) error {
		for name, alias := range n.All() {
			if before, known := aliases[name]; known && before != alias {
				t.Errorf("%s was %s and is %s", name, before, alias)
			}
			aliases[name] = alias
		}
		return nil
	}
	s := connected(t, opt)
	real := regexp.MustCompile(`\bn[123]\b|shop/|ops@example\.com|aks-a\b`)
	for range 2 {
		for tool, args := range everyTool {
			if tool == "triage_text" || tool == "explain_cause" {
				continue
			}
			r := call(t, s, tool, args)
			if r.IsError {
				t.Errorf("%s: %s", tool, textOf(r))
			}
			if found := real.FindString(textOf(r)); found != "" {
				t.Errorf("%s has the real name %s: %s", tool, found, textOf(r))
			}
		}
	}
	text := "NAME                STATUS     ROLES    AGE   VERSION\nprod-payments-n7    NotReady   <none>   10d   v1.33.3\n\n" +
		"Jun 02 09:40:01 prod-payments-n7 kubelet[1]: E0602 09:40:01.000001 1 kubelet.go:1] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 5m3s ago\"\n"
	if got := textOf(call(t, s, "triage_text", map[string]any{"text": text})); strings.Contains(got, "payments") || !strings.Contains(got, "node-") {
		t.Errorf("triage_text: %s", got)
	}
	node := aliases["n3"]
	if node == "" {
		t.Fatalf("n3 has no alias: %v", aliases)
	}
	for _, name := range []string{node, "n3"} {
		a := answered(t, s, "triage_node", map[string]any{"node": name})
		if !strings.Contains(string(marshalled(t, a)), node) {
			t.Errorf("%s: %s", name, marshalled(t, a))
		}
	}
}

// Secrets are redacted.
func TestSecrets(t *testing.T) {
	s := connected(t, ofShop())
	r := call(t, s, "triage_text", map[string]any{"text": "E0602 09:40:01.000001 1 kubelet.go:1] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 5m3s ago; password=hunter2hunter2\"\n"})
	if text := textOf(r); strings.Contains(text, "hunter2") || !strings.Contains(text, "redacted") {
		t.Error(text)
	}
}
