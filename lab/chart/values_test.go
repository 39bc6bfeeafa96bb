//go:build unix

package chart_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/lab"
)

// change is another value of the chart than the default, with its effect.
type change struct {
	With       []string
	Value      any
	Has, Lacks string
}

// changes returns one change of each value. make trial checks that no value is left out.
func changes(t *testing.T) map[string]change {
	t.Helper()
	text, err := os.ReadFile("../../hack/release/trial/testdata/switches.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]change
	if err := yaml.UnmarshalStrict(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The API server accepts each value: Helm upgrades the release to it. The removal leaves what NOTES says.
func TestEveryValue(t *testing.T) {
	w := newWorld(t, lab.Options{Still: true})
	w.addPrometheusOperator(t)
	w.install(t, chart)
	w.do(t, "uninstall", "nodetriage", "--wait") // the namespace, the definition, and the lists of the API stay
	before := w.objects(t)
	all := changes(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		value, err := json.Marshal(c.Value)
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"--set-json", name + "=" + string(value)}
		for _, needed := range c.With {
			args = append(args, "--set", needed)
		}
		w.install(t, chart, args...)
		if has := w.do(t, "get", "manifest", "nodetriage"); !strings.Contains(has, c.Has) || c.Lacks != "" && strings.Contains(has, c.Lacks) {
			t.Errorf("%s=%s installs\n%s\nwant %q, and not %q", name, value, has, c.Has, c.Lacks)
		}
	}
	w.install(t, chart, "--set", everything)
	notes := w.do(t, "get", "notes", "nodetriage")
	w.do(t, "uninstall", "nodetriage", "--wait")
	var left []string
	w.until(t, "the release is gone", func() bool {
		left = added(before, w.objects(t))
		return len(left) == 0
	})
	for _, text := range []string{"kubectl delete crd nodediagnoses.triage.nodetriage.dev", "lease nodetriage-controller", "/var/log/nodetriage"} {
		if !strings.Contains(notes, text) {
			t.Errorf("NOTES does not say %q:\n%s", text, notes)
		}
	}
	if _, err := w.dynamic.Resource(definitions).Get(t.Context(), "nodediagnoses.triage.nodetriage.dev", metav1.GetOptions{}); err != nil {
		t.Errorf("the definition is not kept: %v", err)
	}
}

// everything are the values that switch everything on.
const everything = "controller.askKubelets=true,controller.nodeCondition=true,veto.enabled=true,alertWebhook.enabled=true,alertWebhook.secretName=nodetriage-alert-webhook,upgradeGate.enabled=true,serviceMonitor.enabled=true,prometheusRule.enabled=true," +
	"check.enabled=true,roles.reader.create=true,roles.drainer.create=true,roles.metricsReader.create=true"

// The kustomization of deploy with all components builds the same objects as the chart with everything switched on.
func TestKustomization(t *testing.T) {
	kubectl, err := lab.BuildKubectl(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	deploy, err := os.MkdirTemp("../..", "kustomization-") // a kustomization has relative names, and must not be inside of its resources
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(deploy) })
	components := []string{"ask-kubelets", "node-condition", "veto", "upgrade-gate", "upgrade-gate-alerts", "check", "monitoring", "metrics-reader", "alert-webhook"}
	text := "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../deploy]\ncomponents: [../deploy/options/" + strings.Join(components, ", ../deploy/options/") + "]\n"
	if err := os.WriteFile(deploy+"/kustomization.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	built := objectsOf(t, output(t, kubectl, "kustomize", deploy))
	rendered := objectsOf(t, output(t, buildHelm(t), "template", "nodetriage", chart, "-n", namespace, "--set", everything+",crds.keep=false"))
	delete(built, "Namespace/nodetriage")
	for _, name := range []string{"ClusterRole/nodetriage-reader", "ClusterRole/nodetriage-drainer"} {
		delete(rendered, name) // deploy/drain.yaml
	}
	if b, r := slices.Sorted(maps.Keys(built)), slices.Sorted(maps.Keys(rendered)); !slices.Equal(b, r) {
		t.Fatalf("kustomize builds\n%q\nHelm renders\n%q", b, r)
	}
	for name, want := range rendered {
		if have := built[name]; !reflect.DeepEqual(have, want) {
			t.Errorf("%s: kustomize builds\n%v\nHelm renders\n%v", name, have, want)
		}
	}
}

func output(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v", program, strings.Join(args, " "), err)
	}
	return string(out)
}

// objectsOf returns the objects of a manifest by kind and name, without what Helm and kustomize do differently on purpose: labels of Helm,
// and the version and pull policy of images.
func objectsOf(t *testing.T, manifest string) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for doc := range strings.SplitSeq(manifest, "\n---\n") {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(doc), &o.Object); err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		if o.Object == nil {
			continue
		}
		labels := o.GetLabels()
		maps.DeleteFunc(labels, func(k, _ string) bool {
			return strings.HasPrefix(k, "helm.sh/") || strings.HasPrefix(k, "app.kubernetes.io/")
		})
		o.SetLabels(labels)
		if len(labels) == 0 {
			unstructured.RemoveNestedField(o.Object, "metadata", "labels")
		}
		unversioned(o.Object)
		out[o.GetKind()+"/"+o.GetName()] = o.Object
	}
	return out
}

// unversioned removes versions and pull policies of images.
func unversioned(v any) {
	switch v := v.(type) {
	case map[string]any:
		if image, is := v["image"].(string); is {
			name, _, _ := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
			v["image"] = name
			delete(v, "imagePullPolicy")
		}
		for _, x := range v {
			unversioned(x)
		}
	case []any:
		for _, x := range v {
			unversioned(x)
		}
	}
}
