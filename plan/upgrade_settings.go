package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/evidence"
)

// nodeStart is how long a machine takes to become a node that takes pods, where nobody told.
var nodeStart = Interval{time.Minute, 10 * time.Minute}

// settle finds the settings: those that were given first, then the pool's own, then the style's defaults.
func (u *Upgrade) settle(s *evidence.Snapshot, p *pool, opt UpgradeOptions) (Settings, error) {
	set := Settings{Style: opt.Style, NodeStart: opt.NodeStart}
	if set.Style == "" {
		set.Style = styleOf(p.label)
		u.assume("the pool's label %s says that it is replaced in the style %s", p.label, set.Style)
	}
	if !slices.Contains(Styles, set.Style) {
		return set, fmt.Errorf("style %q: use one of aks, eks, gke, plain", opt.Style)
	}
	w := ways[set.Style]
	u.assume("%s", w.says)
	told := &evidence.CloudPool{}
	if p.cloud != nil && set.Style == AKS {
		told = p.cloud
	}
	var err error
	set.MaxUnavailable, err = nodesOf("max-unavailable", cmp.Or(opt.MaxUnavailable, told.MaxUnavailable, "0"), len(p.nodes))
	if err != nil {
		return set, err
	}
	if set.Style == EKS || w.twin {
		set.MaxUnavailable = max(1, set.MaxUnavailable)
	}
	surge := opt.Surge
	if surge == "" && opt.MaxUnavailable == "" {
		surge = told.MaxSurge
	}
	switch {
	case w.twin && surge != "":
		return set, fmt.Errorf("surge %q: %s adds as many nodes as the pool has", shorten(surge, 40), set.Style)
	case w.twin:
		surge = "100%"
	case surge != "":
	case set.Style == EKS:
		surge = strconv.Itoa(max(2*len(p.zones()), set.MaxUnavailable))
	case set.MaxUnavailable > 0 && !w.both:
		surge = "0" // in place
	default:
		surge = w.surge
		u.assume("surge is %s, the default; the pool's own setting was not read", surge)
	}
	if set.Surge, err = nodesOf("surge", surge, len(p.nodes)); err != nil {
		return set, err
	}
	set.Surge = min(set.Surge, max(len(p.nodes), 2*len(p.zones())))
	if set.Surge == 0 && set.MaxUnavailable == 0 {
		return set, fmt.Errorf("surge 0 and max-unavailable 0: no node could ever be replaced; raise one of them")
	}
	if err := set.drains(u, w, told, opt); err != nil {
		return set, err
	}
	if set.NodeStart == (Interval{}) {
		set.NodeStart = nodeStart
		u.assume("a new or renewed node takes pods after %s to %s (--node-start)", nodeStart.From, nodeStart.To)
	}
	u.assume("nodes are replaced in the order of their names, batch after batch; no provider promises an order")
	u.assume("the scheduler picks the emptiest of the nodes on which a pod fits, and ends no pod in favour of another")
	return set, nil
}

// drains settles what concerns the drain of one node.
func (set *Settings) drains(u *Upgrade, w way, told *evidence.CloudPool, opt UpgradeOptions) error {
	set.DrainTimeout, set.Undrainable = w.timeout, w.late
	switch {
	case opt.DrainTimeout != nil:
		set.DrainTimeout = *opt.DrainTimeout
	case told.DrainTimeout > 0:
		set.DrainTimeout = told.DrainTimeout
	case w.timeout > 0:
		u.assume("the drain of a node is given up after %s, the default", w.timeout)
	}
	if set.DrainTimeout < 0 {
		return fmt.Errorf("drain timeout %s: it must not be negative", set.DrainTimeout)
	}
	if set.Soak = told.Soak; opt.Soak != nil {
		set.Soak = *opt.Soak
	}
	late := cmp.Or(opt.Undrainable, told.Undrainable)
	switch {
	case late == "":
	case set.Style == EKS && strings.EqualFold(late, "force"):
		set.Undrainable = Force
	case set.Style == AKS && strings.EqualFold(late, "cordon"):
		set.Undrainable = Quarantine
	case set.Style != AKS || !strings.EqualFold(late, "schedule"):
		return fmt.Errorf("undrainable %q: use schedule or cordon with style aks, force with style eks; others have no such setting", shorten(late, 40))
	}
	switch {
	case set.DrainTimeout == 0:
		set.Undrainable = WaitOn
	case set.Undrainable == WaitOn:
		set.Undrainable = Stop
	}
	return nil
}

// nodesOf counts the nodes that a number or a percentage stands for, rounded up.
func nodesOf(what, value string, nodes int) (int, error) {
	v := intstr.Parse(value)
	n, err := intstr.GetScaledValueFromIntOrPercent(&v, nodes, true)
	if err != nil || n < 0 || n > 5000 {
		return 0, fmt.Errorf("%s %q: use a number of nodes or a percentage like 33%%", what, shorten(value, 40))
	}
	return n, nil
}

func (u *Upgrade) assume(format string, args ...any) {
	u.Assumptions = append(u.Assumptions, fmt.Sprintf(format, args...))
}

// width is how many nodes are drained at a time.
func (s Settings) width() int {
	switch {
	case s.Style == EKS || ways[s.Style].twin:
		return s.MaxUnavailable
	case ways[s.Style].both:
		return s.Surge + s.MaxUnavailable
	case s.Surge > 0:
		return s.Surge
	}
	return s.MaxUnavailable
}

// MarshalJSON writes durations like "30m0s".
func (s Settings) MarshalJSON() ([]byte, error) {
	type plain Settings
	return json.Marshal(struct {
		plain
		DrainTimeout string `json:"drainTimeout"`
		Soak         string `json:"soak"`
	}{plain(s), s.DrainTimeout.String(), s.Soak.String()})
}
