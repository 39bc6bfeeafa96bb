package documents_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/azure/documents"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// A case is what Azure answered or az printed, file by file, and the evidence that it becomes.
func TestCases(t *testing.T) {
	found := map[string]bool{}
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		var got strings.Builder
		for _, f := range c.Files("want") {
			r := &reading{t: t, source: f.Name}
			r.read(f.Data)
			fmt.Fprintf(&got, "%s:\n%s", f.Name, r.out.String())
			for _, kind := range r.kinds {
				found[kind] = true
			}
		}
		c.Want(t, "want", got.String())
	})
	for _, kind := range []string{"*evidence.CloudCluster", "*evidence.CloudPool", "*evidence.CloudMachine", "*evidence.CloudSet", "*evidence.CloudQuota", "*evidence.CloudSubnet"} {
		if !found[kind] {
			t.Errorf("no case in which a document becomes a %s", kind)
		}
	}
}

// reading is what comes of one file.
type reading struct {
	t      *testing.T
	source string
	out    strings.Builder
	kinds  []string
}

// read takes a file as JSON if it is that, else line by line.
func (r *reading) read(data []byte) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var whole any
	if err := dec.Decode(&whole); err == nil && !dec.More() {
		r.tree(whole)
		return
	}
	lines := documents.Decoder{}.Lines(r)
	for line := range bytes.Lines(data) {
		lines.Take(bytes.TrimRight(line, "\n"))
	}
	lines.End()
}

// tree finds the documents of a value: itself, or those of a list.
func (r *reading) tree(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			r.tree(one)
		}
	case map[string]any:
		if list, ok := v["value"].([]any); ok && !(documents.Decoder{}).Knows(v) {
			r.tree(list)
			return
		}
		r.Object(v)
	}
}

// Object takes one document.
func (r *reading) Object(object map[string]any) bool {
	if !(documents.Decoder{}).Knows(object) {
		return false
	}
	d := documents.Decoder{}.Decode(object, r.source)
	if again := (documents.Decoder{}).Decode(object, r.source); !reflect.DeepEqual(d, again) {
		r.t.Errorf("%s: read again, it becomes something else", r.source)
	}
	if len(d.Lines) != len(d.Paths) {
		r.t.Errorf("%s: %d lines have %d paths", r.source, len(d.Lines), len(d.Paths))
	}
	fmt.Fprintf(&r.out, "  document %s of %s\n", shown(d.Name), shown(d.Subject.String()))
	for _, x := range d.Resources {
		r.kinds = append(r.kinds, fmt.Sprintf("%T", x))
		fmt.Fprintf(&r.out, "    %T %s\n", x, fields(reflect.ValueOf(x).Elem()))
	}
	for _, a := range d.Activities {
		fmt.Fprintf(&r.out, "    activity %s\n", fields(reflect.ValueOf(a).Elem()))
	}
	for _, line := range d.Lines {
		fmt.Fprintf(&r.out, "    line %.120q\n", line)
	}
	if len(d.Names) > 0 {
		fmt.Fprintf(&r.out, "    names %v\n", d.Names)
	}
	return true
}

// YAML takes what az printed as YAML.
func (r *reading) YAML(text []byte) bool {
	var v any
	if yaml.Unmarshal(text, &v) != nil {
		return false
	}
	r.tree(v)
	return true
}

// Gap takes what a text does not tell.
func (r *reading) Gap(why string, how shell.Text) {
	fmt.Fprintf(&r.out, "  gap %s: %s\n", why, how)
}

func shown(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// fields are those of a struct that are set; where it was read is left out.
func fields(v reflect.Value) string {
	var out []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Name == "Ref" || v.Field(i).IsZero():
		case f.Anonymous:
			out = append(out, fields(v.Field(i)))
		default:
			out = append(out, fmt.Sprintf("%s=%v", f.Name, v.Field(i).Interface()))
		}
	}
	return strings.Join(slices.DeleteFunc(out, func(s string) bool { return s == "" }), " ")
}

var _ cloud.Sink = (*reading)(nil)
