package bounds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// JSON is json.Unmarshal for an untrusted document.
func JSON(raw []byte, into any) error {
	if jsonElements(raw) > MaxElements {
		return ErrElements
	}
	return decode(raw, into)
}

// Object is JSON for one API object among many: a server answer is one document, but a file has thousands of objects.
func Object(raw []byte, into any) error {
	switch n := jsonElements(raw); {
	case n > MaxObjectElements:
		return ErrObjectElements
	case n > freeElements && len(raw) < n*leastElement:
		return ErrCrowded
	}
	return decode(raw, into)
}

func decode(raw []byte, into any) error {
	if suspectJSON(raw) {
		fit, err := withinJSON(raw, reflect.TypeOf(into))
		if err != nil {
			return err
		}
		raw = fit
	}
	err := json.Unmarshal(raw, into)
	dropNulls(into)
	dropCommands(into)
	return err
}

// ReadJSON is JSON for a reader. Input that exceeds the limit is an error.
func ReadJSON(r io.Reader, most int64, into any) error {
	raw, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return err
	}
	if int64(len(raw)) > most {
		return fmt.Errorf("it is larger than %d MiB", most>>20)
	}
	return JSON(raw, into)
}

// isQuantity reports whether the type is resource.Quantity. It compares the name because the agent links this package
// without Kubernetes types.
func isQuantity(typ reflect.Type) bool {
	return typ.Name() == "Quantity" && typ.PkgPath() == "k8s.io/apimachinery/pkg/api/resource"
}

// withinJSON returns the document with its quantities within bounds.
func withinJSON(raw []byte, typ reflect.Type) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return raw, nil //nolint:nilerr // the typed decoder says what is wrong with it
	}
	return json.Marshal(withinTree(tree, typ))
}

// withinTree changes the quantities in a decoded tree, by the target type.
func withinTree(tree any, typ reflect.Type) any {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if isQuantity(typ) {
		return withinLeaf(tree)
	}
	switch value := tree.(type) {
	case []any:
		if typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array {
			for i := range value {
				value[i] = withinTree(value[i], typ.Elem())
			}
		}
	case map[string]any:
		for key := range value {
			if child := childType(typ, key); child != nil {
				value[key] = withinTree(value[key], child)
			}
		}
	}
	return tree
}

func withinLeaf(leaf any) any {
	switch value := leaf.(type) {
	case string:
		return Quantity(value)
	case json.Number:
		return Quantity(string(value))
	}
	return leaf
}

// childType returns the type for a key; nil: not decoded.
func childType(typ reflect.Type, key string) reflect.Type {
	switch typ.Kind() {
	case reflect.Map:
		return typ.Elem()
	case reflect.Struct:
		for field := range fieldsOf(typ) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" && field.Anonymous {
				if child := childType(deref(field.Type), key); child != nil {
					return child
				}
				continue
			}
			if name == "" {
				name = field.Name
			}
			if strings.EqualFold(name, key) { // the comparison of encoding/json
				return field.Type
			}
		}
	}
	return nil
}

func deref(typ reflect.Type) reflect.Type {
	if typ.Kind() == reflect.Pointer {
		return typ.Elem()
	}
	return typ
}

// fieldsOf returns the fields of a struct.
func fieldsOf(typ reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range typ.NumField() {
			if !yield(typ.Field(i)) {
				return
			}
		}
	}
}
