package mcp

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// inputOf returns the schema of a tool's arguments.
func inputOf[In any]() *jsonschema.Schema {
	return schemaOf(reflect.TypeFor[In](), &jsonschema.ForOptions{})
}

// schemaOfAnswer returns the schema of a tool's answer. The schemas of Item and Data are definitions, so that each is there once.
func schemaOfAnswer(answer reflect.Type) *jsonschema.Schema {
	data, item := reflect.TypeFor[Data](), reflect.TypeFor[Item]()
	refs := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{data: {Ref: "#/$defs/data"}}}
	defs := map[string]*jsonschema.Schema{"data": schemaOf(data, &jsonschema.ForOptions{}), "item": schemaOf(item, refs)}
	refs.TypeSchemas[item] = &jsonschema.Schema{Ref: "#/$defs/item"}
	s := schemaOf(answer, refs)
	s.Defs = defs
	return s
}

// schemaOf panics if the type has no schema. It is for types of this package alone.
func schemaOf(t reflect.Type, opt *jsonschema.ForOptions) *jsonschema.Schema {
	s, err := jsonschema.ForType(t, opt)
	if err != nil {
		panic(err)
	}
	return s
}
