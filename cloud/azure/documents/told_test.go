package documents

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

type heardPools struct{ names []string }

func (h *heardPools) Object(o map[string]any) bool {
	h.names = append(h.names, text(o, "name"))
	return true
}
func (h *heardPools) YAML([]byte) bool       { return false }
func (h *heardPools) Gap(string, shell.Text) {}

// A failed pool is detected even if every line names the cluster.
func TestPoolBehindManyNames(t *testing.T) {
	h := &heardPools{}
	pools := &toldPools{Sink: h}
	for range 3 * maxTold {
		pools.hear("the cluster aks-shop in group rg-shop has trouble")
	}
	pools.hear("node pool np2 is Failed")
	if last := h.names[len(h.names)-1]; last != "np2" || len(h.names) != maxTold+1 {
		t.Errorf("%d heard, the last is %q", len(h.names), last)
	}
}

// Users report a failed pool in many ways, with its name before or after the word pool. Many similar sentences report
// no failure.
func TestPoolsThatFailedInWords(t *testing.T) {
	for line, want := range map[string]string{
		"Our node pool np2 went to Failed after scaling this morning": "np2",
		"nodepool `gpu1` is in state Failed":                          "gpu1",
		"the np3 pool is now in a failed state":                       "np3",
		"The user pool is in a failed state.":                         "-",
		"node pool shows provisioning state: Failed":                  "-",
		"agent pool npwin, provisioningState = Failed":                "npwin",
		"Pool np1 stuck in failed provisioning state":                 "np1",
		"node pool np2 has not failed":                                "",
		"node pool np2 is no longer in failed state":                  "",
		"if the node pool is in state Failed, reconcile it":           "",
		"the connection to the pool was lost":                         "",
		"node pool np2 is Succeeded":                                  "",
		"np2 was in failed state, it is Succeeded now":                "",
	} {
		h := &heardPools{}
		pools := &toldPools{Sink: h, known: true}
		pools.hear(line)
		got := ""
		for _, name := range h.names {
			if got = name; got == "" {
				got = "-"
			}
		}
		if got != want {
			t.Errorf("%q: pool %q, want %q", line, got, want)
		}
	}
}
