package documents

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

func TestWindow(t *testing.T) {
	weekly := `{"schedule": {"weekly": {"intervalWeeks": 1, "dayOfWeek": "Sunday"}}, "durationHours": 8, "startTime": "22:00", "utcOffset": "-05:00"}`
	second := `{"schedule": {"weekly": {"intervalWeeks": 2, "dayOfWeek": "Sunday"}}, "durationHours": 4, "startTime": "00:00"`
	for _, c := range []struct {
		name, window, legacy, at string
		want                     evidence.Fact
	}{
		{"in it", weekly, "", "2026-06-08T03:30:00Z", evidence.True}, // Sunday 22:30 local time
		{"past midnight", weekly, "", "2026-06-08T10:59:00Z", evidence.True},
		{"after it", weekly, "", "2026-06-08T11:00:00Z", evidence.False},
		{"another day", weekly, "", "2026-06-10T03:30:00Z", evidence.False},
		{"every second week, from a day", second + `, "startDate": "2026-06-07"}`, "", "2026-06-21T01:00:00Z", evidence.True},
		{"the week between", second + `, "startDate": "2026-06-07"}`, "", "2026-06-14T01:00:00Z", evidence.False},
		{"from a day that is not told", second + `}`, "", "2026-06-14T01:00:00Z", evidence.Unknown},
		{"daily", `{"schedule": {"daily": {"intervalDays": 1}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-10T03:59:00Z", evidence.True},
		{"a day of the month", `{"schedule": {"absoluteMonthly": {"intervalMonths": 1, "dayOfMonth": 10}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-10T03:00:00Z", evidence.True},
		{"the second Tuesday", `{"schedule": {"relativeMonthly": {"intervalMonths": 1, "weekIndex": "Second", "dayOfWeek": "Tuesday"}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-09T03:00:00Z", evidence.True},
		{"not the last Tuesday", `{"schedule": {"relativeMonthly": {"intervalMonths": 1, "weekIndex": "Last", "dayOfWeek": "Tuesday"}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-23T03:00:00Z", evidence.False},
		{"the last Tuesday", `{"schedule": {"relativeMonthly": {"intervalMonths": 1, "weekIndex": "Last", "dayOfWeek": "Tuesday"}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-30T03:00:00Z", evidence.True},
		{"a blocked day", `{"schedule": {"daily": {"intervalDays": 1}}, "durationHours": 24, "startTime": "00:00", "notAllowedDates": [{"start": "2026-06-10", "end": "2026-06-11"}]}`, "", "2026-06-11T20:00:00Z", evidence.False},
		{"the old form", "", `[{"day": "Monday", "hourSlots": [1, 2]}]`, "2026-06-08T02:30:00Z", evidence.True},
		{"the old form, another hour", "", `[{"day": "Monday", "hourSlots": [1, 2]}]`, "2026-06-08T03:00:00Z", evidence.False},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := windowOf(windowTree(c.window, c.legacy), "w")
			if w == nil {
				t.Fatal("cannot be read")
			}
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.Holds(at); got != c.want {
				t.Errorf("%s at %s: %s", w, c.at, got)
			}
		})
	}
	for _, bad := range []string{"", "[]", `{"startTime": "25:00", "durationHours": 4}`, `{"startTime": "00:00"}`, `{"startTime": "00:00", "durationHours": 4, "utcOffset": "later"}`} {
		if w := windowOf(windowTree(bad, ""), "w"); w != nil {
			t.Errorf("%q was read as %s", bad, w)
		}
	}
}

// windowTree returns a maintenance configuration of both formats.
func windowTree(window, legacy string) map[string]any {
	return map[string]any{"maintenanceWindow": cloud.Tree(window), "timeInWeek": cloud.Tree(legacy)}
}
