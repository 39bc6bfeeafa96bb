package triage_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// contract has the keys of the JSON form. Scripts depend on them: no key may be removed or change its meaning; new keys are added
// here. always are present in every report, more only if there is a value.
var contract = map[string]struct{ always, more []string }{
	"report": {[]string{"apiVersion", "kind", "takenAt", "source", "verdict", "findings", "symptoms", "ruledOut", "notChecked", "cohorts", "over", "standsOut", "groups"}, []string{"impact"}},
	"impact": {[]string{"nodes", "workloads", "checked", "pods"}, []string{"node", "unready"}},
	"findings": {
		[]string{"cause", "title", "severity", "certainty", "confidence", "score", "subject", "subjects", "summary", "evidence", "explains", "confirm", "remedies", "verify", "cautions", "page"},
		[]string{"explainedBy", "since", "lastSeen", "likelyOn", "rules", "impact", "named"},
	},
	"subject":    {[]string{"kind", "namespace", "name"}, nil},
	"evidence":   {[]string{"source", "locator", "text", "observedAt"}, []string{"hit", "by"}},
	"remedies":   {[]string{"title", "commands", "where", "risk", "disruptive"}, []string{"short"}},
	"confirm":    {[]string{"run", "where", "expect"}, nil},
	"symptoms":   {[]string{"id", "title", "subject", "explainedBy"}, []string{"look", "evidence"}},
	"ruledOut":   {[]string{"cause", "subject", "because"}, nil},
	"notChecked": {[]string{"what", "why", "how"}, []string{"kind"}},
	"cohorts":    {[]string{"nodes", "shared", "since"}, nil},
	"over":       {[]string{"cause", "title", "subject", "from", "to", "endedBy", "evidence"}, nil},
	"standsOut":  {[]string{"text", "source", "locator", "speaker", "observedAt"}, []string{"by"}},
	"groups":     {[]string{"cause", "findings", "symptoms", "subjects", "nodes", "since"}, nil},
}

func TestJSONContract(t *testing.T) {
	full := run(t, nodes(twelve()...), &triage.Rule{ID: "full", Doc: "says something of every kind", Needs: []evidence.Kind{evidence.Nodes}, Check: func(p *triage.Pass) {
		c := claim("kernel-module-missing", triage.Certain, on("bad-03"))
		c.Since, c.Evidence = now.Add(-time.Hour), []evidence.Ref{{Source: "log", Locator: "line 1", Text: "x", ObservedAt: now}, {Source: "log", Text: "y"}}
		p.Found(c)
		p.Found(claim("correlated-failure", triage.Likely, evidence.ClusterSubject()))
		p.Found(triage.Claim{Says: "node-silent", Subject: on("bad-03"), Evidence: c.Evidence})
		p.Found(triage.Claim{Says: "image-pull-failed", Subject: on("good-03")})
		p.RuleOut("disk-pressure", on("bad-03"), "half full")
		p.Unknown("something", "nobody looked", "look")
	}}, &triage.Rule{ID: "unasked", Doc: "needs what is not there", Needs: []evidence.Kind{evidence.Pods}, Check: func(*triage.Pass) {}})
	for name, r := range map[string]*triage.Report{"full": full, "empty": judge(t, text()), "text": judge(t, text(), claim("runtime-hung", triage.Likely, evidence.Subject{}))} {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		checkKeys(t, name, "report", tree)
		if tree["apiVersion"] != "nodetriage.dev/v1alpha1" || tree["kind"] != "Report" {
			t.Errorf("%s: it calls itself %v %v", name, tree["apiVersion"], tree["kind"])
		}
	}
}

// checkKeys checks an object and everything below it against the contract. It skips what the contract does not name (maps of names,
// plain values). No list is null.
func checkKeys(t *testing.T, report, what string, object map[string]any) {
	t.Helper()
	rule := contract[what]
	for _, key := range rule.always {
		if _, ok := object[key]; !ok {
			t.Errorf("%s: %s has no %q: %v", report, what, key, slices.Sorted(maps.Keys(object)))
		}
	}
	for key, value := range object {
		if !slices.Contains(rule.always, key) && !slices.Contains(rule.more, key) {
			t.Errorf("%s: %s has %q, which the contract does not know", report, what, key)
		}
		if value == nil && !slices.Contains([]string{"takenAt", "observedAt", "from", "to"}, key) && (key != "since" || what != "cohorts" && what != "groups") {
			t.Errorf("%s: %s.%s is null, want an empty list", report, what, key)
		}
		child := key
		if key == "subjects" || key == "likelyOn" {
			child = "subject"
		}
		if _, known := contract[child]; !known {
			continue
		}
		switch value := value.(type) {
		case map[string]any:
			checkKeys(t, report, child, value)
		case []any:
			for _, e := range value {
				if inner, ok := e.(map[string]any); ok {
					checkKeys(t, report, child, inner)
				}
			}
		}
	}
}
