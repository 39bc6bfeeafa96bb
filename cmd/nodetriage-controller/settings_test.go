package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Flags take precedence over the file, and the file over the defaults.
func TestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(file, []byte("cluster-name: blue\nleader-elect: false\nmetrics-address: \":9000\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _, err := read([]string{"--config", file, "--metrics-address", ":9001"}, io.Discard)
	if err != nil || s.ClusterName != "blue" || s.LeaderElect || s.MetricsAddress != ":9001" || s.HealthAddress != ":8081" {
		t.Errorf("%+v, %v", s, err)
	}
	if s, _, err := read(nil, io.Discard); err != nil || s != defaults() {
		t.Errorf("without flags: %+v, %v", s, err)
	}
	if err := os.WriteFile(file, []byte("upgrade-gate: true\nupgrade-gate-on-deadline: abort\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, _, err := read([]string{"--config", file}, io.Discard); err != nil || !s.Enabled || s.OnDeadline != "abort" || s.Provider != "nodetriage.dev" {
		t.Errorf("upgrade gate: %+v, %v", s, err)
	}
	if err := os.WriteFile(file, []byte("leader-elekt: false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--config", file}, {"--config", file + ".missing"}, {"--unknown"}, {"more"}, {"--upgrade-gate-on-deadline", "perhaps"}, {"--upgrade-gate-provider", "a/b"}, {"--alert-message-form", "irc"}, {"--alert-webhook-address", ":9095"}} {
		if _, _, err := read(args, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

// --help shows every flag and no setting is without one.
func TestHelp(t *testing.T) {
	var out bytes.Buffer
	if _, _, err := read([]string{"--help"}, &out); !errors.Is(err, pflag.ErrHelp) {
		t.Fatal(err)
	}
	for _, flag := range []string{"--config FILE", "--kubeconfig", "--leader-elect", "--lease-namespace", "--metrics-address", "--metrics-secure", "--health-address", "--cluster-name", "--ask-kubelets", "--node-condition", "--veto", "--upgrade-gate ", "--upgrade-gate-provider", "--upgrade-gate-on-deadline", "--alert-webhook-address", "--alert-webhook-token-file", "--alert-message-url-file", "--alert-message-form", "--version"} {
		if !strings.Contains(out.String(), flag) {
			t.Errorf("--help does not show %s:\n%s", flag, &out)
		}
	}
}
