package facts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// EndOf returns what ended the thing that a message tells of.
func EndOf(p *triage.Pass, m *evidence.Match) (NamedEnding, bool) {
	for _, e := range endings {
		if end, ok := e.ended(p, m); ok {
			return NamedEnding{end, e.name}, true
		}
	}
	return NamedEnding{}, false
}

// NamedEnding is an ending and which of all endings it is.
type NamedEnding struct {
	ending
	Name string
}

// endings are all that can end a message; the first that does is told.
var endings = []struct {
	name  string
	ended func(*triage.Pass, *evidence.Match) (ending, bool)
}{
	{"taken back by a later line", takenBack},
	{"outlived by its log", outlived},
	{"the kubelet took the shortage back", shortageEnd},
	{"room again", roomAgain},
	{"the kubelet only holds DiskPressure", heldPressure},
	{"refuted by a node report", refutedByReport},
	{"the plugin is searched elsewhere", searchesElsewhere},
	{"no configuration names the plugin", namedNoMore},
	{"the runtime answers again", servesAgain},
	{"limit raised", limitLifted},
	{"threads are free again", threadsAgain},
	{"no shim is left", noShimLeft},
	{"the kubelet stopped restarting", loopsNoMore},
	{"the network manager restarted", managerAnew},
	{"link has carrier again", carrierBack},
	{"the kernel module works", inTheKernel},
	{"the kubelet gives other reasons since", unnamed},
	{"the component became ready", readySince},
	{"the API server hears all kubelets", servesAll},
	{"end in the text of its kind", endOfKind},
}

// endOfKind looks for an end where messages of this kind have theirs.
func endOfKind(p *triage.Pass, m *evidence.Match) (ending, bool) {
	switch m.Kind {
	case evidence.TextCloud:
		return ending{By: "the same operation succeeded later, or the resource is well"}, cloudIsOver(p, m)
	case evidence.TextLog, "": // a text may be anything
		return logEnd(p, m)
	case evidence.TextEvent:
		return eventEnd(p, m)
	case evidence.TextStatus:
		return statusEnd(p, m)
	}
	return ending{}, false
}
