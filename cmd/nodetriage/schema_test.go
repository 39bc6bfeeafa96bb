package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// obeys returns why a JSON text does not match the schema of its kind in docs/schema. A text of another kind is not a result.
func obeys(text []byte) error {
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	version, _ := v["apiVersion"].(string)
	kind, _ := v["kind"].(string)
	if !strings.HasPrefix(version, "nodetriage.dev/") || kind == "" {
		return nil
	}
	schema, err := os.ReadFile(filepath.Join("..", "..", "docs", "schema", kind+".json")) // of the folder of this package
	if err != nil {
		return fmt.Errorf("no schema for %s: %w", kind, err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	return resolved.Validate(v)
}

// The output of earlier programs matches the schemas. Scripts check the current output wherever they read it.
func TestSchemas(t *testing.T) {
	recorded, err := filepath.Glob("testdata/stability/*.json")
	old, again := filepath.Glob("testdata/stability/*/*.json")
	if err := errors.Join(err, again); err != nil || len(recorded) == 0 || len(old) == 0 {
		t.Fatal("nothing is recorded", err)
	}
	recorded = append(recorded, old...)
	for _, path := range recorded {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := obeys(text); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A result with a missing field, or an unknown value, is rejected.
func TestSchemasRefuse(t *testing.T) {
	for name, text := range map[string]string{
		"a field is missing": `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"DrainPlan","verdict":"clear"}`,
		"an unknown word":    `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"TestRun","passed":"1","failed":0,"cases":[]}`,
		"an unknown kind":    `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"Nothing"}`,
	} {
		if obeys([]byte(text)) == nil {
			t.Errorf("%s: it is accepted", name)
		}
	}
}
