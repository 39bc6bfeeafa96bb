package verify_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// The keys of the JSON form, which scripts depend on: some are always present, others only if they have a value. Findings have
// a separate contract in reports.
var contract = map[string]struct{ always, more []string }{
	"verification": {[]string{"apiVersion", "kind", "node", "takenAt", "source", "since", "verdict", "steps", "findings", "over", "faults"}, []string{"comparison"}},
	"steps":        {[]string{"id", "title", "result", "detail"}, []string{"how", "since", "took"}},
	"comparison":   {[]string{"before", "after", "changes"}, nil},
	"changes":      {[]string{"cause", "title", "subject", "now", "because"}, nil},
	"subject":      {[]string{"kind", "namespace", "name"}, nil},
}

// mayBeNull are times that may be unknown.
var mayBeNull = []string{"takenAt", "since", "before", "after"}

// results and states are all values of a step and of an earlier cause.
var (
	results = []string{"clear", "warning", "unknown", "not-clear", "not-run"}
	states  = []string{"found", "clear", "unknown", "new"}
)

func TestJSONContract(t *testing.T) {
	sick := well()
	sick.Nodes[0].Node.Status.Conditions[2].Status = corev1.ConditionTrue // disk pressure
	before := &triage.Report{TakenAt: &now, Findings: []triage.Finding{{Cause: "disk-pressure", Title: "The disk is full", Subject: evidence.NodeSubject("w"), Severity: "critical"}}}
	compared := judge(t, sick, func(in *verify.Input) { in.Before = before })
	compared.Add(verify.Step{ID: "canary-started", Title: "canary starts", Result: verify.Clear, Detail: "it runs", Took: "1.2s"})
	if compared.Comparison == nil || len(compared.Comparison.Changes) == 0 {
		t.Fatalf("a node with disk pressure, compared: %+v", compared)
	}
	met := map[string]bool{}
	for name, v := range map[string]*verify.Verification{
		"well": judge(t, well(), nil), "compared": compared, "nothing known": judge(t, evidence.Data{Nodes: well().Nodes}, nil),
	} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		checkKeys(t, name, "verification", tree, met)
		if tree["apiVersion"] != "nodetriage.dev/v1alpha1" || tree["kind"] != "Verification" {
			t.Errorf("%s: it calls itself %v %v", name, tree["apiVersion"], tree["kind"])
		}
	}
	for what, rule := range contract {
		for _, key := range slices.Concat(rule.always, rule.more) {
			if !met[what+"."+key] {
				t.Errorf("no verification here has %s.%s", what, key)
			}
		}
	}
}

// checkKeys compares an object and its children with the contract, and records which keys it met.
func checkKeys(t *testing.T, name, what string, object map[string]any, met map[string]bool) {
	t.Helper()
	rule := contract[what]
	for _, key := range rule.always {
		if _, ok := object[key]; !ok {
			t.Errorf("%s: %s has no %q", name, what, key)
		}
	}
	for key, value := range object {
		met[what+"."+key] = true
		text, isText := value.(string)
		switch {
		case !slices.Contains(rule.always, key) && !slices.Contains(rule.more, key):
			t.Errorf("%s: %s has %q, which the contract does not know", name, what, key)
		case value == nil && !slices.Contains(mayBeNull, key):
			t.Errorf("%s: %s.%s is null", name, what, key)
		case isText && slices.Contains(mayBeNull, key):
			if _, err := time.Parse(time.RFC3339, text); err != nil {
				t.Errorf("%s: %s.%s is no time: %v", name, what, key, err)
			}
		case key == "verdict" || key == "result":
			if !slices.Contains(results, text) {
				t.Errorf("%s: %s.%s is %q", name, what, key, value)
			}
		case key == "now":
			if !slices.Contains(states, text) {
				t.Errorf("%s: %s.%s is %q", name, what, key, value)
			}
		case key == "id" && (text == "" || text != strings.ToLower(text) || strings.Contains(text, " ")):
			t.Errorf("%s: a step calls itself %q", name, text)
		}
		if _, known := contract[key]; !known {
			continue
		}
		inner, isList := value.([]any)
		if !isList {
			inner = []any{value}
		}
		for _, e := range inner {
			if o, ok := e.(map[string]any); ok {
				checkKeys(t, name, key, o, met)
			}
		}
	}
}
