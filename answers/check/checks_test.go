package check

import "testing"

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
