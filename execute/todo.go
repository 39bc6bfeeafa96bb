package execute

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/mechanics"
)

// todo returns the pods to evict, in the order of the plan, and the pods that are terminating.
func (d *drainer) todo(pods []*pod) (evict, going []*pod) {
	for _, p := range pods {
		action, _ := mechanics.DrainOf(p.Pod)
		switch {
		case action == mechanics.Skip:
		case !p.evicted.IsZero() || action == mechanics.AwaitEnd:
			going = append(going, p)
		default:
			evict = append(evict, p)
		}
	}
	slices.SortStableFunc(evict, func(a, b *pod) int { return d.wave(a) - d.wave(b) })
	return evict, going
}

// wave returns the wave of the pod in the plan. Pods that arrived later are last.
func (d *drainer) wave(p *pod) int {
	if planned := d.planned[p.Key()]; planned != nil {
		return planned.Wave
	}
	return len(d.plan.Pods) + 1
}

// withheld returns why the pod must not be evicted: the user did not accept the loss, or the eviction would have no
// effect. "" means evictable.
func (d *drainer) withheld(p *pod) string {
	for _, loss := range mechanics.Loses(p.Pod) {
		if k := drain.Kind(loss); !slices.Contains(d.opt.Accept, k) {
			return fmt.Sprintf("%s: evict it with --accept %s", k, k)
		}
	}
	planned := d.planned[p.Key()]
	if planned == nil {
		if !p.Created.Before(d.begun) && mechanics.ToleratesCordon(p.Pod) {
			return string(drain.ComesBack) + ": it was scheduled to the cordoned node because it tolerates the cordon; its replacement would be scheduled there too"
		}
		return ""
	}
	for _, b := range planned.Blockers {
		switch b.Kind {
		case drain.Silent, drain.RuntimeDown:
		case drain.ComesBack:
			if planned.Action != drain.Block {
				continue
			}
		case drain.LocalVolume, drain.NoRoom, drain.HostData:
			if slices.Contains(d.opt.Accept, b.Kind) {
				continue
			}
		default:
			continue
		}
		return string(b.Kind) + ": " + b.Detail
	}
	return ""
}
