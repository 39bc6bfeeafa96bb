package collect

import "testing"

// One line of a JSON log is a log, also where it was cut off; an object that has a level and a message somewhere inside is not.
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
