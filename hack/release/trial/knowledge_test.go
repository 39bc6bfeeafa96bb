package trial

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const minisign = "aead.dev/minisign/cmd/minisign@v0.3.0"

// used runs the program of the archive with separate settings.
func used(program, settings string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+settings)
	return cmd
}

// The program of the release accepts the knowledge of the release, which changes nothing; its results name it.
func TestKnowledge(t *testing.T) {
	file := made(t, "nodetriage-knowledge_*.tar")
	program, settings := filepath.Join(unpack(t, made(t, "nodetriage_*_"+here()+".tar.gz")), "nodetriage"), t.TempDir()
	does(t, used(program, settings, "knowledge", "use", file, "--key", "none"))
	for _, line := range strings.Split(does(t, used(program, settings, "knowledge", "show")), "\n") {
		if strings.Contains(line, " new (") || strings.Contains(line, "as built in (") || strings.Contains(line, " gone (") {
			t.Errorf("it differs from what is built in: %s", line)
		}
	}
	out, _ := used(program, settings, "diagnose", "--example=runtime-hang", "-o", "json").Output() // the exit code says that a problem was found
	var report struct {
		Findings  []struct{ Cause string }
		Knowledge []struct{ Name, Digest string }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) == 0 || report.Findings[0].Cause != "runtime-hung" || len(report.Knowledge) != 2 || report.Knowledge[1].Name != "nodetriage" {
		t.Errorf("findings %v by %v", report.Findings, report.Knowledge)
	}
}

// Keys and signatures are compatible with minisign: it creates the keys, and verifies what nodetriage signed.
func TestKnowledgeIsSignedAsMinisignDoes(t *testing.T) {
	program, settings := filepath.Join(unpack(t, made(t, "nodetriage_*_"+here()+".tar.gz")), "nodetriage"), t.TempDir()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	does(t, exec.Command(tool(t, minisign), "-G", "-W", "-s", in("a.key"), "-p", in("a.pub")))
	does(t, exec.Command(tool(t, minisign), "-G", "-W", "-s", in("b.key"), "-p", in("b.pub")))
	pack := exec.Command("hack/knowledge.sh", program, in("k.tar"), "1.0.0", in("a.key"))
	pack.Dir = repository
	does(t, pack)
	does(t, used(program, settings, "knowledge", "verify", in("k.tar"), "--key", in("a.pub")))
	parts := unpack(t, in("k.tar"))
	packed := filepath.Join(parts, "knowledge.zip")
	does(t, exec.Command(tool(t, minisign), "-V", "-m", packed, "-p", in("a.pub")))
	if out, err := exec.Command(tool(t, minisign), "-V", "-m", packed, "-p", in("b.pub")).CombinedOutput(); err == nil {
		t.Errorf("another key fits: %s", out)
	}
	out, err := used(program, settings, "knowledge", "verify", in("k.tar"), "--key", in("b.pub")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "k.tar: key ") {
		t.Errorf("another key: %v\n%s", err, out)
	}
	data, err := os.ReadFile(in("k.tar"))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(in("changed.tar"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err = used(program, settings, "knowledge", "use", in("changed.tar"), "--key", in("a.pub")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "changed.tar: it was changed") {
		t.Errorf("a changed byte: %v\n%s", err, out)
	}
}
