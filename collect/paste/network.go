package paste

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// network reads a CNI configuration printed by cat. The runtime uses the first one by name.
type network struct {
	p    *page
	file string
	text strings.Builder
	at   line
}

// outputNetwork starts after a command that prints one such file, or all of them.
func outputNetwork(p *page, c *command) reader {
	if len(c.words) != 2 || c.filtered() || !c.sure || cniDir(path.Dir(c.words[1])) != "config" {
		return nil
	}
	return &network{p: p, file: c.words[1], at: line{no: p.no, text: c.raw}}
}

func (n *network) take(l line) bool {
	text := strings.TrimSpace(l.text)
	if n.text.Len() == 0 && !strings.HasPrefix(text, "{") || n.text.Len() > maxNetwork {
		return text == "" && n.text.Len() == 0
	}
	if json.Valid([]byte(n.text.String())) {
		return false
	}
	n.text.WriteString(l.text + "\n")
	return true
}

// maxNetwork bounds the text of one configuration.
const maxNetwork = 64 << 10

func (n *network) close(ending) {
	data := []byte(n.text.String())
	if !json.Valid(data) || !n.p.text.room("listings", n.at) {
		return // truncated, or no such file
	}
	c, net := n.p.cni(n.at), &nodereport.Network{File: n.file}
	if c.Network != nil && c.Network.File <= n.file {
		return
	}
	if err := nodereport.ReadNetwork(data, net); err != nil {
		net.Error = err.Error()
	}
	if c.Network = net; c.BinDir == "" {
		c.BinDir = "/opt/cni/bin"
	}
	matchPlugins(c)
}

// cni returns the CNI state of the current machine.
func (p *page) cni(l line) *nodereport.CNI {
	r := p.node()
	if r.CNI == nil {
		r.CNI = &nodereport.CNI{Ref: quote(l)}
	}
	return r.CNI
}

// matchPlugins compares the plugins of the network with the listed binaries.
func matchPlugins(c *nodereport.CNI) {
	if c.Network == nil || c.Binaries == nil {
		return
	}
	for i := range c.Network.Plugins {
		p := &c.Network.Plugins[i]
		switch {
		case !slices.Contains(c.Binaries, p.Type):
			p.State = "missing"
		case slices.Contains(c.Hollow, p.Type):
			p.State = "empty"
		default:
			p.State = "ok"
		}
	}
}
