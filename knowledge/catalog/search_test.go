package catalog_test

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// People find a page by words of theirs, and nothing by words that no page has.
func TestSearch(t *testing.T) {
	c := builtin(t)
	for _, s := range []struct{ words, want string }{
		{"disk full", "disk-pressure"},
		{"kubelet stopped", "kubelet-stopped"},
		{"certificate expired", "kubelet-client-cert-expired"},
		{"cordon left behind", "cordon-left-behind"},
		{"clock skew", "clock-skew"},
		{"pod disruption budget blocks drain", "drain-blocked-pdb"},
	} {
		list := c.Search(s.words)
		found := slices.ContainsFunc(list[:min(5, len(list))], func(m catalog.Match) bool { return m.ID == s.want })
		if !found {
			t.Errorf("%q finds %v, and not %s", s.words, list[:min(5, len(list))], s.want)
		}
		for i, m := range list {
			if m.Title == "" || m.Kind == "" || i > 0 && m.Score > list[i-1].Score {
				t.Errorf("%q: %+v", s.words, m)
			}
		}
	}
	for _, words := range []string{"", "the of and", "zebra xylophone"} {
		if list := c.Search(words); len(list) > 0 {
			t.Errorf("%q finds %v", words, list)
		}
	}
}

// One page is the answer only if it is good, and much better than the next.
func TestClear(t *testing.T) {
	list := func(scores ...float64) (out []catalog.Match) {
		for _, s := range scores {
			out = append(out, catalog.Match{Score: s})
		}
		return out
	}
	for _, c := range []struct {
		list []catalog.Match
		want bool
	}{
		{nil, false}, {list(0.9), true}, {list(0.5), false}, {list(0.9, 0.5), true}, {list(0.9, 0.85), false},
	} {
		if got := catalog.Clear(c.list); got != c.want {
			t.Errorf("%v: %v", c.list, got)
		}
	}
}

// The way between a cause and what it brings about is a chain of direct steps.
func TestWay(t *testing.T) {
	c := builtin(t)
	ways, long := 0, 0
	for _, cause := range c.Causes() {
		for _, symptom := range c.Symptoms() {
			way := c.Way(cause.ID, symptom.ID)
			if !c.Explains(cause.ID, symptom.ID) && way != nil {
				t.Errorf("%s has a way to %s, which it does not bring about: %v", cause.ID, symptom.ID, way)
			}
			if !c.Explains(cause.ID, symptom.ID) {
				continue
			}
			ways++
			if len(way) > 0 {
				long++
			}
			at := cause.ID
			for _, next := range append(slices.Clone(way), symptom.ID) {
				known := c.Cause(at)
				if known == nil {
					t.Errorf("%s to %s: %s is no cause", cause.ID, symptom.ID, at)
					break
				}
				if !slices.Contains(known.Explains, next) && !slices.Contains(known.Supersedes, next) {
					t.Errorf("%s to %s: %s does not bring about %s", cause.ID, symptom.ID, at, next)
				}
				at = next
			}
		}
	}
	if ways == 0 || long == 0 {
		t.Errorf("%d ways, %d of them over other causes", ways, long)
	}
}

// Methods of causes work for symptoms too, and return nothing for unknown ids.
func TestAnswersOfUnknownIDs(t *testing.T) {
	c := builtin(t)
	const id = "no-such-thing"
	if c.Patience(id) != 0 || c.Stops(id) != "" || c.Warns(id) || c.Keeps(id) != "" || c.Role(id) != "" || c.Act(id) || c.LastsUntilReboot(id) || c.Mechanism(id) != "" ||
		len(c.ExplainedBy(id)) != 0 || c.StopsNodes(id) || c.Way(id, id) != nil || c.Question(id) != nil {
		t.Error("an id that nobody knows has properties")
	}
	if !c.StopsNodes("kubelet-stopped") {
		t.Error("a kubelet that stopped keeps no node from working")
	}
	if c.Stops("node-not-ready") == "" {
		t.Error("a node that is not Ready works")
	}
	if list := c.ExplainedBy("node-not-ready"); !slices.ContainsFunc(list, func(x *catalog.Cause) bool { return x.ID == "kubelet-stopped" }) {
		t.Error("a kubelet that stopped does not explain that its node is not Ready")
	}
}

// A cloud is known by its name, its API's words and its commands; the names in an id go into commands.
func TestProviderOfTexts(t *testing.T) {
	azure := catalog.ProviderNamed("azure")
	if azure == nil || catalog.ProviderNamed("nimbus") != nil {
		t.Fatal("azure is not known, or another is")
	}
	if p := catalog.ProviderOfCommand("az aks show -g g -n n"); p != azure {
		t.Errorf("az is a command of %v", p)
	}
	if p := catalog.ProviderOfCommand("kubectl get nodes"); p != nil {
		t.Errorf("kubectl is a command of %s", p.Name)
	}
	names := azure.Names("azure:///subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1/virtualMachines/3")
	if len(names) == 0 {
		t.Error("an id of a machine tells no names")
	}
	for name := range names {
		if !azure.OfMachine(name) {
			t.Errorf("ids of machines do not tell %s, which one told", name)
		}
	}
}
