package cloud_test

import (
	"encoding/json"
	"testing"

	"github.com/nodetriage/nodetriage/cloud"
)

// Numbers keep their digits: a subscription or an instance number must not be rounded.
func TestTree(t *testing.T) {
	tree, _ := cloud.Tree(`{"id": 9007199254740993} trailing text`).(map[string]any)
	if got := tree["id"]; got != json.Number("9007199254740993") {
		t.Errorf("the number is %v", got)
	}
	for _, text := range []string{"", "no JSON", `{"id": `} {
		if got := cloud.Tree(text); got != nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// A change starts only if no operation is running. A state that this program does not know counts as running.
func TestSettled(t *testing.T) {
	for state, want := range map[string]bool{"Succeeded": true, "Failed": true, "Canceled": true, "Updating": false, "": false, "SomethingNew": false} {
		if got := (&cloud.Unit{Provisioning: state}).Settled(); got != want {
			t.Errorf("%q is settled: %v", state, got)
		}
	}
}

// The error of a rejected change contains the answer of the cloud, or the error of the connection.
func TestRefusal(t *testing.T) {
	for want, r := range map[string]cloud.Refusal{
		"the cloud answers 409 OperationNotAllowed: another operation is in progress": {Reason: cloud.Busy, Status: 409, Code: "OperationNotAllowed", Message: "another operation is in progress"},
		"connection reset by peer": {Reason: cloud.Unanswered, Message: "connection reset by peer"},
	} {
		if got := r.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
