package redact_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/redact"
)

// A line may have many clues. Those above the limit are redacted with the rest of the line.
func TestCrowdedLine(t *testing.T) {
	for _, unit := range []string{"token: abc12345def ", "://user:hunter2hunter2@ ", "-----BEGIN CERTIFICATE-----", "curl -u admin:hunter2hunter2 x ", `"password":"hunter2hunter2",`} {
		text := strings.Repeat(unit, 3000) + "the last words, password=hunter2hunter2"
		got := redact.New(false).Text(text)
		if strings.Contains(got, "hunter2") {
			at := strings.Index(got, "hunter2")
			t.Errorf("%q: a secret stays: %q", unit, got[max(0, at-60):min(len(got), at+40)])
		}
	}
	// Ordinary lines have fewer.
	text := strings.Repeat("error: token expired; ", 100) + "no space left on device"
	if got := redact.New(false).Text(text); !strings.HasSuffix(got, "no space left on device") {
		t.Errorf("%q", got[max(0, len(got)-200):])
	}
}
