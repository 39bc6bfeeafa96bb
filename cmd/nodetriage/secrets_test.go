//go:build unix

package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases/casetest"
)

// No kind of secret is printed by any command, in any form, on any stream, or stored in a bundle.
func TestNoCommandShowsSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	dir := t.TempDir()
	secrets := append(casetest.Secrets(t, "../../evidence/redact/testdata/kinds.txt", 9), casetest.Secrets(t, "../../evidence/redact/testdata/kinds_more.txt", 9)...)
	var log, described strings.Builder
	var events []map[string]any
	for i, s := range secrets {
		log.WriteString("E0602 00:30:01.123456    1234 kubelet.go:2466] failed to start: " + s.Text + "\n")
		for k := range 6 { // six of the positions, others for the next kind
			log.WriteString(casetest.Positions[(i+3*k)%len(casetest.Positions)].Put(s.Text) + "\n")
		}
		described.WriteString("      Message:      Error: " + s.Text + "\n")
		events = append(events, map[string]any{
			"kind": "Event", "apiVersion": "v1", "metadata": map[string]any{"name": "e" + s.Name, "namespace": "default"}, "type": "Warning",
			"involvedObject": map[string]any{"kind": "Node", "name": "worker-1"}, "reason": "FailedMount", "message": "MountVolume.SetUp failed: " + s.Text,
			"lastTimestamp": "2026-06-02T00:30:01Z", "count": 3,
		})
	}
	condition := map[string]any{"type": "Ready", "status": "False", "reason": "KubeletNotReady", "message": "container runtime is down: " + secrets[0].Text, "lastTransitionTime": "2026-06-02T00:20:00Z", "lastHeartbeatTime": "2026-06-02T00:30:00Z"}
	items := []any{map[string]any{"kind": "Node", "apiVersion": "v1", "metadata": map[string]any{"name": "worker-1", "annotations": map[string]string{"note": secrets[1].Text}}, "status": map[string]any{"conditions": []any{condition}}}}
	for _, e := range events {
		items = append(items, e)
	}
	list, err := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"evidence/kubelet.log": log.String(), "evidence/objects.json": string(list), "evidence/describe.txt": described.String()} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what, text string) {
		if shown := casetest.ShownIn(text, secrets); len(shown) > 0 {
			t.Errorf("%s shows %q", what, shown)
		}
	}
	commands := [][]string{
		{"diagnose", "./evidence", "-o", "wide"}, {"diagnose", "./evidence/kubelet.log"},
		{"nodes", "-f", "./evidence", "-o", "wide"}, {"check", "-f", "./evidence"}, {"verify", "worker-1", "-f", "./evidence"}, {"predict", "worker-1", "--event", "power-off", "-f", "./evidence"},
		{"drain", "worker-1", "--plan", "-f", "./evidence"}, {"why", "nosuch", "-f", "./evidence"}, {"pods", "-f", "./evidence"},
		{"diagnose", "nosuch?token=" + secrets[0].Parts[0]}, {"collect", "-f", "./evidence", "-o", "bundle.tar.gz"},
	}
	for _, form := range allForms {
		commands = append(commands, []string{"diagnose", "./evidence", "--output=" + form})
	}
	for _, args := range commands {
		p := start(t, dir, nil, args...)
		p.ended(t)
		check(strings.Join(args, " "), p.out.String()+p.err.String())
	}
	check("the bundle", unpackedBundle(t, filepath.Join(dir, "bundle.tar.gz")))
	shown := start(t, dir, nil, "diagnose", "./evidence", "-o", "json", "--show-secrets")
	shown.ended(t)
	if out := shown.out.String(); strings.Contains(out, "[redacted-") {
		t.Errorf("--show-secrets hides: %s", out[:min(len(out), 2000)])
	}
}

func unpackedBundle(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for r := tar.NewReader(z); ; {
		if _, err := r.Next(); err == io.EOF {
			return all.String()
		} else if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, r); err != nil {
			t.Fatal(err)
		}
	}
}
