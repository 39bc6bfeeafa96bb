package quantity_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

// Quantities of the API keep their values.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{"16Gi": "16Gi", "500m": "500m", "4": "4", "1e3": "1e3", "0": "0", "-1Ki": "-1Ki"} {
		if q, err := quantity.Parse(text); err != nil || q.String() != want {
			t.Errorf("%q is %s (%v), want %s", text, q.String(), err, want)
		}
	}
	for _, text := range []string{"", "lots", "1GiB", "1e", "--1"} {
		if q, err := quantity.Parse(text); err == nil {
			t.Errorf("%q is read as %s", text, q.String())
		}
	}
}

// No text of a stranger keeps the parser busy: apimachinery alone computes 10 to the power of any exponent.
func TestParseHostile(t *testing.T) {
	done := make(chan bool)
	go func() {
		for _, text := range []string{"1e-2147483648", "1e2147483647", "1E+999999999", "9e99999999999999999999", "0.0000001e-1000000000"} {
			_, _ = quantity.Parse(text)
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatal("the parser is busy")
	}
}
