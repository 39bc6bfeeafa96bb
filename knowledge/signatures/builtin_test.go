package signatures

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/packed"
)

// The generated file matches the source files, in order.
func TestBuiltinIsGenerated(t *testing.T) {
	files := os.DirFS("data")
	want, err := Generate(files)
	if err != nil {
		t.Fatal(err)
	}
	got, err := packed.Pack(want)
	if err != nil || !bytes.Equal(builtin, got) {
		t.Fatal("builtin.json.gz is out of date: run make generate", err)
	}
	read, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if len(set.list) != len(read.list) {
		t.Fatalf("%d signatures, want %d", len(set.list), len(read.list))
	}
	for i, s := range set.list {
		got, from := *s, *read.list[i]
		if !slices.Equal(got.literals, from.literals) || (got.not == nil) != (from.not == nil) || got.re == nil || got.guard == nil {
			t.Errorf("%s is not prepared as the file's %s", got.ID, from.ID)
		}
		got.re, got.not, got.guard, got.form, from.re, from.not, from.guard, from.form = nil, nil, nil, nil, nil, nil, nil, nil
		got.asked, from.asked, got.digits, from.digits = nil, nil, nil, nil
		got.number, from.number = 0, 0 // each has its own
		if !reflect.DeepEqual(got, from) {
			t.Errorf("%+v\nwant %+v", got, from)
		}
	}
}
