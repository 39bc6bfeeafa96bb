package bounds_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

// A quantity has the value that Kubernetes documents, in any format.
func TestQuantity(t *testing.T) {
	zeros, nines, thirds := strings.Repeat("0", 5000), strings.Repeat("9", 5000), strings.Repeat("3", 5000)
	for text, want := range map[string]string{
		"1": "1", "250m": "250m", "16Gi": "16Gi", "1e3": "1e3", "1E": "1E", "": "", "abc": "abc", // unchanged
		"1e-2147483648": "1n", "1e-99999999": "1n", "-1e-2147483648": "-1n", "0e-2147483648": "0", "0.0e999": "0",
		"1e2147483647": "9e18", "1E2147483647": "9e18", "-1e+2147483647": "-9e18", "1e99999999999999999999": "9e18", ".5e999": "9e18",
		"1e007": "1e7", "12e016": "1.2e17", "12.5e0003": "1.25e4", "5e-003": "5e-3",
		zeros + "5": "5", zeros + "5Gi": "5Gi", "0." + zeros + "1": "1n", "0." + zeros + "1Gi": "1n", nines: "9e18", nines + "Gi": "9e18", nines + "m": "9e18",
		"0." + thirds: "0.333333333333333333", "1." + thirds + "Gi": "1.333333333333Gi", "0." + zeros + "1e5001": "1e0",
		"1" + zeros + "e-5000": "1.00000000000000000e0", "5" + zeros + "e-2147483648": "1n",
	} {
		if got := bounds.Quantity(text); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{nines + "x", zeros + "..", "1e" + nines + "x", strings.Repeat("x", 5000), "--1e999", "e999", ".e999"} {
		if q, err := quantity.Parse(text); err == nil {
			t.Errorf("%.40q is a quantity: %v", text, q)
		}
	}
}

// Within bounds only the format changes.
func TestQuantitySameValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		number := func() string {
			digits := make([]byte, 1+r.IntN(5))
			for i := range digits {
				digits[i] = byte('0' + r.IntN(10))
			}
			return string(digits)
		}
		text := number()
		if r.IntN(2) == 0 {
			text += "." + number()
		}
		long := strings.Repeat("0", 70*r.IntN(2)) + text
		suffix := []string{"", "m", "k", "Ki", "Gi", "u", "e1", "e-1", "e+003", "e0002", "e-002", "E004"}[r.IntN(12)]
		plain := resource.MustParse(text + suffix)
		if got, err := quantity.Parse(long + suffix); err != nil || got.Cmp(plain) != 0 {
			t.Fatalf("%s%s: %v %v, want %v", long, suffix, got.String(), err, plain.String())
		}
	}
}

const hugePod = `{"metadata":{"name":"p","labels":{"commit":"12e45678","zip":"1e999"}},"spec":{"containers":[null,{"name":"c","resources":{"requests":{"cpu":"1e-2147483648","memory":1e2147483647}}}],
	"overhead":{"cpu":"1e-99999999"},"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1e2147483647"}}]}}`

// Only quantities change: a label that looks like one stays.
func TestJSONQuantities(t *testing.T) {
	var pod corev1.Pod
	if err := bounds.JSON([]byte(hugePod), &pod); err != nil {
		t.Fatal(err)
	}
	c := pod.Spec.Containers[1].Resources.Requests
	if got := c.Cpu().String() + " " + c.Memory().String() + " " + pod.Spec.Overhead.Cpu().String() + " " + pod.Spec.Volumes[0].EmptyDir.SizeLimit.String(); got != "1n 9e18 1n 9e18" {
		t.Error(got)
	}
	if pod.Labels["commit"] != "12e45678" || pod.Labels["zip"] != "1e999" {
		t.Error(pod.Labels)
	}
}

func TestProtobufQuantities(t *testing.T) {
	pod := corev1.Pod{}
	pod.Labels = map[string]string{"commit": "12e45678"}
	pod.Spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "12e456"}}
	const stand = "123456789012k" // as long as its replacement
	pod.Spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse(stand)}}}}
	size := resource.MustParse(stand)
	pod.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &size}}}}
	raw, err := pod.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for huge, want := range map[string]string{"1e-2147483648": "1n", "1e+2147483647": "9e18", "0.1e-00000001": "10m"} {
		body := []byte(strings.ReplaceAll(string(raw), stand, huge))
		var got corev1.Pod
		if err := bounds.Protobuf(body, &got); err != nil {
			t.Fatal(err)
		}
		if err := got.Unmarshal(body); err != nil {
			t.Fatal(err)
		}
		cpu, limit := got.Spec.Containers[0].Resources.Requests["cpu"], got.Spec.Volumes[0].EmptyDir.SizeLimit
		if cpu.Cmp(resource.MustParse(want)) != 0 || limit.Cmp(resource.MustParse(want)) != 0 {
			t.Errorf("%s: %v %v, want %s", huge, cpu.String(), limit, want)
		}
		if got.Labels["commit"] != "12e45678" || got.Spec.ImagePullSecrets[0].Name != "12e456" {
			t.Errorf("%v %v", got.Labels, got.Spec.ImagePullSecrets)
		}
	}
}

type tree struct {
	Name  string           `json:"name"`
	Nodes []*tree          `json:"nodes"`
	By    map[string]*tree `json:"by"`
	Plain []struct {
		Inner []*tree `json:"inner"`
	} `json:"plain"`
	Maybe *tree `json:"maybe"`
}

func TestNullsAreDropped(t *testing.T) {
	var got tree
	err := bounds.JSON([]byte(`{"nodes":[null,{"name":"a","nodes":[null,null]},null,{"name":"b"}],"by":{"x":null,"y":{"nodes":[null]}},"plain":[{"inner":[null]}],"maybe":{"nodes":[null]}}`), &got)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(got)
	if strings.Contains(strings.ReplaceAll(string(text), `:null`, ""), "null") || len(got.Nodes) != 2 || got.Nodes[1].Name != "b" || len(got.By) != 1 {
		t.Errorf("%s", text)
	}
}

// The shortest elements become structs of a kilobyte.
func TestElements(t *testing.T) {
	many := func(n int) string {
		return `{"metadata":{"name":"[{,","labels":{"a":"\\","b":"{","c":"["}},"spec":{"containers":[` + strings.Repeat("{},", n/2) + `{}]}}`
	}
	var pod corev1.Pod
	if err := bounds.JSON([]byte(many(bounds.MaxElements-100)), &pod); err != nil || len(pod.Spec.Containers) != bounds.MaxElements/2-49 {
		t.Errorf("%d containers: %v", len(pod.Spec.Containers), err)
	}
	for name, doc := range map[string]string{
		"objects": many(bounds.MaxElements), "nulls": `{"spec":{"containers":[` + strings.Repeat("null,", bounds.MaxElements) + `{}]}}`,
		"numbers": `{"spec":{"containers":[` + strings.Repeat("1,", bounds.MaxElements) + `1]}}`, "unfinished": strings.Repeat("[", bounds.MaxElements+1),
	} {
		if err := bounds.JSON([]byte(doc), &pod); !errors.Is(err, bounds.ErrElements) {
			t.Errorf("%s: %v", name, err)
		}
	}
	message := strings.Repeat("\x12\x00", bounds.MaxElements+1)
	if err := bounds.Protobuf([]byte(message), &pod); !errors.Is(err, bounds.ErrElements) {
		t.Errorf("protobuf: %v", err)
	}
}

func TestYAMLAliases(t *testing.T) {
	laughs := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 12; i++ {
		a := string(rune('a'+i)) + "0"
		before := string(rune('a'+i-1)) + "0"
		laughs += a + ": &" + a + " [" + strings.Repeat("*"+before+",", 10) + "]\n"
	}
	text := "text: &t " + strings.Repeat("x", 1<<20) + "\nlist: [" + strings.Repeat("*t,", 20) + "]\n"
	for name, doc := range map[string]string{"lists": laughs, "one long text": text} {
		if _, err := bounds.YAMLToJSON([]byte(doc)); !errors.Is(err, bounds.ErrAliases) {
			t.Errorf("%s: %v", name, err)
		}
		var into map[string]any
		if err := bounds.YAMLStrict([]byte(doc), &into); !errors.Is(err, bounds.ErrAliases) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := bounds.YAMLToJSON([]byte("a: &a [*a]")); err == nil {
		t.Error("an anchor that contains itself is accepted")
	}
	usual := "base: &base {cpu: 1, memory: 2}\nweb:\n  <<: *base\n  cpu: 3\nglob: '*.log & more'\n"
	if got, err := bounds.YAMLToJSON([]byte(usual)); err != nil || !strings.Contains(string(got), `"web":{"cpu":3,"memory":2}`) {
		t.Errorf("%s %v", got, err)
	}
}

// A clamped document decodes fast, and an unchanged one decodes as before.
func FuzzJSON(f *testing.F) {
	f.Add(hugePod)
	f.Add(`{"spec":{"containers":[{"resources":{"limits":{"cpu":"1e9999"}}}]}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		var pod corev1.Pod
		_ = bounds.JSON([]byte(doc), &pod)
		for _, c := range pod.Spec.Containers {
			for _, q := range c.Resources.Requests {
				_ = q.Value()
				q.Add(resource.MustParse("1"))
			}
		}
	})
}

func FuzzQuantity(f *testing.F) {
	for _, s := range []string{"1e-2147483648", "1e2147483647", "0.1Gi", "-5m", "1E9999", "1e+99"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fit := bounds.Quantity(s)
		if len(fit) > len(s)+1 {
			t.Errorf("%q became longer: %q", s, fit)
		}
		q, err := quantity.Parse(s)
		if err == nil {
			_, _ = q.Value(), q.String()
			if q.Cmp(resource.MustParse("1")) > 0 {
				q.Sub(resource.MustParse("1m"))
			}
		}
	})
}

func FuzzProtobuf(f *testing.F) {
	var pod corev1.Pod
	if err := json.Unmarshal([]byte(`{"metadata":{"name":"p"},"spec":{"containers":[{"resources":{"requests":{"cpu":"250m"}}}]}}`), &pod); err != nil {
		f.Fatal(err)
	}
	raw, _ := pod.Marshal()
	f.Add(raw)
	f.Fuzz(func(_ *testing.T, raw []byte) {
		var pod corev1.Pod
		_ = bounds.Protobuf(raw, &pod)
		_ = pod.Unmarshal(raw)
	})
}

func FuzzYAML(f *testing.F) {
	f.Add("a: &a [1]\nb: *a\n")
	f.Add("<<: &x {a: 1}\nb: {<<: *x}")
	f.Fuzz(func(t *testing.T, doc string) {
		out, err := bounds.YAMLToJSON([]byte(doc))
		if err == nil && len(out) > 4*bounds.MaxExpanded+10*len(doc) {
			t.Errorf("%d bytes become %d", len(doc), len(out))
		}
	})
}

// Every object in the evidence passes this.
func BenchmarkJSON(b *testing.B) {
	pod := []byte(`{"metadata":{"name":"web-7d9f8c6b5-x2k4q","namespace":"shop","uid":"8e6b3c2a-1e22-4e55-9c11-5e1234567890"},"spec":{"containers":[{"name":"c","image":"registry.example/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","resources":{"requests":{"cpu":"250m","memory":"1Gi"}}}]}}`)
	for name, decode := range map[string]func([]byte, any) error{"bounds": bounds.JSON, "plain": json.Unmarshal} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var p corev1.Pod
				if err := decode(pod, &p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
