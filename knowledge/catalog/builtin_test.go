package catalog

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/packed"
)

// The generated file matches the pages.
func TestBuiltinIsGenerated(t *testing.T) {
	files := os.DirFS(".")
	text, err := Generate(files)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := packed.Pack(text); err != nil || !bytes.Equal(builtin, want) {
		t.Fatal("builtin.json.gz is out of date: run make generate", err)
	}
	want, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range want.Causes() {
		if have := got.Cause(c.ID); !reflect.DeepEqual(have, c) {
			t.Errorf("cause %s is %+v, want %+v", c.ID, have, c)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the generated catalog differs from the pages")
	}
}

func TestGeneratedErrors(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":            "causes",
		"a page without one": `{"causes":[{"front":"x"}],"symptoms":{}}`,
		"a question":         `{"questions":[{"front":[]}],"symptoms":{}}`,
		"symptoms":           `{"symptoms":[]}`,
		"an edge to nothing": `{"causes":[{"front":{"id":"a","explains":["b"]}}],"symptoms":{}}`,
	} {
		data, err := packed.Pack([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := generated(data); err == nil {
			t.Errorf("%s: read without an error", name)
		}
	}
	if _, err := generated([]byte("no archive")); err == nil {
		t.Error("text that is not packed is read without an error")
	}
}
