package report

import (
	"reflect"
	"testing"
)

// A command in an advice is a separate part, so that no row breaks it.
func TestAdviceParts(t *testing.T) {
	for how, want := range map[string][]advised{
		"wait":                            {{"wait", false}},
		"nodetriage diagnose w1":          {{"nodetriage diagnose w1", true}},
		"if all is well: kubectl drain a": {{"if all is well:", false}, {"kubectl drain a", true}},
		"on the node: curl -s http://127.0.0.1:10248/healthz; or grant nodes/proxy": {
			{"on the node:", false}, {"curl -s http://127.0.0.1:10248/healthz", true}, {"or grant nodes/proxy", false}},
		"nodetriage repair start w1 (fails if the region is full)": {{"nodetriage repair start w1", true}, {"(fails if the region is full)", false}},
		"nodetriage verify w1, which reads the VM":                 {{"nodetriage verify w1", true}, {"which reads the VM", false}},
		"kubectl get pod -o jsonpath='{.a; .b}'; then wait":        {{"kubectl get pod -o jsonpath='{.a; .b}'", true}, {"then wait", false}},
		"on the node: nodetriage node-check; then nodetriage verify w1": {
			{"on the node:", false}, {"nodetriage node-check", true}, {"then", false}, {"nodetriage verify w1", true}},
		"fix or add another node first": {{"fix or add another node first", false}},
	} {
		if got := adviceParts(how); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%v\nwant %v", how, got, want)
		}
	}
}
