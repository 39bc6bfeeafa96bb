package collect

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// split splits a list like the readers of documents.
func split(r io.Reader) ([]value, error) {
	v := newValues(r)
	if err := v.expect('['); err != nil {
		return nil, err
	}
	var out []value
	for {
		c, err := v.peek()
		if err != nil {
			return out, cutOff(err)
		}
		if c == ']' {
			return out, nil
		}
		x, err := v.next()
		if err != nil {
			return out, err
		}
		x.raw = bytes.Clone(x.raw)
		out = append(out, x)
		if c, err = v.peek(); err != nil {
			return out, cutOff(err)
		}
		if c == ',' {
			v.take(v.lo + 1)
		}
	}
}

func TestValuesAreThoseOfTheStandardLibrary(t *testing.T) {
	long := strings.Repeat("x", 3*windowSize)
	for _, text := range []string{
		`[]`, `[1, 2.5e3, true, null, "a"]`, `[{"kind": "Pod", "apiVersion": "v1"}, [[]], {}]`,
		`["\"", "\\", "\\\"", "{[,]}", "\u0022"]`, "[\n {\"a\": \"b\\\\\"},\n\t\"c\"\r\n]",
		`["` + long + `\\", {"kind": "` + long + `"}, "` + strings.Repeat(`\\`, windowSize) + `"]`,
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)), "with the end": iotest.DataErrReader(strings.NewReader(text))} {
			if len(text) > 1000 && name == "byte by byte" {
				continue
			}
			sameValues(t, []byte(text), r)
		}
	}
}

func sameValues(t *testing.T, text []byte, r io.Reader) {
	t.Helper()
	var want []json.RawMessage
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	got, err := split(r)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d values of %d: %v", len(got), len(want), err)
	}
	for i := range want {
		if !bytes.Equal(got[i].raw, want[i]) {
			t.Errorf("value %d is %.100q, want %.100q", i, got[i].raw, want[i])
		}
		var object struct{ Kind string }
		if json.Unmarshal(want[i], &object) == nil && got[i].kind != object.Kind && !bytes.Contains(want[i], []byte(`\`)) && bytes.Count(want[i], []byte(`"kind"`)) == 1 {
			t.Errorf("value %d has kind %.50q, want %.50q", i, got[i].kind, object.Kind)
		}
	}
}

// A value beyond the bound is left out. The next values are read, with correct line numbers.
func TestValuesLeaveOutWhatIsTooBig(t *testing.T) {
	text := io.MultiReader(strings.NewReader("[\"a\",\n\""), io.LimitReader(endless('x'), maxValue+1), strings.NewReader("\",\n{\"kind\": \"Pod\"}]"))
	got, err := split(text)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d values: %v", len(got), err)
	}
	if !got[1].big || got[0].big || got[2].big || got[2].kind != "Pod" || got[2].line != 3 {
		t.Errorf("big: %v %v %v, kind %s, line %d", got[0].big, got[1].big, got[2].big, got[2].kind, got[2].line)
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// compact removes white space and the unread lists.
func TestCompact(t *testing.T) {
	in := `{ "kind": "Pod", "metadata": {"labels": {"env": "prod", "args": "x]"}, "managedFields": [{"a": "]"}]},
 "spec": {"containers": [{"env" : [ {"name": "A", "value": "\"]"} ], "command": ["a"], "args": null, "image": "i"}]} }`
	want := `{"kind":"Pod","metadata":{"labels":{"env":"prod","args":"x]"},"managedFields":[]},"spec":{"containers":[{"env":[],"command":[],"args":null,"image":"i"}]}}`
	if got := string(compact(nil, value{raw: []byte(in), kind: "Pod"})); got != want {
		t.Errorf("got %s", got)
	}
	node := string(compact(nil, value{raw: []byte(in), kind: "Node"}))
	if !strings.Contains(node, `"managedFields":[{"a":"]"}]`) {
		t.Errorf("a node lost who wrote its fields: %s", node)
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`[1,"a",{"kind":"Pod"},[]]`, `["\\\"",{"a":"]"}]`, `[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}`, `[`, `[{]`, "[{\"kind\":\"Po\xcb\xddd\"}]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = split(bytes.NewReader(data)) // must return for any input
		var list []json.RawMessage
		if json.Unmarshal(data, &list) != nil || list == nil {
			return
		}
		sameValues(t, data, bytes.NewReader(data))
		for _, raw := range list {
			if out := compact(nil, value{raw: raw}); !json.Valid(out) {
				t.Errorf("%q became %q", raw, out)
			}
		}
	})
}
