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
		got, err := json.Marshal(i)
		if err != nil || string(got) != want {
			t.Errorf("%v is %s (%v), want %s", i, got, err, want)
		}
		var back plan.Interval
		if err := json.Unmarshal(got, &back); err != nil || back != i {
			t.Errorf("%s is read as %v (%v)", got, back, err)
		}
	}
}

func TestIntervalOfNonsense(t *testing.T) {
	var i plan.Interval
	if err := json.Unmarshal([]byte(`{"from":"soon"}`), &i); err == nil {
		t.Errorf("%q is read as %v", "soon", i)
	}
}

// Intervals add up, cover each other, and contain their ends.
func TestIntervals(t *testing.T) {
	a, b := plan.Within(time.Second, 4*time.Second), plan.Within(2*time.Second, 3*time.Second)
	if got := a.Then(b); got != plan.Within(3*time.Second, 7*time.Second) {
		t.Errorf("%v then %v is %v", a, b, got)
	}
	if got := b.Cover(plan.At(time.Minute)); got != plan.Within(2*time.Second, time.Minute) || b.Cover(a) != a {
		t.Errorf("%v and a minute are in %v", b, got)
	}
	if !a.Has(a.Earliest()) || !a.Has(a.Latest()) || a.Has(0) || a.Has(5*time.Second) {
		t.Errorf("the ends of %v", a)
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
