package collect_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// The name of a pod matches no signature, neither in a table of events nor in an Event object. Each object has a separate message.
func TestNamesInEvents(t *testing.T) {
	const head = "LAST SEEN   TYPE      REASON    OBJECT   MESSAGE\n"
	backOff := func(pod, container string) string {
		return "50m   Warning   BackOff   pod/" + pod + "   Back-off restarting failed container " + container + " in pod " + pod + "_train(08ec1ed1)\n"
	}
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"a gateway that restarts":       {backOff("ts-gateway-service-7d97d56b56-6wwkf", "ts-gateway-service"), 0},
		"two of them":                   {backOff("ts-gateway-service-7d97d56b56-6wwkf", "ts-gateway-service") + backOff("ts-gateway-service-7d97d56b56-abcde", "ts-gateway-service"), 0},
		"a pod that reaches no gateway": {"50m   Warning   Unhealthy   pod/web-0   the default gateway 10.0.0.1 is unreachable: no route to host\n", 1},
		"one of each": {backOff("ts-gateway-service-7d97d56b56-6wwkf", "ts-gateway-service") +
			"50m   Warning   Unhealthy   pod/web-0   the default gateway 10.0.0.1 is unreachable: no route to host\n", 1},
	} {
		b := collect.NewBuilder(evidence.Source{Kind: "file"}, builtin(t))
		b.AddStream("events.txt", strings.NewReader("$ kubectl get events -n train\n"+head+c.text))
		objects := map[string]bool{}
		for _, m := range b.Snapshot().Data().Matches {
			if strings.Contains(m.Ref.Text, "gateway") && strings.HasPrefix(m.Signature, "words-partition") {
				objects[m.Subject.Name] = true
			}
		}
		if len(objects) != c.want {
			t.Errorf("%s: matches about %v, want of %d objects", name, objects, c.want)
		}
	}
}
