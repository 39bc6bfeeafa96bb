package trial

import (
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
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

// Helm installs the same objects as deploy, except for the namespace, the labels of Helm and the image.
func TestChartMeansTheSameAsDeploy(t *testing.T) {
	rendered := manifests(t, render(t, "--set", "roles.reader.create=true,roles.drainer.create=true"))
	for name, o := range rendered {
		labels := at(o, "metadata", "labels").(map[string]any)
		for label := range labels {
			if strings.HasPrefix(label, "app.kubernetes.io/") || strings.HasPrefix(label, "helm.sh/") {
				delete(labels, label)
			}
		}
		if len(labels) == 0 {
			delete(at(o, "metadata").(map[string]any), "labels")
		}
		if strings.HasPrefix(name, "DaemonSet/") {
			container := at(o, "spec", "template", "spec", "containers").([]any)[0].(map[string]any)
			if !strings.HasPrefix(container["image"].(string), "ghcr.io/nodetriage/nodetriage-agent:") {
				t.Errorf("%s has the image %v", name, container["image"])
			}
			container["image"] = "nodetriage-agent:latest"
			delete(container, "imagePullPolicy")
		}
	}
	for _, file := range []string{"deploy/agent.yaml", "deploy/drain.yaml"} {
		text, err := os.ReadFile(repository + file)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range manifests(t, string(text)) {
			if have := rendered[name]; !strings.HasPrefix(name, "Namespace/") && !reflect.DeepEqual(have, want) {
				t.Errorf("%s of %s is\n%v\nHelm makes\n%v", name, file, want, have)
			}
			delete(rendered, name)
		}
	}
	for name := range rendered {
		t.Errorf("Helm makes %s, which deploy does not have", name)
	}
}

// switches are all values of the chart, with their effect.
var switches = map[string]struct{ json, has, lacks string }{
	"agent.enabled":           {`false`, "", "DaemonSet"},
	"agent.image.repository":  {`"r.example.com/a"`, `image: "r.example.com/a:`, ""},
	"agent.image.tag":         {`"t1"`, `nodetriage-agent:t1"`, ""},
	"agent.image.digest":      {`"sha256:` + strings.Repeat("a", 64) + `"`, "nodetriage-agent@sha256:aaa", ""},
	"agent.image.pullPolicy":  {`"Never"`, "imagePullPolicy: Never", ""},
	"agent.imagePullSecrets":  {`[{"name":"s1"}]`, "imagePullSecrets:\n        - name: s1", ""},
	"agent.every":             {`"30s"`, "- -every=30s", ""},
	"agent.since":             {`"2h"`, "- -since=2h", ""},
	"agent.netAdmin":          {`true`, "- NET_ADMIN", ""},
	"agent.ptrace":            {`true`, "- SYS_PTRACE", ""},
	"agent.readAll":           {`true`, "- DAC_READ_SEARCH", ""},
	"agent.priorityClassName": {`""`, "", "priorityClassName"},
	"agent.maxUnavailable":    {`3`, "maxUnavailable: 3", ""},
	"agent.resources":         {`{"limits":{"memory":"80Mi"}}`, "memory: 80Mi", ""},
	"agent.tolerations":       {`null`, "", "tolerations"},
	"agent.nodeSelector":      {`{"a":"b"}`, "nodeSelector:\n        a: b", ""},
	"agent.affinity":          {`{"nodeAffinity":{}}`, "affinity:\n        nodeAffinity: {}", ""},
	"agent.podLabels":         {`{"team":"t"}`, "team: t", ""},
	"agent.podAnnotations":    {`{"note":"v"}`, "annotations:\n        note: v", ""},
	"roles.reader.create":     {`true`, "name: nodetriage-reader", "nodetriage-drainer"},
	"roles.reader.nodesProxy": {`false`, "", "nodes/proxy"},
	"roles.reader.subjects":   {`[{"kind":"User","name":"u"}]`, "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: nodetriage-reader}\nsubjects:\n  - kind: User\n    name: u", ""},
	"roles.drainer.create":    {`true`, "name: nodetriage-drainer", "nodetriage-reader"},
	"roles.drainer.subjects":  {`[{"kind":"User","name":"u"}]`, "name: nodetriage-drainer}\nsubjects:\n  - kind: User\n    name: u", ""},
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
	for _, name := range leaves(schema, "") {
		s, ok := switches[name]
		if !ok && name != "global" {
			t.Errorf("the switch %s is not tried", name)
		}
		if !ok {
			continue
		}
		// A value of a role has an effect only if the role is created.
		var before []string
		if role, part, _ := strings.Cut(strings.TrimPrefix(name, "roles."), "."); strings.HasPrefix(name, "roles.") && part != "create" {
			before = []string{"--set", "roles." + role + ".create=true"}
		}
		without, with := render(t, before...), render(t, append(before, "--set-json", name+"="+s.json)...)
		manifests(t, with)
		if without == with || !strings.Contains(with, s.has) || s.lacks != "" && strings.Contains(with, s.lacks) {
			t.Errorf("%s=%s makes\n%s\nwant %q, and not %q", name, s.json, with, s.has, s.lacks)
		}
	}
	for _, wrong := range []string{"agent.evry=10s", "agent.every=soon", "agent.image.pullPolicy=Sometimes", "agent.image.digest=sha256:1"} {
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
