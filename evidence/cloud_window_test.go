package evidence

import (
	"testing"
	"time"
)

func TestWindow(t *testing.T) {
	weekly := `{"schedule": {"weekly": {"intervalWeeks": 1, "dayOfWeek": "Sunday"}}, "durationHours": 8, "startTime": "22:00", "utcOffset": "-05:00"}`
	second := `{"schedule": {"weekly": {"intervalWeeks": 2, "dayOfWeek": "Sunday"}}, "durationHours": 4, "startTime": "00:00"`
	for _, c := range []struct {
		name, window, legacy, at string
		want                     Fact
	}{
		{"in it", weekly, "", "2026-06-08T03:30:00Z", True}, // Sunday 22:30 there
		{"past midnight", weekly, "", "2026-06-08T10:59:00Z", True},
		{"after it", weekly, "", "2026-06-08T11:00:00Z", False},
		{"another day", weekly, "", "2026-06-10T03:30:00Z", False},
		{"every second week, from a day", second + `, "startDate": "2026-06-07"}`, "", "2026-06-21T01:00:00Z", True},
		{"the week between", second + `, "startDate": "2026-06-07"}`, "", "2026-06-14T01:00:00Z", False},
		{"from a day that is not told", second + `}`, "", "2026-06-14T01:00:00Z", Unknown},
		{"daily", `{"schedule": {"daily": {"intervalDays": 1}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-10T03:59:00Z", True},
		{"a day of the month", `{"schedule": {"absoluteMonthly": {"intervalMonths": 1, "dayOfMonth": 10}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-10T03:00:00Z", True},
		{"the second Tuesday", `{"schedule": {"relativeMonthly": {"intervalMonths": 1, "weekIndex": "Second", "dayOfWeek": "Tuesday"}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-09T03:00:00Z", True},
		{"not the last Tuesday", `{"schedule": {"relativeMonthly": {"intervalMonths": 1, "weekIndex": "Last", "dayOfWeek": "Tuesday"}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-23T03:00:00Z", False},
		{"the last Tuesday", `{"schedule": {"relativeMonthly": {"intervalMonths": 1, "weekIndex": "Last", "dayOfWeek": "Tuesday"}}, "durationHours": 4, "startTime": "00:00"}`, "", "2026-06-30T03:00:00Z", True},
		{"a blocked day", `{"schedule": {"daily": {"intervalDays": 1}}, "durationHours": 24, "startTime": "00:00", "notAllowedDates": [{"start": "2026-06-10", "end": "2026-06-11"}]}`, "", "2026-06-11T20:00:00Z", False},
		{"the old form", "", `[{"day": "Monday", "hourSlots": [1, 2]}]`, "2026-06-08T02:30:00Z", True},
		{"the old form, another hour", "", `[{"day": "Monday", "hourSlots": [1, 2]}]`, "2026-06-08T03:00:00Z", False},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, ok := ReadWindow(&CloudResource{Name: "w", Properties: map[string]string{"maintenanceWindow": c.window, "timeInWeek": c.legacy}})
			if !ok {
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
		if w, ok := ReadWindow(&CloudResource{Properties: map[string]string{"maintenanceWindow": bad}}); ok {
			t.Errorf("%q was read as %s", bad, w)
		}
	}
}

func TestSurge(t *testing.T) {
	cluster := &CloudResource{Properties: map[string]string{"networkPlugin": "azure"}}
	for _, c := range []struct {
		count, surge, maxPods string
		nodes, addresses      int
	}{
		{"6", "", "30", 1, 31}, {"30", "33%", "30", 10, 310}, {"6", "2", "", 2, 2}, {"6", "0", "30", 0, 0}, {"many", "2", "30", 0, 0}, {"6", "-1", "30", 0, 0}, {"6", "1000%", "30", 0, 0},
	} {
		pool := &CloudResource{Properties: map[string]string{"count": c.count, "maxSurge": c.surge, "maxPods": c.maxPods}}
		if n, a := Surge(pool), SurgeAddresses(pool, cluster); n != c.nodes || a != c.addresses {
			t.Errorf("%s nodes by %s: %d machines, %d addresses", c.count, c.surge, n, a)
		}
	}
}
