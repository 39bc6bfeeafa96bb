package collect

import "testing"

// A single line of a JSON log is a log, even if it is cut off. An object with a nested level and message is not.
func TestLogRecord(t *testing.T) {
	for text, want := range map[string]bool{
		`{"level":"error","ts":"2025-03-04T07:57:23Z","msg":"failed to reconcile DCGM state","error":"no conn`: true,
		`{"time": "2025-03-04T07:57:23Z", "severity": "ERROR", "message": "x"}`:                                true,
		`{"id":"/subscriptions/0","instanceView":{"statuses":[{"level":"Error","message":"it failed"}]}}`:      false,
		`{"kind":"Status","level":"x","message":"nodes is forbidden"}`:                                         false,
		`{"message":"no level"}`: false,
	} {
		if got := logRecord([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
