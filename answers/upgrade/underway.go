package upgrade

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Underway is how far an upgrade of the pool is that runs already.
type Underway struct {
	Done  []string   `json:"done"`            // nodes that have what the pool should have: they are not replaced again
	At    string     `json:"at,omitempty"`    // node that is closed for it; empty: none
	Since *time.Time `json:"since,omitempty"` // when that was closed; null: not known
}

// takeDone sets apart the nodes that an upgrade which runs already has replaced; nil where none runs.
func (p *pool) takeDone() *Underway {
	if p.cloud == nil || p.cloud.Stage != evidence.StageUpgrading {
		return nil
	}
	out := &Underway{Done: []string{}}
	var left []*evidence.Node
	for _, n := range p.nodes {
		if n.Spec.Unschedulable || !isAsWanted(n, p.cloud) {
			left = append(left, n)
			continue
		}
		out.Done = append(out.Done, n.Name)
	}
	if len(left) == 0 { // what changes is not told
		out.Done = []string{}
		return out
	}
	p.nodes = left
	for _, n := range left {
		if !n.Spec.Unschedulable {
			continue
		}
		at, _ := n.CordonedBy()
		if out.At == "" || !at.IsZero() && (out.Since == nil || at.Before(*out.Since)) {
			out.At, out.Since = n.Name, nil
			if !at.IsZero() {
				out.Since = &at
			}
		}
	}
	return out
}

// isAsWanted reports whether the node has the image and the version that the pool should have, as far as both are told.
func isAsWanted(n *evidence.Node, c *evidence.CloudPool) bool {
	image, version := triage.NodeImage(n), strings.TrimPrefix(n.Node.Status.NodeInfo.KubeletVersion, "v")
	if image == "" || c.Image == "" {
		return false // a version alone does not tell of an upgrade of images
	}
	return image == c.Image && (c.Version == "" || version == c.Version || strings.HasPrefix(version, c.Version+"."))
}
