package aws

import (
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// Invalid documents are decoded only as far as they match the API.
func TestOddDocuments(t *testing.T) {
	for _, c := range []struct {
		text      string
		known     bool
		resources int
	}{
		{`{"Reservations": []}`, true, 0},
		{`{"Reservations": {}}`, false, 0},
		{`{"Reservations": [7, {"Instances": 7}, {"Instances": [7, {}, {"InstanceId": 7}, {"InstanceId": "i-0"}]}]}`, true, 1},
		{`{"InstanceStatuses": [{"InstanceId": "i-0"}]}`, true, 1},
		{`{"InstanceStatuses": [{"InstanceId": "i-0", "SystemStatus": {"Status": "ok"}}]}`, true, 2},
		{`{"InstanceStatuses": [{"InstanceId": "i-0", "Events": [{"Code": "system-reboot", "NotBefore": "soon"}]}]}`, true, 0},
		{`{"kind": "Node"}`, false, 0},
	} {
		object, _ := cloud.Tree(c.text).(map[string]any)
		if got := (Decoder{}).Knows(object); got != c.known {
			t.Errorf("%s: known %v", c.text, got)
		}
		if got := (Decoder{}).Decode(object, "x.json").Resources; len(got) != c.resources {
			t.Errorf("%s became %d resources", c.text, len(got))
		}
	}
}

// A completed or canceled event is ignored. A failed check is more important than a scheduled event.
func TestHealth(t *testing.T) {
	for _, c := range []struct{ system, event, word string }{
		{"ok", "", "ok"}, {"ok", "[Completed] reboot", "ok"}, {"ok", "[Canceled] reboot", "ok"}, {"ok", "reboot", "scheduled for system-reboot"},
		{"impaired", "reboot", "impaired"}, {"insufficient-data", "", "insufficient-data"},
	} {
		s := status{SystemStatus: checks{Status: c.system}}
		if c.event != "" {
			s.Events = []event{{Code: "system-reboot", Description: c.event}}
		}
		if h := s.health(evidence.Ref{}); h == nil || h.Word != c.word || (h.Available == evidence.Available) != (c.word == "ok") {
			t.Errorf("%s with event %q: %+v", c.system, c.event, h)
		}
	}
}
