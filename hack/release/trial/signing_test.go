package trial

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// cosign is the version that signs releases.
const cosign = "github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3"

// The files that .github/workflows/release.yaml signs can be signed, and a changed file is rejected. The key is local and
// nothing goes into a public log. The identity in a certificate can only be tested at GitHub.
func TestSigning(t *testing.T) {
	workflow, err := os.ReadFile(repository + ".github/workflows/release.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(workflow, []byte("go install "+cosign)) {
		t.Errorf("the workflow signs with another cosign than %s", cosign)
	}
	sums, provenance := made(t, "checksums.txt"), made(t, "provenance.json")
	dir := t.TempDir()
	sign := func(args ...string) *exec.Cmd {
		cmd := exec.Command(tool(t, cosign), args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "COSIGN_PASSWORD=")
		return cmd
	}
	local := []string{"--key", "cosign.key", "--tlog-upload=false", "--use-signing-config=false", "--yes"}
	does(t, sign("generate-key-pair"))
	does(t, sign(append([]string{"sign-blob", "--bundle", "sums.json", sums}, local...)...))
	does(t, sign(append([]string{"attest-blob", "--type", "slsaprovenance1", "--predicate", provenance, "--bundle", "attested.json", sums}, local...)...))

	data, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	data[0] ^= 1
	changed := filepath.Join(dir, "checksums.txt")
	if err := os.WriteFile(changed, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verify := range [][]string{
		{"verify-blob", "--bundle", "sums.json"},
		{"verify-blob-attestation", "--bundle", "attested.json", "--type", "slsaprovenance1"},
	} {
		verify = append(verify, "--key", "cosign.pub", "--insecure-ignore-tlog=true")
		does(t, sign(append(verify, sums)...))
		if out, err := sign(append(verify, changed)...).CombinedOutput(); err == nil {
			t.Errorf("%s takes sums that were changed: %s", strings.Join(verify, " "), out)
		}
	}
}

// An image in a registry is signed by its digest, as in the workflow, and its signature is found.
func TestImageIsSigned(t *testing.T) {
	layout := made(t, "nodetriage-agent_*_image.tar")
	image := startRegistry(t) + "/nodetriage-agent"
	dir := t.TempDir()
	sign := func(args ...string) *exec.Cmd {
		cmd := exec.Command(tool(t, cosign), args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "COSIGN_PASSWORD=")
		return cmd
	}
	push := exec.Command(tool(t, crane), "push", "--insecure", unpack(t, layout), image+":test")
	pushed, err := push.Output()
	if err != nil {
		t.Fatal(err)
	}
	does(t, sign("generate-key-pair"))
	name := strings.TrimSpace(string(pushed))
	does(t, sign("sign", "--key", "cosign.key", "--tlog-upload=false", "--use-signing-config=false", "--yes", "--allow-http-registry", name))
	does(t, sign("verify", "--key", "cosign.pub", "--insecure-ignore-tlog=true", "--allow-http-registry", name))
	does(t, sign("generate-key-pair", "--output-key-prefix", "other"))
	if out, err := sign("verify", "--key", "other.pub", "--insecure-ignore-tlog=true", "--allow-http-registry", name).CombinedOutput(); err == nil {
		t.Errorf("another key fits: %s", out)
	}
}
