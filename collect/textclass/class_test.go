package textclass

import (
	"strings"
	"testing"
)

const journalLine = `Mar 01 10:00:00 worker-1 kubelet[900]: E0301 10:00:00.000000     900 kubelet.go:2900] "Container runtime network not ready"`

// What reports state is matched; packages, sources, settings, test results and typed commands are not.
func TestOfLine(t *testing.T) {
	for line, want := range map[string]Class{
		journalLine: Unknown,
		`E0301 10:00:00.000000     900 kubelet.go:2900] "Container runtime network not ready"`: Unknown,
		"ii  containerd  1.7.1-1  amd64  container runtime":                                    Reference,
		"kernel-5.14.0-1.el9.x86_64":                                                           Reference,
		`	return fmt.Errorf("cni plugin not initialized")`:                                     Reference,
		"--- FAIL: TestNode (0.01s)":                                                           Reference,
		"Flag --pod-infra-container-image has been deprecated, will be removed":                Configuration,
		"BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet":                                             Configuration,
		"No resources found":                                                                   Typed,
		`Device "cni0" does not exist.`:                                                        Typed,
		"timeout 60 curl -fsSL https://example.com/etcd-v3.tar.gz -o /tmp/etcd.tar.gz":         Typed,
		"- ✅ NAT gateways operational (2 zones)":                                               Reference,
		"- [x] the nodes have no route to the API server":                                      Reference,
		"++ ERR_K8S_DOWNLOAD_TIMEOUT=31":                                                       Typed,
		`Error from server (NotFound): nodes "w1" not found`:                                   Typed,
	} {
		if got := OfLine(line); got.Class != want {
			t.Errorf("%q is %+v, want class %q", line, got, want)
		}
	}
}

func TestOfFile(t *testing.T) {
	for path, want := range map[string]Class{
		"var/log/messages": Unknown, "kubelet.log": Unknown,
		"src/kubelet.go": Reference, "docs/README.md": Reference, "etc/containerd/config.toml": Configuration, "crds.yaml": Reference,
	} {
		if got := OfFile(path); got.Class != want || got.MayReportState() != (want == Unknown) {
			t.Errorf("%s is %+v, want class %q", path, got, want)
		}
	}
}

func TestOfDocument(t *testing.T) {
	for start, want := range map[string]Class{
		journalLine + "\n":                      Unknown,
		"#!/bin/bash\necho failed\n":            Reference,
		"[Unit]\nDescription=kubelet\n":         Configuration,
		"[Unit]\r\nDescription=kubelet\r\n":     Configuration,
		"groups:\n- name: nodes\n  rules: []\n": Reference,
		`{"$schema": "x"}`:                      Reference,
	} {
		if got := OfDocument("-", []byte(start)); got.Class != want {
			t.Errorf("%q is %+v, want class %q", start, got, want)
		}
	}
}

func TestOfCommand(t *testing.T) {
	for command, want := range map[string]Class{
		"": Unknown, "journalctl -u kubelet": Unknown, "cat /var/log/messages": Unknown,
		"git diff": Reference, "cat /etc/containerd/config.toml": Configuration,
	} {
		if got := OfCommand(strings.Fields(command)); got.Class != want {
			t.Errorf("the output of %q is %+v, want class %q", command, got, want)
		}
	}
}

func TestOfObject(t *testing.T) {
	for raw, want := range map[string]Class{
		`{"kind":"Pod"}`: Unknown, `{"$schema":"x"}`: Reference, `{"bomFormat":"CycloneDX"}`: Reference,
		`{"panels":[],"schemaVersion":1}`: Reference, `{"rules":[{"alert":"NodeNotReady"}]}`: Reference,
	} {
		if got := OfObject([]byte(raw)); got.Class != want {
			t.Errorf("%s is %+v, want class %q", raw, got, want)
		}
	}
}

// In a response of Prometheus, only firing rules report something.
func TestWithoutQuietRules(t *testing.T) {
	const quiet, fires = `{"name":"a","query":"up","state":"inactive"}`, `{"name":"b","query":"up","state":"firing"}`
	if out, dropped := WithoutQuietRules([]byte(`{"rules": [` + quiet + `]}`)); !dropped || len(out) != 0 {
		t.Errorf("of a quiet rule stays %s, %v", out, dropped)
	}
	out, dropped := WithoutQuietRules([]byte(`{"groups":[{"rules": [` + quiet + `,` + fires + `]}]}`))
	if !dropped || strings.Contains(string(out), `"a"`) || !strings.Contains(string(out), `"b"`) {
		t.Errorf("of two rules stays %s, %v", out, dropped)
	}
	if out, dropped := WithoutQuietRules([]byte(`{"kind":"Pod"}`)); dropped || string(out) != `{"kind":"Pod"}` {
		t.Errorf("of an object stays %s, %v", out, dropped)
	}
}

// Lines carries what a command announces to the lines below it.
func TestLines(t *testing.T) {
	l := NewLines(Kind{})
	l.Command("$ cat /etc/containerd/config.toml", settings)
	if got := l.Of("enabled = false"); got.MayReportState() {
		t.Errorf("a setting below its command is %+v", got)
	}
	l.Begin(Kind{})
	if got := l.Of(journalLine); !got.MayReportState() {
		t.Errorf("a line of a journal is %+v", got)
	}
	if got := NewLines(manual).Of("the kubelet cannot start"); got.MayReportState() {
		t.Errorf("a line of a manual is %+v", got)
	}
}

func TestProse(t *testing.T) {
	for line, want := range map[string]bool{"The node is stuck since yesterday": true, "Why does the node hang?": false, "All is well": false} {
		if got := Complains(line); got != want {
			t.Errorf("%q complains: %v, want %v", line, got, want)
		}
	}
	for line, want := range map[string]bool{"Hello all": true, "Steps to reproduce:": true, "EXPECTED RESULT": true, journalLine: false} {
		if got := Heading(line); got != want {
			t.Errorf("%q is a heading: %v, want %v", line, got, want)
		}
	}
	if !isProse("We upgraded the cluster to 1.33 yesterday and since then the nodes do not become ready again.") {
		t.Error("a sentence of a person is no prose")
	}
	for line, want := range map[string]bool{
		"* Apply a machinehealthcheck that attempts to remediate machines": true, "2. Stop the underlying EC2 instance of the node": true,
		"3. Restart the kubelet, and it fails with a timeout again": false, "- Create container failed on the node with a timeout": false, journalLine: false,
	} {
		if got := OfLine(line) == instruction; got != want {
			t.Errorf("%q is an instruction: %v, want %v", line, got, want)
		}
	}
	if isProse(journalLine) {
		t.Error("a line of a journal is prose")
	}
}

// A passage begins with its head, and ends with its last line or the first line that does not continue it.
func TestPassages(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		want  []Class
	}{
		"help":             {[]string{"Usage:", "  kubelet [flags]", "  --fail-swap-on   the kubelet fails", journalLine}, []Class{Reference, Reference, Reference, Unknown}},
		"a unit":           {[]string{"[Unit]", "After=network.target", "Restart=on-failure", journalLine}, []Class{Configuration, Configuration, Configuration, Unknown}},
		"a suite of tests": {[]string{"<testsuite>", "node not ready", "</testsuite>", journalLine}, []Class{Reference, Reference, Reference, Unknown}},
		"an alert":         {[]string{"- alert: NodeNotReady", "  expr: up == 0", journalLine}, []Class{Reference, Reference, Unknown}},
	} {
		l := NewLines(Kind{})
		for i, line := range test.lines {
			if got := l.Of(line); got.Class != test.want[i] {
				t.Errorf("%s: %q is %+v, want class %q", name, line, got, test.want[i])
			}
		}
	}
	if l := NewLines(Kind{}); !l.Notices([]byte("Usage:")) || l.Notices([]byte(journalLine)) {
		t.Error("the head of a passage is not noticed, or a line of a journal is")
	}
}
