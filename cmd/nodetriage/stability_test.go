package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A report in JSON keeps every field with its type, compared with reports that were recorded for a release and never change.
// See docs/stability.md.
func TestReportsKeepTheirFields(t *testing.T) {
	recorded, err := filepath.Glob("testdata/stability/report-*.json")
	if err != nil || len(recorded) == 0 {
		t.Fatalf("no recorded reports: %v", err)
	}
	for _, file := range recorded {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "report-"), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			root := newRoot()
			root.SetArgs([]string{"diagnose", "--example=" + name, "-o", "json"})
			root.SetOut(&out)
			root.SetErr(&bytes.Buffer{})
			_ = root.Execute() // exit codes are errors here; the report is what counts
			now := fieldsOf(t, out.Bytes())
			for path, kind := range fieldsOf(t, data) {
				switch got := now[path]; {
				case got == "":
					t.Errorf("field %s is gone", path)
				case got != kind:
					t.Errorf("field %s was %s and is %s", path, kind, got)
				}
			}
		})
	}
}

// fieldsOf returns the paths of all fields of a document with their types. The items of a list are one path. null matches any
// type, and is not listed.
func fieldsOf(t *testing.T, data []byte) map[string]string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %.200s", err, data)
	}
	fields := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case nil:
			return
		case map[string]any:
			for key, child := range v {
				walk(path+"."+key, child)
			}
		case []any:
			for _, child := range v {
				walk(path+"[]", child)
			}
		}
		fields[path] = strings.SplitN(fmt.Sprintf("%T", v), " ", 2)[0]
	}
	walk("", v)
	return fields
}
