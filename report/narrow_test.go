package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// In 80 columns names are cut in the middle, short values are abbreviated, and a list shows its length.
func TestNarrowBudgets(t *testing.T) {
	healthy := 2
	b := &lists.Budgets{}
	for _, wants := range []string{"at least 1", "at most 25% away"} {
		b.Budgets = append(b.Budgets, lists.Budget{
			Namespace: "commerce-production", Name: "checkout-payment-gateway-" + wants[3:7] + "-production", Wants: wants,
			Healthy: &healthy, Expected: &healthy, Desired: &healthy, Pods: &healthy, Holds: []string{"aks-nodepool1-38412791-vmss000001", "aks-nodepool1-38412791-vmss000002"},
		})
	}
	for width, want := range map[int][]string{80: {" min 1 ", " max 25% ", "2 nodes"}, 120: {" at least 1 ", " at most 25% away "}} {
		var out bytes.Buffer
		if err := Budgets(&out, b, Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%d columns have no %q:\n%s", width, text, out.String())
			}
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"aks-nodepool1-38412791-vmss000001", 20, "aks-node...mss000001"}, {"short", 8, "short   "}, {"NAME", 3, "N.."}, {"a sentence that is long", 12, "a sentence.."},
	} {
		if got := fit(c.text, c.n); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
