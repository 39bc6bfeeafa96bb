package main

import "testing"

func TestPackageVersion(t *testing.T) {
	for version, want := range map[string]string{
		"0.0.0-7904ed2":    "0.0.0~7904ed2",
		"1.2.0":            "1.2.0",
		"1.2.0-rc.1":       "1.2.0~rc.1",
		"1.2.0-4-g0123abc": "1.2.0+4.g0123abc",
		"1.2.0-rc.1-4-g01": "1.2.0~rc.1+4.g01",
	} {
		if got := packageVersion(version); got != want {
			t.Errorf("packageVersion(%q) = %q, want %q", version, got, want)
		}
	}
}
