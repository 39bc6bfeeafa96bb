package repair

import (
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// ends are the nodes whose running system ends with the change, or may: where the cloud chooses, all that it can choose.
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
	case cloud.Reconcile: // an upgrade that goes on reimages nodes
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
