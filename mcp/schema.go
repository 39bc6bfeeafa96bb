package mcp

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaWithItems returns the schema of a type, with the schemas of Item and Data as definitions, so that each is there once.
func schemaWithItems[T any]() (*jsonschema.Schema, error) {
	data, err := jsonschema.For[Data](nil)
	if err != nil {
		return nil, err
	}
	refs := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[Data](): {Ref: "#/$defs/data"}}}
	item, err := jsonschema.For[Item](refs)
	if err != nil {
		return nil, err
	}
	refs.TypeSchemas[reflect.TypeFor[Item]()] = &jsonschema.Schema{Ref: "#/$defs/item"}
	s, err := jsonschema.For[T](refs)
	if err != nil {
		return nil, err
	}
	s.Defs = map[string]*jsonschema.Schema{"data": data, "item": item}
	return s, nil
}
