package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// namedInLines match messages that name a node, a pod with its namespace, a registry, or a folder of the kubelet.
var namedInLines = []*lazyregexp.Regexp{
	lazyregexp.New(`\bpod="(?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)"`),
	lazyregexp.New(`\bpod=(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)\(`),
	lazyregexp.New(`(?:^|[\s"'(])(?P<namespace>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+-[bcdf-hj-np-tv-xz2456789]{8,10}-[bcdf-hj-np-tv-xz2456789]{5})\b`),
	lazyregexp.New(`\bnode="(?P<node>[a-z0-9.-]+)"`),
	lazyregexp.New(`\bon node "?(?P<node>[a-z0-9](?:[a-z0-9.-]*\d[a-z0-9.-]*[a-z0-9])?)"?(?:[:,;.]|\s|$)`),
	lazyregexp.New(`\bkubelet, (?P<node>[a-z0-9][a-z0-9.-]*[a-z0-9])\s`),
	lazyregexp.New(`^(?P<node>[a-z0-9][a-z0-9.-]*): +(?:kern|user|daemon): +[a-z]+: +\[`), // talosctl dmesg
	lazyregexp.New(`https?://(?P<registry>[a-z0-9.-]+\.[a-z0-9.-]+(?::\d+)?)/v2/`),
	lazyregexp.New(`\berror deleting (?P<path>/var/lib/kubelet/pods/[^\s":]+)`),
}

// namesOfLines are the group names of namedInLines.
var namesOfLines = []string{"namespace", "pod", "node", "registry", "path"}

// lines puts the names from the messages of the statements, if all messages agree on a name.
func lines(group []*statement, put func(name, value string)) {
	found := map[string][]string{}
	for _, st := range group {
		for _, c := range st.claims {
			for _, e := range c.Evidence {
				if e.By != evidence.ByApplication { // the output of applications must not fill commands
					namedIn(e.Text, found)
				}
			}
		}
	}
	for name, values := range found {
		if len(values) == 1 {
			put(name, values[0])
		}
	}
}

// namedIn adds the names in a text, each value once.
func namedIn(text string, found map[string][]string) {
	for _, re := range namedInLines {
		for _, m := range re.FindAllStringSubmatch(strings.TrimSpace(text), -1) {
			for _, name := range namesOfLines {
				i := re.SubexpIndex(name)
				ofKind := name == "namespace" && i > 0 && m[i] == "pod" // "pod/NAME" is a kind and a name
				if i > 0 && !ofKind && !slices.Contains(found[name], m[i]) {
					found[name] = append(found[name], m[i])
				}
			}
		}
	}
}
