package plan_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
)

// Scripts read the interval of a plan as two durations in Go's form.
func TestIntervalInJSON(t *testing.T) {
	for want, i := range map[string]plan.Interval{
		`{"from":"1m30s","to":"1h0m0s"}`: plan.Within(90*time.Second, time.Hour),
		`{"from":"0s","to":"0s"}`:        {},
	} {
		if got, err := json.Marshal(i); err != nil || string(got) != want {
			t.Errorf("%v is %s (%v), want %s", i, got, err, want)
		}
	}
}

// A sentence is joined of the parts that say something, and only of these.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		parts []string
		want  string
	}{
		{nil, ""},
		{[]string{"", ""}, ""},
		{[]string{"a", "", "b"}, "a; b"},
		{[]string{"", "only"}, "only"},
	} {
		if got := plan.Join(c.parts...); got != c.want {
			t.Errorf("Join(%q) is %q, want %q", c.parts, got, c.want)
		}
	}
}
