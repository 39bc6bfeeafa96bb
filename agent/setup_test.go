package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// A file has its modification time; a masked unit has the time of its link.
func TestSetupTellsWhen(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	write(t, h, "/etc/resolv.conf", "nameserver 10.0.0.53\n")
	changed := time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(h.root, "etc/resolv.conf"), changed, changed); err != nil {
		t.Fatal(err)
	}
	r := &nodereport.Report{}
	if err := setup(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	i := indexOf(r.Setup, "/etc/resolv.conf")
	if i < 0 || !r.Setup.Files[i].Changed.Equal(changed) || r.Setup.Files[i].Settings["nameserver"] != "10.0.0.53" {
		t.Errorf("resolv.conf: %+v", r.Setup.Files)
	}
}

func indexOf(s *nodereport.Setup, path string) int {
	for i := range s.Files {
		if s.Files[i].Path == path {
			return i
		}
	}
	return -1
}

// Without any file, a gap reports that there is nothing to compare.
func TestSetupOfNothing(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	r := &nodereport.Report{}
	if err := setup(t.Context(), h, r); err == nil || r.Setup != nil {
		t.Errorf("an empty root gives %+v, %v", r.Setup, err)
	}
}

// Large files are bounded and marked as cut.
func TestSetupIsBounded(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	line := strings.Repeat("n", 300) + "_%d = " + strings.Repeat("v", 5000) + "\n"
	write(t, h, "/etc/sysctl.d/1.conf", strings.Repeat(line, 100))
	for i := range 300 {
		var text strings.Builder
		for j := range 300 {
			text.WriteString(strings.Repeat("a", j%50+1) + strings.Repeat("b", j/50+1) + " = 1\n")
		}
		write(t, h, "/etc/sysctl.d/2-"+strings.Repeat("x", i/100)+string(rune('a'+i%26))+string(rune('a'+i/26))+".conf", text.String())
	}
	r := &nodereport.Report{}
	if err := setup(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	size, settings := 0, 0
	for _, f := range r.Setup.Files {
		for k, v := range f.Settings {
			size, settings = size+len(k)+len(v), settings+1
		}
	}
	if !r.Setup.Cut || settings > maxSetup || len(r.Setup.Files) > maxSetupFiles || size > maxSetup*(maxSetupName+maxSetupValue+50) {
		t.Errorf("%d settings of %d files, %d bytes, cut %t", settings, len(r.Setup.Files), size, r.Setup.Cut)
	}
}

// Secrets in any file are redacted.
func TestSetupHidesSecrets(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	secrets := append(casetest.Secrets(t, "../evidence/redact/testdata/kinds.txt", 9), casetest.Secrets(t, "../evidence/redact/testdata/kinds_more.txt", 9)...)
	var env, unit, toml strings.Builder
	for _, s := range secrets {
		if strings.Contains(s.Text, "\n") {
			continue
		}
		env.WriteString("LINE=" + s.Text + "\n")
		unit.WriteString("[Service]\nExecStart=/bin/x " + s.Text + "\n")
		toml.WriteString("text = '" + s.Text + "'\n" + s.Text + "\n")
	}
	for name, text := range map[string]string{
		"/etc/default/kubelet": env.String(), "/etc/environment": env.String(), "/etc/containerd/config.toml": toml.String(),
		"/etc/systemd/system/kubelet.service.d/10.conf": unit.String(), "/etc/hosts": env.String(), "/etc/fstab": env.String(),
	} {
		write(t, h, name, text)
	}
	r := &nodereport.Report{}
	if err := setup(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range r.Setup.Files {
		all.WriteString(f.Error + "\n")
		for k, v := range f.Settings {
			all.WriteString(k + "=\"" + v + "\"\n")
		}
	}
	if shown := casetest.ShownIn(all.String(), secrets); len(shown) > 0 {
		t.Errorf("it shows %q", shown)
	}
}
