package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/answers/diff"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// results are the types of all JSON results, by kind.
var results = map[string]reflect.Type{
	"CauseList":     reflect.TypeFor[report.Index](),
	"OperationList": reflect.TypeFor[lists.OperationList](),
	"DaemonSetList": reflect.TypeFor[lists.DaemonSetList](),
	"Diff":          reflect.TypeFor[diff.Diff](),
	"DrainPlan":     reflect.TypeFor[drain.Plan](),
	"Forecast":      reflect.TypeFor[predict.Forecast](),
	"NodeDetail":    reflect.TypeFor[nodes.Detail](),
	"NodeMap":       reflect.TypeFor[nodes.List](),
	"NodeReport":    reflect.TypeFor[nodereport.Report](),
	"Cause":         reflect.TypeFor[report.Page](),
	"Knowledge":     reflect.TypeFor[report.Knowledge](),
	"PodList":       reflect.TypeFor[lists.PodList](),
	"PoolList":      reflect.TypeFor[lists.PoolList](),
	"Bundle":        reflect.TypeFor[bundle.Manifest](),
	"BudgetList":    reflect.TypeFor[lists.BudgetList](),
	"Check":         reflect.TypeFor[report.CheckPage](),
	"Question":      reflect.TypeFor[report.QuestionPage](),
	"RepairPlan":    reflect.TypeFor[repair.Plan](),
	"Report":        reflect.TypeFor[triage.Report](),
	"Review":        reflect.TypeFor[check.Review](),
	"Signature":     reflect.TypeFor[report.SignaturePage](),
	"SearchResult":  reflect.TypeFor[report.Found](),
	"TestRun":       reflect.TypeFor[report.CaseRun](),
	"UpgradePlan":   reflect.TypeFor[upgrade.Plan](),
	"Verification":  reflect.TypeFor[verify.Verification](),
	"Symptom":       reflect.TypeFor[report.Page](),
	"Why":           reflect.TypeFor[why.Answer](),
}

// schemas returns the JSON schemas of all results, by their path from docs. They combine the Go types with their comments as
// descriptions. Unknown fields are allowed, because a later version may add some.
func schemas() (map[string][]byte, error) {
	words := comments{}
	out := map[string][]byte{}
	for kind, t := range results {
		s, err := jsonschema.ForType(outside(t), &jsonschema.ForOptions{TypeSchemas: written})
		if err != nil {
			return nil, fmt.Errorf("describe %s: %w", kind, err)
		}
		if err := describe(s, t, words); err != nil {
			return nil, fmt.Errorf("describe %s: %w", kind, err)
		}
		s.Schema = "https://json-schema.org/draft/2020-12/schema"
		s.Title = kind
		if s.Description, err = words.whole(t); err != nil {
			return nil, fmt.Errorf("describe %s: %w", kind, err)
		}
		text, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			return nil, err
		}
		out["schema/"+kind+".json"] = append(text, '\n')
	}
	return out, nil
}

// written are the schemas of types with their own MarshalJSON.
var written = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[nodereport.Report](): {Ref: "#"},
	reflect.TypeFor[plan.Duration]():     {Type: "string"},
	reflect.TypeFor[evidence.Coverage](): {Type: "string"},
	reflect.TypeFor[evidence.Fact]():     {Type: "string", Enum: []any{"unknown", "true", "false"}},
}

// outside returns the type of a whole value. A node report may contain earlier reports, and written describes those by the
// whole.
func outside(t reflect.Type) reflect.Type {
	type whole nodereport.Report
	if t == reflect.TypeFor[nodereport.Report]() {
		return reflect.TypeFor[whole]()
	}
	return t
}

var textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()

// describe adds to a schema what reflection does not show: comments, constants, and the changes of MarshalJSON methods.
func describe(s *jsonschema.Schema, t reflect.Type, words comments) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if written[t] != nil && s.Properties == nil || t.Implements(textMarshaler) {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			return describe(s.Items, t.Elem(), words)
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			return describe(s.AdditionalProperties, t.Elem(), words)
		}
	case reflect.String:
		if t.Name() == "string" {
			return nil
		}
		enum, err := words.values(t)
		if err != nil {
			return err
		}
		s.Enum = enum
	case reflect.Struct:
		s.AdditionalProperties = nil
		if err := describeFields(s, t, words); err != nil {
			return err
		}
		rewrite(s, t)
	}
	return nil
}

func describeFields(s *jsonschema.Schema, t reflect.Type, words comments) error {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if err := describeFields(s, inner, words); err != nil {
				return err
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		p := s.Properties[name]
		if p == nil || !f.IsExported() {
			continue
		}
		says, err := words.field(t, f.Name)
		if err != nil {
			return err
		}
		p.Description = says
		if err := describe(p, f.Type, words); err != nil {
			return err
		}
	}
	return nil
}

// rewrite applies the changes of MarshalJSON methods that write each field.
func rewrite(s *jsonschema.Schema, t reflect.Type) {
	switch t {
	case reflect.TypeFor[evidence.Ref]():
		at := s.Properties["observedAt"]
		at.Type, at.Types = "", []string{"null", "string"}
	case reflect.TypeFor[upgrade.Settings]():
		for _, name := range []string{"drainTimeout", "soak"} {
			s.Properties[name] = &jsonschema.Schema{Type: "string", Description: "a duration, like 30m0s"}
		}
	}
}
