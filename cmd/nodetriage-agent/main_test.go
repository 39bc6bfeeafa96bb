package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The test binary is its own child, like the agent.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == lookCommand {
		os.Exit(run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// The agent runs on every node, so its binary must stay small. The API client and its types are larger than all of its
// code, and templates keep every method of every type. The test builds it like make agent.
func TestLinksLittle(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`(?m)^AGENT_TAGS := (\S+)$`).FindSubmatch(makefile)
	if tags == nil {
		t.Fatal("the Makefile names no tags of the agent")
	}
	out, err := exec.Command("go", "list", "-tags", string(tags[1]), "-deps", ".").Output()
	if err != nil {
		t.Skipf("go list does not work here: %v", err)
	}
	for _, dep := range strings.Fields(string(out)) {
		for _, banned := range []string{"k8s.io/client-go", "k8s.io/api/", "k8s.io/apimachinery", "k8s.io/kubernetes", "text/template", "html/template"} {
			// Durations in the format of kubectl: one file over the standard library.
			if strings.HasPrefix(dep, banned) && dep != "k8s.io/apimachinery/pkg/util/duration" {
				t.Errorf("it links %s", dep)
			}
		}
	}
}

// The version is set by the linker, as for nodetriage.
func TestVersion(t *testing.T) {
	program := filepath.Join(t.TempDir(), "agent")
	if out, err := exec.Command("go", "build", "-ldflags", "-X main.linked=v1.2.3", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	out, err := exec.Command(program, "-version").Output()
	if err != nil || !strings.HasPrefix(string(out), "nodetriage-agent v1.2.3 go") {
		t.Errorf("-version prints %q, %v", out, err)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-every", "1s"}, {"-since", "0s"}, {"extra"}, {"-no-such-flag"}} {
		if code := run(args); code != 2 {
			t.Errorf("%q ends with %d", args, code)
		}
	}
}
