package ask

import (
	"strings"
	"testing"
	"time"
)

// Evidence is named after its source.
func TestFilesAreNamed(t *testing.T) {
	for want, from := range map[string]From{
		"stdin":                               fromText(t, "kubelet: ok"),
		"folder " + shop:                      fromFiles(t),
		"file " + shop + "/cluster.yaml":      {Source: Files{Paths: []string{shop + "/cluster.yaml"}}, Knowledge: knowing(t)},
		"file " + shop + "/log.json, " + shop: {Source: Files{Paths: []string{shop + "/log.json", shop}}, Knowledge: knowing(t)},
	} {
		s, err := Read(t.Context(), from, Scope{})
		if err != nil || s.Data().Source.String() != want {
			t.Errorf("%s, want %s: %v", s.Data().Source.String(), want, err)
		}
	}
}

// An unreadable source is an error that names it.
func TestFilesFail(t *testing.T) {
	empty := t.TempDir()
	for path, want := range map[string]string{"/none/such": "/none/such", empty: "no files found (hidden files are skipped)"} {
		_, err := Read(t.Context(), From{Source: Files{Paths: []string{path}}, Knowledge: knowing(t)}, Scope{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Secrets are shown only with ShowSecrets.
func TestShowSecrets(t *testing.T) {
	for _, shown := range []bool{false, true} {
		from := fromText(t, "Jun 02 09:59:30 n1 kubelet[812]: E0602 09:59:30.000000     812 x.go:1] Failed to pull image \"a\": password=hunter22hunter22 no basic auth credentials")
		from.ShowSecrets = shown
		from.At = time.Date(2026, 6, 2, 10, 0, 0, 0, time.UTC)
		s, err := Read(t.Context(), from, Scope{})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, m := range s.Data().Matches {
			found = found || strings.Contains(m.Ref.Text, "hunter22")
		}
		if found != shown {
			t.Errorf("shown: %v, wanted: %v", found, shown)
		}
	}
}
