package upgrade

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// nodeStart is how long a machine takes to become a node that accepts pods, if the cloud does not report it.
var nodeStart = plan.Within(time.Minute, 10*time.Minute)

// resolve sets the settings: given ones first, then the pool's, then the defaults of the style.
func (u *Plan) resolve(s *evidence.Snapshot, p *pool, opt Options) (Settings, error) {
	set := Settings{Style: opt.Style, NodeStart: opt.NodeStart}
	if set.Style == "" {
		set.Style = styleOf(p.label)
		u.assume("upgrade strategy %s, detected from the pool label %s", set.Style, p.label)
	}
	if !slices.Contains(Styles, set.Style) {
		return set, fmt.Errorf("unknown style %q; use one of %s", opt.Style, StyleNames())
	}
	w := strategies[set.Style]
	u.assume("%s", w.says)
	ofCloud := &evidence.CloudPool{}
	if p.cloud != nil && set.Style == AKS {
		ofCloud = p.cloud
	}
	var err error
	set.MaxUnavailable, err = nodesOf("max-unavailable", cmp.Or(opt.MaxUnavailable, ofCloud.MaxUnavailable, "0"), p.size)
	if err != nil {
		return set, err
	}
	if set.Style == EKS || w.blueGreen {
		set.MaxUnavailable = max(1, set.MaxUnavailable)
	}
	if err := set.surges(u, w, p, ofCloud, opt); err != nil {
		return set, err
	}
	if set.Surge == 0 && set.MaxUnavailable == 0 {
		return set, fmt.Errorf("surge and max-unavailable are both 0: no node could be replaced; raise one of them")
	}
	if err := set.drains(u, w, ofCloud, opt); err != nil {
		return set, err
	}
	if set.NodeStart == (plan.Interval{}) {
		set.NodeStart = nodeStart
		u.assume("a new or reimaged node is schedulable after %s to %s (--node-start)", wording.Duration(nodeStart.Earliest()), wording.Duration(nodeStart.Latest()))
	}
	u.assume("nodes are replaced in batches, in the order of their names (providers do not guarantee an order)")
	u.assume("the scheduler picks the emptiest fitting node, without preemption")
	return set, nil
}

// surges resolves how many nodes are added. MaxUnavailable is resolved before.
func (s *Settings) surges(u *Plan, w strategy, p *pool, ofCloud *evidence.CloudPool, opt Options) (err error) {
	surge := opt.Surge
	if surge == "" && opt.MaxUnavailable == "" {
		surge = ofCloud.MaxSurge
	}
	switch {
	case w.blueGreen && surge != "":
		return fmt.Errorf("invalid surge %q: %s adds as many nodes as the pool has", wording.Cut(surge, 40), s.Style)
	case w.blueGreen:
		surge = "100%"
	case surge != "":
	case s.Style == EKS:
		surge = strconv.Itoa(max(2*len(p.zones()), s.MaxUnavailable))
	case s.MaxUnavailable > 0 && !w.addsUp:
		surge = "0" // in place
	default:
		surge = w.surge
		u.assume("surge is %s (default; the pool's setting was not read)", surge)
	}
	if s.Surge, err = nodesOf("surge", surge, p.size); err != nil {
		return err
	}
	s.Surge = min(s.Surge, max(len(p.nodes), 2*len(p.zones())))
	return nil
}

// drains resolves the settings for the drain of one node.
func (s *Settings) drains(u *Plan, w strategy, ofCloud *evidence.CloudPool, opt Options) error {
	s.DrainTimeout, s.Undrainable = w.timeout, w.undrainable
	switch {
	case opt.DrainTimeout != nil:
		s.DrainTimeout = *opt.DrainTimeout
	case ofCloud.DrainTimeout > 0:
		s.DrainTimeout = ofCloud.DrainTimeout
	case w.timeout > 0:
		u.assume("the drain of a node times out after %s (default)", wording.Duration(w.timeout))
	}
	if s.DrainTimeout < 0 {
		return fmt.Errorf("invalid drain timeout %s: it is negative", s.DrainTimeout)
	}
	if s.Soak = ofCloud.Soak; opt.Soak != nil {
		s.Soak = *opt.Soak
	}
	undrainable := cmp.Or(opt.Undrainable, ofCloud.Undrainable)
	switch {
	case undrainable == "":
	case s.Style == EKS && strings.EqualFold(undrainable, "force"):
		s.Undrainable = Force
	case s.Style == AKS && strings.EqualFold(undrainable, "cordon"):
		s.Undrainable = Quarantine
	case s.Style != AKS || !strings.EqualFold(undrainable, "schedule"):
		return fmt.Errorf("invalid --undrainable %q: use schedule or cordon with style aks, force with style eks; other styles have no such setting", wording.Cut(undrainable, 40))
	}
	switch {
	case s.DrainTimeout == 0:
		s.Undrainable = WaitOn
	case s.Undrainable == WaitOn:
		s.Undrainable = Stop
	}
	return nil
}

// nodesOf returns the number of nodes of a number or a percentage, rounded up.
func nodesOf(what, value string, nodes int) (int, error) {
	v := intstr.Parse(value)
	n, err := intstr.GetScaledValueFromIntOrPercent(&v, nodes, true)
	if err != nil || n < 0 || n > 5000 {
		return 0, fmt.Errorf("invalid %s %q: use a number of nodes or a percentage such as 33%%", what, wording.Cut(value, 40))
	}
	return n, nil
}

func (u *Plan) assume(format string, args ...any) {
	u.Assumptions = append(u.Assumptions, fmt.Sprintf(format, args...))
}

// width returns how many nodes are drained at a time.
func (s Settings) width() int {
	switch {
	case s.Style == EKS || strategies[s.Style].blueGreen:
		return s.MaxUnavailable
	case strategies[s.Style].addsUp:
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
