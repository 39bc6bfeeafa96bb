package check

import (
	"testing"
	"time"
)

// A certificate valid for days is reported when hours remain, one valid for years when weeks remain.
func TestSoon(t *testing.T) {
	day := 24 * time.Hour
	for life, want := range map[time.Duration]time.Duration{0: day, day: 4 * time.Hour, 365 * day: 30 * day, 90 * day: 15 * day} {
		if got := soon(life); got != want {
			t.Errorf("soon(%s) is %s, want %s", life, got, want)
		}
	}
}

func TestMinor(t *testing.T) {
	for text, want := range map[string]int{"v1.36.3": 36, "1.29": 29, "v1.30.2-gke.100": 30} {
		if got, ok := minor(text); !ok || got != want {
			t.Errorf("minor(%q) is %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "v1", "v1.x"} {
		if _, ok := minor(text); ok {
			t.Errorf("minor(%q) is known", text)
		}
	}
}
