package paste

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
)

// TestTexts reads each case of testdata. The files of an archive are texts, read in order. "at" is the time of the evidence if it
// is known. "want" is the expected evidence.
func TestTexts(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		var data evidence.Data
		templates := evidence.NewTemplates()
		for _, f := range c.Files("want") {
			var err error
			if f.Name == "at" {
				if data.TakenAt, err = time.Parse(time.RFC3339, c.Text("at")); err != nil {
					t.Fatal(err)
				}
				continue
			}
			text, err := Parse(f.Name, bytes.NewReader(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			text.AddTo(&data, templates)
		}
		c.Want(t, "want", string(shown(t, &data)))
	})
}

// TestQuickLookHidesNothing checks that dismissing lines by their first bytes does not change the result of any case.
func TestQuickLookHidesNothing(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, f := range casetest.Open(t, file).Files("want", "at") {
			quick, err := Parse(f.Name, bytes.NewReader(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			p := newPage(f.Name)
			for i, text := range strings.Split(strings.TrimSuffix(string(f.Data), "\n"), "\n") {
				p.no = i + 1
				p.line(line{no: p.no, text: clean([]byte(text))})
			}
			p.end()
			var a, b evidence.Data
			quick.AddTo(&a, evidence.NewTemplates())
			p.text.AddTo(&b, evidence.NewTemplates())
			if a, b := shown(t, &a), shown(t, &b); !bytes.Equal(a, b) {
				t.Errorf("%s, %s: with the quick look\n%s\nwithout\n%s", file, f.Name, a, b)
			}
		}
	}
}

// shown returns the evidence as JSON, one object per line, without empty fields. References are shortened to their positions.
func shown(t *testing.T, data *evidence.Data) []byte {
	t.Helper()
	raw, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	write := func(prefix string, v any) {
		out.WriteString(prefix)
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		list, ok := fields[name].([]any)
		if !ok {
			if v := pruned(name, fields[name]); v != nil {
				write(name+": ", v)
			}
			continue
		}
		out.WriteString(name + ":\n")
		for _, v := range list {
			write("  ", pruned("", v))
		}
	}
	return out.Bytes()
}

func pruned(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if key == "ref" && v["locator"] != nil {
			return fmt.Sprint(v["source"], " ", v["locator"])
		}
		if key == "daemonEndpoints" {
			return nil
		}
		for k, e := range v {
			if e = pruned(k, e); e == nil || e == "" && key != "labels" {
				delete(v, k)
			} else {
				v[k] = e
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = pruned("", v[i])
		}
	}
	return v
}
