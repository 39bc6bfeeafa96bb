//go:build linux && !race

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// hostileFile is one file, or a folder of files where it has parts.
type hostileFile struct {
	name   string
	data   []byte
	many   map[string][]byte // path in a folder -> content
	stream func(io.Writer)   // writes what is large
}

func (in hostileFile) write(t *testing.T, path string) {
	t.Helper()
	if in.stream != nil {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriterSize(f, 1<<20)
		in.stream(w)
		if err := errors.Join(w.Flush(), f.Close()); err != nil {
			t.Fatal(err)
		}
		return
	}
	files := map[string][]byte{path: in.data}
	if in.many != nil {
		files = map[string][]byte{}
		for name, data := range in.many {
			files[filepath.Join(path, name)] = data
		}
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hostileFiles are valid documents, each with each mutation, and archives and YAML that no mutation creates.
func hostileFiles(t *testing.T) (out []hostileFile) {
	trees := hostileTrees(t)
	for _, name := range sortedKeys(trees) {
		for _, m := range treeMutations {
			in := hostileFile{name: name + "-" + m.name + ".json"}
			changed := m.change(rand.New(rand.NewPCG(seedOf(in.name), 1)), clone(t, trees[name]))
			data, err := json.Marshal(changed)
			if err != nil {
				t.Fatal(in.name, err)
			}
			in.data = data
			if seedOf(in.name)%4 == 0 { // every fourth as YAML
				if converted, err := yaml.JSONToYAML(data); err == nil {
					in.name, in.data = strings.TrimSuffix(in.name, ".json")+".yaml", converted
				}
			}
			out = append(out, in)
		}
	}
	texts := hostileTexts(t, trees)
	for _, name := range sortedKeys(texts) {
		for _, m := range textMutations {
			in := hostileFile{name: m.name + "-" + name}
			in.data = m.change(rand.New(rand.NewPCG(seedOf(in.name), 2)), []byte(texts[name]))
			out = append(out, in)
		}
	}
	out = slices.Concat(out, hostileArchives(t), hostileYAML(), hostileStreams())
	slices.SortFunc(out, inputsByName)
	return out
}

func sortedKeys[T any](m map[string]T) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func clone(t *testing.T, tree any) any {
	t.Helper()
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// hostileTrees are valid documents of all kinds.
func hostileTrees(t *testing.T) map[string]any {
	files, err := filepath.Glob("testdata/hostile/*.json")
	if err != nil || len(files) < 8 {
		t.Fatal(err, files)
	}
	out := map[string]any{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(file, err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".json")] = tree
	}
	return out
}

// hostileTexts are pasted texts, and documents as text.
func hostileTexts(t *testing.T, trees map[string]any) map[string]string {
	out := map[string]string{}
	files, err := filepath.Glob("testdata/hostile/*.txt")
	if err != nil || len(files) < 4 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = string(data)
	}
	for _, name := range []string{"cluster", "report", "activities"} {
		data, err := json.MarshalIndent(trees[name], "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		out[name+".json"] = string(data)
	}
	return out
}

type treeMutation struct {
	name   string
	change func(*rand.Rand, any) any
}

// leaves replaces every string and number by the result of of.
func leaves(of func(r *rand.Rand, key string, leaf any) any) func(*rand.Rand, any) any {
	return func(r *rand.Rand, tree any) any { return eachLeaf(r, "", tree, of) }
}

func eachLeaf(r *rand.Rand, key string, tree any, of func(*rand.Rand, string, any) any) any {
	switch v := tree.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			v[k] = eachLeaf(r, k, v[k], of)
		}
		return v
	case []any:
		for i := range v {
			v[i] = eachLeaf(r, key, v[i], of)
		}
		return v
	}
	if key == "kind" || key == "apiVersion" { // without them it is another document
		return tree
	}
	return of(r, key, tree)
}

// eachList changes every list, the innermost first.
func eachList(of func(r *rand.Rand, list []any) any) func(*rand.Rand, any) any {
	var walk func(r *rand.Rand, tree any) any
	walk = func(r *rand.Rand, tree any) any {
		switch v := tree.(type) {
		case map[string]any:
			for _, k := range sortedKeys(v) {
				v[k] = walk(r, v[k])
			}
		case []any:
			for i := range v {
				v[i] = walk(r, v[i])
			}
			return of(r, v)
		}
		return tree
	}
	return walk
}

// some replaces one value in ten by the result of of.
func some(of func(r *rand.Rand, value any) any) func(*rand.Rand, any) any {
	var walk func(r *rand.Rand, tree any, depth int) any
	walk = func(r *rand.Rand, tree any, depth int) any {
		if depth > 2 && r.IntN(10) == 0 {
			return of(r, tree)
		}
		switch v := tree.(type) {
		case map[string]any:
			for _, k := range sortedKeys(v) {
				v[k] = walk(r, v[k], depth+1)
			}
		case []any:
			for i := range v {
				v[i] = walk(r, v[i], depth+1)
			}
		}
		return tree
	}
	return func(r *rand.Rand, tree any) any { return walk(r, tree, 0) }
}

func pickOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func isQuantity(leaf any) bool {
	s, ok := leaf.(string)
	return ok && s != "" && s[0] >= '0' && s[0] <= '9' && !strings.ContainsAny(s, ":T-/") && len(s) < 20
}

var treeMutations = []treeMutation{
	{"null-first", eachList(func(_ *rand.Rand, l []any) any { return append([]any{nil}, l...) })},
	{"null-all", eachList(func(_ *rand.Rand, l []any) any { return slices.Repeat([]any{nil}, len(l)) })},
	{"null-between", eachList(func(r *rand.Rand, l []any) any { return slices.Insert(l, r.IntN(len(l)+1), nil, nil) })},
	{"null-leaves", leaves(func(*rand.Rand, string, any) any { return nil })},
	{"null-some", some(func(*rand.Rand, any) any { return nil })},
	{"null-some-2", some(func(*rand.Rand, any) any { return nil })},
	{"empty-lists", eachList(func(*rand.Rand, []any) any { return []any{} })},
	{"empty-objects", eachList(func(*rand.Rand, []any) any { return []any{map[string]any{}, []any{}, ""} })},
	{"empty-strings", leaves(func(_ *rand.Rand, _ string, v any) any { return blank(v) })},
	{"objects-for-anything", some(func(r *rand.Rand, _ any) any {
		return pickOf[any](r, map[string]any{"a": nil}, []any{nil}, "x", 1e300, -1, true, map[string]any{})
	})},
	{"lists-for-anything", some(func(*rand.Rand, any) any { return []any{[]any{nil}, map[string]any{"name": nil}} })},
	{"quantities-tiny", leaves(func(r *rand.Rand, _ string, v any) any {
		if isQuantity(v) {
			return pickOf(r, "1e-2147483648", "1e-99999999", "-1e-2147483648", "0."+strings.Repeat("0", 20000)+"1")
		}
		return v
	})},
	{"quantities-huge", leaves(func(r *rand.Rand, _ string, v any) any {
		if isQuantity(v) {
			return pickOf(r, "1e2147483647", "9e9999999999", "-1E2147483647", strings.Repeat("9", 20000), strings.Repeat("9", 20000)+"Ei", "1e99", "-9223372036854775808")
		}
		return v
	})},
	{"numbers", leaves(func(r *rand.Rand, _ string, v any) any {
		if _, ok := v.(float64); ok {
			return pickOf[any](r, json.Number("9223372036854775807"), json.Number("-9223372036854775808"), json.Number("2147483647"), -1, 0, json.Number("1e2147483647"), "50%", "-99999999999999999999%")
		}
		return v
	})},
	{"percents", leaves(func(r *rand.Rand, _ string, v any) any {
		if _, ok := v.(float64); ok {
			return pickOf(r, "-1%", "99999999999999999999%", "%", "1e9%", "NaN%")
		}
		return v
	})},
	{"times", leaves(func(r *rand.Rand, _ string, v any) any {
		if isTime(v) {
			return pickOf(r, "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "292277026596-12-04T15:30:08Z", "-0001-01-01T00:00:00Z", "2026-02-31T25:61:61Z", "1", "1677-09-21T00:12:43Z", "2262-04-12T00:00:00Z")
		}
		return v
	})},
	{"times-at-once", leaves(func(r *rand.Rand, _ string, v any) any {
		if isTime(v) {
			return pickOf(r, "0001-01-01T00:00:01Z", "9999-12-31T23:59:59.999999999Z")
		}
		return v
	})},
	{"long", some(func(r *rand.Rand, v any) any {
		return lengthened(v, strings.Repeat(pickOf(r, "x", "é", `\"`, "a=b,"), 200_000))
	})},
	{"controls", leaves(func(r *rand.Rand, _ string, v any) any {
		return lengthened(v, pickOf(r, "\x1b[31m\x1b]0;t\x07", "\x00\x01\x7f", "\u202e\u2066", "\u0085\u009b2J", "\r\r\n\f\v", "\x1b]8;;http://a\x1b\\x"))
	})},
	{"markup", leaves(func(r *rand.Rand, _ string, v any) any {
		return lengthened(v, pickOf(r, `"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, "](javascript:alert(1))", "`|<!--", "</style></title><script>alert(2)</script>"))
	})},
	{"shell", leaves(func(r *rand.Rand, _ string, v any) any {
		return lengthened(v, pickOf(r, "$(touch "+executed+")", "; touch "+executed+" #", "`touch "+executed+"`", "' ; touch "+executed+" ; '", "--kubeconfig=/x"))
	})},
	{"repeated", eachList(func(_ *rand.Rand, l []any) any { return slices.Repeat(l, min(3, 1+60/(len(l)+1))) })},
	{"owners-in-a-circle", some(func(_ *rand.Rand, v any) any {
		if m, ok := v.(map[string]any); ok {
			m["ownerReferences"] = []any{map[string]any{"kind": "ReplicaSet", "name": "web-1", "uid": "u-web-1", "controller": true, "apiVersion": "apps/v1"}}
		}
		return v
	})},
	{"same-names", leaves(func(_ *rand.Rand, key string, v any) any {
		if key == "name" || key == "uid" || key == "id" {
			return lengthened(v, "")[:min(1, len(fmt.Sprint(v)))]
		}
		return v
	})},
}

func blank(v any) any {
	if _, ok := v.(string); ok {
		return ""
	}
	return v
}

func isTime(v any) bool {
	s, ok := v.(string)
	return ok && len(s) > 18 && s[4] == '-' && s[10] == 'T'
}

func lengthened(v any, with string) string {
	if v == nil {
		return with
	}
	if s, ok := v.(string); ok {
		return s + with
	}
	return with
}

// deep nests a value.
func deep(open, closing string, levels int) string {
	return strings.Repeat(open, levels) + "0" + strings.Repeat(closing, levels)
}

type textMutation struct {
	name   string
	change func(*rand.Rand, []byte) []byte
}

var textMutations = []textMutation{
	{"cut-off", func(r *rand.Rand, s []byte) []byte { return s[:r.IntN(len(s))] }},
	{"bytes-changed", func(r *rand.Rand, s []byte) []byte {
		for range 1 + len(s)/50 {
			s[r.IntN(len(s))] = byte(r.IntN(256))
		}
		return s
	}},
	{"lines-mixed", func(r *rand.Rand, s []byte) []byte {
		l := bytes.Split(s, []byte("\n"))
		r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		return bytes.Join(l, []byte("\n"))
	}},
	{"digits-long", func(r *rand.Rand, s []byte) []byte {
		return eachDigits(s, func() string { return pickOf(r, strings.Repeat("9", 40), "0", "-1", "1e2147483647", "2147483648") })
	}},
	{"digits-tiny", func(r *rand.Rand, s []byte) []byte {
		return eachDigits(s, func() string { return pickOf(r, "1e-2147483648", "999999999999999999", "00000000") })
	}},
	{"control-lines", func(_ *rand.Rand, s []byte) []byte {
		return bytes.ReplaceAll(s, []byte(" "), []byte(" \x1b[2J\x07\x9b\u202e"))
	}},
	{"no-line-breaks", func(_ *rand.Rand, s []byte) []byte {
		return bytes.Repeat(bytes.ReplaceAll(s, []byte("\n"), nil), 100)
	}},
	{"repeated", func(_ *rand.Rand, s []byte) []byte { return bytes.Repeat(append(s, '\n'), 300) }},
	{"deep", func(_ *rand.Rand, s []byte) []byte {
		return append(s, []byte("\n"+deep("[", "]", 50_000)+deep(`{"a":`, "}", 50_000))...)
	}},
	{"utf16", func(_ *rand.Rand, s []byte) []byte {
		out := []byte{0xff, 0xfe}
		for _, c := range s {
			out = append(out, c, 0)
		}
		return out
	}},
	{"nul", func(r *rand.Rand, s []byte) []byte { return slices.Insert(s, r.IntN(len(s)), make([]byte, 3000)...) }},
	{"secrets", func(r *rand.Rand, s []byte) []byte {
		return append(s, strings.Repeat(pickOf(r, "key=", "eyJ", "-----BEGIN", "://a:b@", `"`, `\`, "token: ", `"password":"`), 50_000)...)
	}},
}

// eachDigits replaces every third number.
func eachDigits(s []byte, of func() string) []byte {
	var out []byte
	n := 0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j == i {
			out, i = append(out, s[i]), i+1
			continue
		}
		if n++; n%3 == 0 {
			out = append(out, of()...)
		} else {
			out = append(out, s[i:j]...)
		}
		i = j
	}
	return out
}
