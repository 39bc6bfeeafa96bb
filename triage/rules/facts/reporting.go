package facts

import (
	"regexp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// DialedAt matches the address in a failed call to a kubelet.
var DialedAt = regexp.MustCompile(`(?:dial tcp[46]? |://)(\[[0-9a-fA-F:]{2,45}\]|[^ :/]{1,80}):10250`)

// ReportingAt returns the node whose kubelet port the error is about, if that node reports.
func ReportingAt(p *triage.Pass, text string) *evidence.Node {
	found := DialedAt.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	address := strings.Trim(found[1], "[]")
	for _, n := range p.Snapshot.Nodes() {
		if (n.Name == address || InternalIP(n) == address) && Reports(p, n) {
			return n
		}
	}
	return nil
}

// Reports reports whether the node's heartbeats arrive, as far as the evidence shows.
func Reports(p *triage.Pass, n *evidence.Node) bool {
	fresh, _ := Beats(p, n.Name)
	return fresh == evidence.True || n.Ready() == evidence.True && fresh != evidence.False
}
