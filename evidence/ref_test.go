package evidence

import "testing"

func TestLineIn(t *testing.T) {
	for locator, want := range map[string]int{
		"line 12": 12, "line 12 (3 times)": 12, "line 7: sda 100%": 7, "line ": 0, "line x": 0, ".status.conditions[Ready]": 0, "": 0, "lsmod: line 6": 0, "line 99999999999999999999": 0,
	} {
		if got := LineIn(locator); got != want {
			t.Errorf("LineIn(%q) = %d, want %d", locator, got, want)
		}
	}
}
