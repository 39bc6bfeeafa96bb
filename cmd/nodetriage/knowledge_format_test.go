package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/catalog/archive"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

var updateFormat = flag.Bool("update-format", false, "record the fields of the newest format of knowledge")

// A program rejects pages with an unknown field, so a new field is a new format, and fields are never removed. While no release
// has the newest format, record it again: go test ./cmd/nodetriage -run KnowledgeFormat -update-format. After that raise
// archive.Format.
func TestKnowledgeFormat(t *testing.T) {
	t.Parallel()
	var fields []string
	for _, of := range []any{catalog.Cause{}, catalog.Symptom{}, catalog.Question{}, signatures.Signature{}} {
		fields = append(fields, fieldsOfType(reflect.TypeOf(of), "")...)
	}
	slices.Sort(fields)
	file := fmt.Sprintf("testdata/stability/knowledge-format-%d.txt", archive.Format)
	now := strings.Join(fields, "\n") + "\n"
	if *updateFormat {
		if err := os.WriteFile(file, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if now == string(recorded) {
		return
	}
	for _, f := range fields {
		if !slices.Contains(strings.Split(string(recorded), "\n"), f) {
			t.Errorf("%s is not of format %d: raise archive.Format, or, where no release has that format, record it by -update-format", f, archive.Format)
		}
	}
	for f := range strings.SplitSeq(strings.TrimSpace(string(recorded)), "\n") {
		if !slices.Contains(fields, f) {
			t.Errorf("%s is of format %d and gone: archives that have it can not be read any more", f, archive.Format)
		}
	}
}

// fieldsOfType returns the fields of a type in files, with those of nested types.
func fieldsOfType(of reflect.Type, below string) (out []string) {
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct { // its fields stand beside the others
			out = append(out, fieldsOfType(f.Type, cmp.Or(below, of.Name()))...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		path := below + "." + name
		if below == "" {
			path = of.Name() + path
		}
		out = append(out, path)
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && strings.Contains(inner.PkgPath(), "nodetriage") {
			out = append(out, fieldsOfType(inner, path)...)
		}
	}
	return out
}
