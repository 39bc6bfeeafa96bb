package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// pluginNotFound is what says that a network plugin is in none of some folders (containernetworking/cni pkg/invoke/find.go, v1.3).
var pluginNotFound = lazyregexp.New(`failed to find plugin \\*"([^"\\]{1,100})\\*" in path \[([^\]]{1,300})\]`)

// refutedByReport reports whether a report of the node that was made after a message shows the network plugin that the message
// missed.
func refutedByReport(p *triage.Pass, m *evidence.Match) (ending, bool) {
	found := pluginNotFound.FindStringSubmatch(lastText(m))
	node := NodeOf(p.Snapshot, m.Subject)
	if found == nil || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		if c := r.CNI; c != nil && r.TakenAt.After(m.Last) && slices.Contains(strings.Fields(found[2]), c.BinDir) && slices.Contains(c.Binaries, found[1]) && !LacksPlugin(c) {
			return ending{"plugin " + found[1] + " is in " + c.BinDir + " again", r.TakenAt}, true
		}
	}
	return ending{}, false
}

// searchesElsewhere reports whether a report of the node shows that the runtime was started after a message that missed a plugin, is told to
// search another folder, has the plugin there, and has run for long enough to miss it again.
func searchesElsewhere(p *triage.Pass, m *evidence.Match) (ending, bool) {
	found := pluginNotFound.FindStringSubmatch(lastText(m))
	node := NodeOf(p.Snapshot, m.Subject)
	if found == nil || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		c := r.CNI
		if c == nil || slices.Contains(strings.Fields(found[2]), c.BinDir) || !slices.Contains(c.Binaries, found[1]) || LacksPlugin(c) {
			continue
		}
		for _, u := range r.Units {
			if runtimeUnits[u.Name] && u.Active == "active" && u.Since.After(m.Last) && r.TakenAt.Sub(u.Since) > settled {
				return ending{fmt.Sprintf("%s runs since %s and has plugin %s in %s", u.Name, stamp(u.Since), found[1], c.BinDir), u.Since}, true
			}
		}
	}
	return ending{}, false
}

var runtimeUnits = map[string]bool{"containerd.service": true, "crio.service": true, "docker.service": true, "k3s.service": true, "k3s-agent.service": true, "rke2-agent.service": true, "rke2-server.service": true}

// pluginCalled is how the library that calls plugins names the one that failed (containernetworking/cni libcni/api.go, v1.3).
var pluginCalled = lazyregexp.New(`plugin type=\\*"([^"\\]{1,100})\\*"`)

// namedNoMore reports whether a report of the node, made so much later that the plugin would have been missed again, shows that the
// configuration of the network does not name the plugin that was called, and that those it names are there. A plugin that calls others
// may still want what it did not find, and a runtime calls loopback by itself.
func namedNoMore(p *triage.Pass, m *evidence.Match) (ending, bool) {
	text := lastText(m)
	called := pluginCalled.FindStringSubmatch(text)
	node := NodeOf(p.Snapshot, m.Subject)
	if called == nil || called[1] == "loopback" || !pluginNotFound.MatchString(text) || node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, r := range p.Snapshot.Reports(node) {
		c := r.CNI
		if c == nil || c.Network == nil || len(c.Network.Plugins) == 0 || c.Network.Error != "" || LacksPlugin(c) || r.TakenAt.Sub(m.Last) <= again(m) {
			continue
		}
		if !slices.ContainsFunc(c.Network.Plugins, func(plugin nodereport.Plugin) bool { return plugin.Type == called[1] }) {
			return ending{c.Network.File + " does not name plugin " + called[1], r.TakenAt}, true
		}
	}
	return ending{}, false
}
