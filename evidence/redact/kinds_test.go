package redact_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

func kinds(t *testing.T, seed uint64) []casetest.Secret {
	t.Helper()
	return append(casetest.Secrets(t, "testdata/kinds.txt", seed), casetest.Secrets(t, "testdata/kinds_more.txt", seed)...)
}

func TestKindsAreEnough(t *testing.T) {
	kinds := kinds(t, 1)
	if len(kinds) < 700 || len(casetest.Positions) < 18 {
		t.Errorf("%d kinds in %d positions", len(kinds), len(casetest.Positions))
	}
	for _, k := range kinds {
		if len(k.Parts) == 0 || strings.Contains(k.Text, "{join}") {
			t.Errorf("%s has no secret: %s", k.Name, k.Text)
		}
	}
}

// Every kind of secret is redacted in every position, as text, as a stream and as JSON.
func TestNoSecretComesOut(t *testing.T) {
	shown, all := 0, 0
	for seed := range uint64(1) {
		for _, k := range kinds(t, seed) {
			for _, p := range casetest.Positions {
				all++
				in := p.Put(k.Text)
				out := redact.New(false).Text(in)
				if doc := redact.New(false).JSON([]byte(in)); k.Shown(string(doc)) != nil {
					t.Errorf("%s, %s, as JSON: came out:\n  %.400s\n  %.400s", k.Name, p.Name, in, doc)
				}
				if parts := k.Shown(out); parts != nil {
					shown++
					t.Errorf("%s, %s: %q came out:\n  %.400s\n  %.400s", k.Name, p.Name, parts, in, out)
				}
				if again := redact.New(false).Text(out); again != out {
					t.Errorf("%s, %s: what is hidden is hidden again:\n  %s\n  %s", k.Name, p.Name, out, again)
				}
			}
		}
	}
	t.Logf("%d of %d came out", shown, all)
}

// A private key is redacted in every line format.
func TestNoLineOfAKeyComesOut(t *testing.T) {
	const head, end = "-----BEGIN RSA PRIV" + "ATE KEY-----", "-----END RSA PRIV" + "ATE KEY-----"
	body := casetest.Secrets(t, "testdata/key.txt", 3)[0].Parts
	whole := append(append([]string{head}, body...), end)
	forms := map[string][]string{
		"plain":        whole,
		"klog":         prefixed("I0602 00:30:01.123456    1234 server.go:466] ", whole),
		"journald":     prefixed("Jun 02 00:30:01 worker-1 app[1234]: ", whole),
		"YAML":         prefixed("      ", whole),
		"describe":     prefixed("  tls.key:  ", whole),
		"containerd":   prefixed("2026-06-02T00:30:01.123456789Z stdout F ", whole),
		"JSON lines":   suffixed(prefixed(`{"log":"`, whole), `\n","stream":"stdout"}`),
		"head cut":     whole[1:],
		"end cut":      whole[:len(whole)-1],
		"wrapped":      wrapped(strings.Join(whole, ""), 50),
		"wrapped head": append([]string{head[:22], head[22:]}, whole[1:]...),
		"carriage":     suffixed(whole, "\r"),
		"interleaved":  {head, body[0], "I0602 00:30:01.123456    1234 server.go:466] unrelated line here", body[1], body[2], end},
		"encrypted":    append([]string{head, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,1234", ""}, whole[1:]...),
	}
	for name, lines := range forms {
		out := redact.New(false).Text(strings.Join(lines, "\n") + "\nafter the key\n")
		for _, part := range body {
			for i := 0; i+16 <= len(part); i += 16 {
				if strings.Contains(out, part[i:i+16]) {
					t.Errorf("%s: %s came out:\n%s", name, part[i:i+16], out)
				}
			}
		}
		if !strings.Contains(out, "after the key") {
			t.Errorf("%s: what follows the key is gone:\n%s", name, out)
		}
	}
}

func prefixed(by string, lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, by+l)
	}
	return out
}

func suffixed(lines []string, by string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, l+by)
	}
	return out
}

func wrapped(s string, width int) []string {
	var out []string
	for len(s) > width {
		out = append(out, s[:width])
		s = s[width:]
	}
	return append(out, s)
}

// Equal secrets get one tag with their length class; different ones get different tags.
func TestTags(t *testing.T) {
	got := redact.New(false).Text("password=Hunter2x! and DB_PASSWORD: Hunter2x!\npassword=Hunter3x!\ntoken=Hunter2x!")
	want := "password=[redacted-password-1-8+] and DB_PASSWORD: [redacted-password-1-8+]\npassword=[redacted-password-2-8+]\ntoken=[redacted-password-1-8+]"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
