package nodetriage_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
	"sigs.k8s.io/yaml"
)

// workflow is what these tests read of a file of .github/workflows.
type workflow struct {
	Permissions any
	Jobs        map[string]struct {
		Permissions any
		Needs       any
		Uses        string
		Steps       []struct{ Uses, Run string }
	}
}

// atMost are the permissions of the jobs that have more than contents: read.
var atMost = map[string]map[string]any{
	"release.yaml/images":  {"packages": "write"},
	"release.yaml/attest":  {"id-token": "write", "packages": "write"},
	"release.yaml/publish": {"contents": "write"},
	"site.yaml/publish":    {"contents": "write"},
}

// harmless are the programs that a job may run which signs, or which writes to a release or a registry: they build nothing and run
// no code of the repository.
var harmless = strings.Fields("bin/cosign bin/crane cut echo find gh mkdir rm sha256sum tar test xargs")

var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	paths, err := filepath.Glob(".github/workflows/*.y*ml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	out := map[string]workflow{}
	for _, name := range paths {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var w workflow
		if err := yaml.Unmarshal(text, &w); err != nil || len(w.Jobs) == 0 {
			t.Fatalf("%s: %v, %d jobs", name, err, len(w.Jobs))
		}
		out[filepath.Base(name)] = w
	}
	return out
}

// Each job names its permissions, and has no more than it needs; actions of others are fixed by commit.
func TestJobsHaveLeastPermissions(t *testing.T) {
	least := map[string]any{"contents": "read"}
	found := map[string]bool{}
	for name, w := range workflows(t) {
		for id, job := range w.Jobs {
			has, ok := job.Permissions.(map[string]any)
			if job.Permissions == nil {
				has, ok = w.Permissions.(map[string]any)
			}
			if !ok {
				t.Errorf("%s: job %s does not list its permissions", name, id)
			}
			may := least
			if more := atMost[name+"/"+id]; more != nil {
				may, found[name+"/"+id] = more, true
			}
			for what, how := range has {
				if may[what] != how {
					t.Errorf("%s: job %s has permission %s: %v", name, id, what, how)
				}
			}
			for _, uses := range append([]string{job.Uses}, usedBy(job.Steps)...) {
				if uses != "" && !pinned.MatchString(uses) {
					t.Errorf("%s: job %s uses %s, which is not fixed by a commit", name, id, uses)
				}
			}
		}
	}
	for id := range atMost {
		if !found[id] {
			t.Errorf("there is no job %s", id)
		}
	}
}

func usedBy(steps []struct{ Uses, Run string }) (out []string) {
	for _, s := range steps {
		out = append(out, s.Uses)
	}
	return out
}

// A job that can sign as the project, or write to its releases and images, runs no code of the repository and builds nothing, and
// what it takes from other jobs it compares with their digests before anything else.
func TestJobsThatSignOrPublishBuildNothing(t *testing.T) {
	jobs := workflows(t)["release.yaml"].Jobs
	checked := 0
	for id, job := range jobs {
		if atMost["release.yaml/"+id] == nil {
			continue
		}
		checked++
		fetched, compared := false, false
		for _, s := range job.Steps {
			fetched = fetched || strings.HasPrefix(s.Uses, "actions/download-artifact@")
			if s.Run == "" {
				continue
			}
			for _, program := range programs(t, s.Run) {
				if !slices.Contains(harmless, program) {
					t.Errorf("job %s runs %s", id, program)
				}
				if strings.HasPrefix(program, "bin/") && !compared {
					t.Errorf("job %s runs %s before its digest is compared", id, program)
				}
			}
			compared = compared || strings.Contains(s.Run, "sha256sum --check --strict")
		}
		if !fetched || !compared {
			t.Errorf("job %s: fetched files %v, compared digests %v", id, fetched, compared)
		}
	}
	if checked != 3 {
		t.Errorf("%d jobs sign or publish", checked)
	}
}

// programs are the names of all commands of a script.
func programs(t *testing.T, script string) (out []string) {
	t.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(script), "")
	if err != nil {
		t.Fatalf("%v: %s", err, script)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		name := call.Args[0].Lit() // "" for what a variable names, which nothing allows
		out = append(out, name)
		if name == "xargs" && len(call.Args) > 2 {
			out = append(out, call.Args[2].Lit())
		}
		return true
	})
	return out
}

// The check for vulnerabilities fails where it could not check, unless OFFLINE=1 is set, which the log says. Only our own CI
// machine, which cannot reach the database, sets it.
func TestVulnerabilitiesAreCheckedOrSaid(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	script, err := filepath.Abs("hack/vuln.sh")
	if err != nil {
		t.Fatal(err)
	}
	// A Go that installs nothing, and one that installs a checker which ends with a code.
	dir := t.TempDir()
	install := "#!/bin/sh\n[ \"$CHECKER\" = none ] && exit 1\nmkdir -p \"$GOBIN\" && printf '#!/bin/sh\\nexit %s\\n' \"$CHECKER\" > \"$GOBIN/govulncheck\" && chmod +x \"$GOBIN/govulncheck\"\n"
	programs := map[string]string{"go": install, "curl": "#!/bin/sh\n[ \"$DATABASE\" != away ]\n"}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		checker, offline, database string
		code                       int
		says                       string
	}{
		{"0", "", "", 0, ""}, {"3", "", "", 3, ""}, {"3", "1", "", 3, ""}, {"0", "1", "", 0, ""}, {"3", "", "away", 3, ""},
		{"3", "1", "away", 0, "OFFLINE=1: vulnerabilities were NOT CHECKED: the database cannot be reached"},
		{"1", "", "", 1, "could not be checked: govulncheck ended with 1"}, {"1", "1", "", 0, "OFFLINE=1: vulnerabilities were NOT CHECKED"},
		{"1", "0", "", 1, "could not be checked"}, {"none", "", "", 1, "could not be checked: govulncheck cannot be installed here"},
		{"none", "1", "", 0, "OFFLINE=1: vulnerabilities were NOT CHECKED"},
	} {
		cmd := exec.Command("bash", script, "checker@v1")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GO="+filepath.Join(dir, "go"), "CHECKER="+c.checker, "OFFLINE="+c.offline, "DATABASE="+c.database, "PATH="+dir+":"+os.Getenv("PATH"))
		said, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(said), c.says) {
			t.Errorf("a checker that ends with %s, OFFLINE=%q: exit code %d, want %d: %s", c.checker, c.offline, cmd.ProcessState.ExitCode(), c.code, said)
		}
	}
	for name := range workflows(t) {
		text, err := os.ReadFile(filepath.Join(".github/workflows", name))
		if err != nil || strings.Contains(string(text), "OFFLINE") {
			t.Errorf("%s: %v, or it sets OFFLINE", name, err)
		}
	}
}
