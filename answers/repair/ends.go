package repair

import (
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// ends returns the nodes that the change stops, or may stop. If the cloud chooses, these are all candidates.
func (r *repairer) ends() []string {
	var out []string
	if !r.mayEnd() {
		return nil
	}
	for _, n := range r.nodes {
		out = append(out, n.Name)
	}
	return out
}

func (r *repairer) mayEnd() bool {
	switch r.opt.Action {
	case cloud.UpgradeImage, cloud.DeletePool:
		return true
	case cloud.Refresh: // a machine of another model may be reimaged
		return r.st.Machine != nil && r.st.Machine.Latest != evidence.True
	case cloud.Reconcile: // a resumed upgrade reimages nodes
		return r.upgradePending()
	case cloud.ScalePool:
		have := len(r.nodes)
		if u := r.unit(); u != nil {
			have = max(have, u.Count)
		}
		return r.st.Change.Count < have
	}
	return r.stops()
}
