package trial

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const repository = "../../../"

// manifests returns the objects of a text, by kind and name.
func manifests(t *testing.T, text string) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for _, part := range regexp.MustCompile(`(?m)^---$`).Split(text, -1) {
		var o map[string]any
		if err := yaml.UnmarshalStrict([]byte(part), &o); err != nil {
			t.Fatalf("%v\n%s", err, part)
		}
		if o != nil {
			out[o["kind"].(string)+"/"+at(o, "metadata", "name").(string)] = o
		}
	}
	return out
}

// at returns the value at a path of an object.
func at(of any, path ...string) any {
	for _, name := range path {
		of = of.(map[string]any)[name]
	}
	return of
}

func render(t *testing.T, args ...string) string {
	t.Helper()
	return does(t, exec.Command(tool(t, helm), append([]string{"template", "x", made(t, "nodetriage-[0-9]*.tgz"), "-n", "nodetriage"}, args...)...))
}

func TestChartIsLinted(t *testing.T) {
	does(t, exec.Command(tool(t, helm), "lint", "--strict", made(t, "nodetriage-[0-9]*.tgz")))
}

// change is another value of the chart than the default, with its effect.
type change struct {
	With       []string
	Value      any
	Has, Lacks string
}

// changes returns one change of each value.
func changes(t *testing.T) map[string]change {
	t.Helper()
	text, err := os.ReadFile("testdata/switches.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]change
	if err := yaml.UnmarshalStrict(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Every value has its effect, and changes the default output.
func TestChartSwitches(t *testing.T) {
	made(t, "checksums.txt")
	text, err := os.ReadFile(repository + "charts/nodetriage/values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	all := changes(t)
	for _, name := range leaves(schema, "") {
		c, ok := all[name]
		if !ok && name != "global" {
			t.Errorf("the switch %s is not tried", name)
		}
		if !ok {
			continue
		}
		value, err := json.Marshal(c.Value)
		if err != nil {
			t.Fatal(err)
		}
		var before []string
		for _, needed := range c.With {
			before = append(before, "--set", needed)
		}
		without, with := render(t, before...), render(t, append(before, "--set-json", name+"="+string(value))...)
		manifests(t, with)
		if without == with || !strings.Contains(with, c.Has) || c.Lacks != "" && strings.Contains(with, c.Lacks) {
			t.Errorf("%s=%s makes\n%s\nwant %q, and not %q", name, value, with, c.Has, c.Lacks)
		}
	}
	if gate := render(t, "--set", "prometheusRule.enabled=true,upgradeGate.enabled=true"); !strings.Contains(gate, "UpgradeGateLate") {
		t.Error("with the upgrade gate its alert is missing")
	}
	for _, wrong := range []string{"agent.evry=10s", "agent.every=soon", "agent.image.pullPolicy=Sometimes", "agent.image.digest=sha256:1", "controller.replicas=0", "upgradeGate.onDeadline=wait"} {
		cmd := exec.Command(tool(t, helm), "template", "x", made(t, "nodetriage-[0-9]*.tgz"), "--set", wrong)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "schema") {
			t.Errorf("%s: %v\n%s", wrong, err, out)
		}
	}
}

// leaves returns the names of all values of a schema.
func leaves(schema map[string]any, prefix string) []string {
	properties, _ := schema["properties"].(map[string]any)
	if properties == nil {
		return []string{prefix}
	}
	var out []string
	for name, p := range properties {
		out = append(out, leaves(p.(map[string]any), strings.TrimPrefix(prefix+"."+name, "."))...)
	}
	return out
}

// A registry accepts the chart, and Helm gets the same chart from it.
func TestChartFromRegistry(t *testing.T) {
	packed := made(t, "nodetriage-[0-9]*.tgz")
	address := startRegistry(t)
	version := strings.TrimSuffix(packed[strings.LastIndex(packed, "nodetriage-")+len("nodetriage-"):], ".tgz")
	does(t, exec.Command(tool(t, crane), "push", "--insecure", unpack(t, made(t, "nodetriage-chart_*_oci.tar")), address+"/charts/nodetriage:"+version))
	dir := t.TempDir()
	does(t, exec.Command(tool(t, helm), "pull", "oci://"+address+"/charts/nodetriage", "--plain-http", "--version", version, "-d", dir))
	have, err := os.ReadFile(dir + "/nodetriage-" + version + ".tgz")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != string(want) {
		t.Error("Helm got another chart than the one that was packed")
	}
}
