package upgrade

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Underway is the progress of a running upgrade of the pool.
type Underway struct {
	Done  []string   `json:"done"`            // nodes that are up to date and are not replaced again
	At    string     `json:"at,omitempty"`    // node that is cordoned for it; empty: none
	Since *time.Time `json:"since,omitempty"` // when it was cordoned; null: unknown
}

// takeDone removes the nodes that a running upgrade has replaced; nil if none is running.
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
	if len(left) == 0 { // the target of the change is unknown
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

// isAsWanted reports whether the node has the image and the version of the pool, as far as both are known.
func isAsWanted(n *evidence.Node, c *evidence.CloudPool) bool {
	image, version := triage.NodeImage(n), strings.TrimPrefix(n.Node.Status.NodeInfo.KubeletVersion, "v")
	if image == "" || c.Image == "" {
		return false // the version alone does not show an upgrade of images
	}
	return image == c.Image && (c.Version == "" || version == c.Version || strings.HasPrefix(version, c.Version+"."))
}
