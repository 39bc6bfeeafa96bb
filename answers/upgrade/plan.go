package upgrade

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
)

// Plan is the plan of a pool's rolling upgrade, in its stable JSON form.
type Plan struct {
	APIVersion  string              `json:"apiVersion"`
	Kind        string              `json:"kind"`    // UpgradePlan
	TakenAt     *time.Time          `json:"takenAt"` // null: the evidence has no time
	Source      string              `json:"source"`
	Pool        string              `json:"pool"`
	Settings    Settings            `json:"settings"`
	Underway    *Underway           `json:"underway"`             // null: no running upgrade was detected
	Unfinished  string              `json:"unfinished,omitempty"` // what shows that an earlier upgrade is not finished
	Verdict     plan.Verdict        `json:"verdict"`
	Duration    plan.Interval       `json:"duration"` // until its end, or until it is stuck
	Nodes       []string            `json:"nodes"`    // in the order in which they are replaced
	Steps       []Step              `json:"steps"`
	Stuck       []Stuck             `json:"stuck"` // nodes that cannot be drained, in order
	First       *Change             `json:"first"` // what to change before it begins; null: nothing
	Moves       int                 `json:"moves"` // evictions in total; pods may move more than once
	Peak        Peak                `json:"peak"`
	Left        []Homeless          `json:"left"`   // pods without a node at the end
	Lost        []string            `json:"lost"`   // pods that no controller creates again
	Forced      []string            `json:"forced"` // pods that are terminated against their PodDisruptionBudgets
	Needs       Needs               `json:"needs"`
	Outages     []drain.Outage      `json:"outages,omitempty"` // workloads without a ready pod while their pods move
	Gates       []Gate              `json:"gates,omitempty"`   // health monitors that can stop it
	SideEffects []string            `json:"sideEffects"`
	Assumptions []string            `json:"assumptions"`
	NotChecked  []triage.NotChecked `json:"notChecked"`
}

// Settings are the settings of the rolling upgrade, found or assumed.
type Settings struct {
	Style          Style         `json:"style"`
	Surge          int           `json:"surge"`          // additional nodes
	MaxUnavailable int           `json:"maxUnavailable"` // nodes that may be unavailable without a replacement
	DrainTimeout   time.Duration `json:"-"`              // of one node; zero: no timeout
	Soak           time.Duration `json:"-"`              // wait between the end of a drain and the replacement
	Undrainable    string        `json:"undrainable"`    // what happens to a node that cannot be drained: stop, quarantine, force, wait
	NodeStart      plan.Interval `json:"nodeStart"`      // until a new or reimaged node accepts pods
}

// Step is one batch of nodes.
type Step struct {
	Nodes []string `json:"nodes"`
	// Begin and End count from the start of the upgrade.
	Begin plan.Interval `json:"begin"`
	End   plan.Interval `json:"end"`
	Moves int           `json:"moves"`
	// Waiting is the maximum number of pods of this step that were Pending at one time.
	Waiting int `json:"waiting"`
}

// Stuck is a node that cannot be drained.
type Stuck struct {
	Node    string        `json:"node"`
	At      plan.Interval `json:"at"`
	Certain bool          `json:"certain"` // else only if pods take long, or are scheduled to it
	Done    int           `json:"done"`    // nodes that are replaced before
	Then    string        `json:"then"`    // what happens to the node and to the upgrade
	Pods    []StuckPod    `json:"pods"`

	byPlacement bool // it has only pods that the simulation placed on it
}

// StuckPod is a pod that blocks its node, and the reason.
type StuckPod struct {
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Blockers  []drain.Blocker `json:"blockers"`
}

// Change is a change to make before the upgrade begins.
type Change struct {
	Why      string       `json:"why"`
	What     string       `json:"what,omitempty"` // what the commands do
	Commands []shell.Text `json:"commands"`
	Harm     string       `json:"harm"`
	Or       []plan.Way   `json:"or,omitempty"` // other ways
}

// Peak is the worst moment for pods.
type Peak struct {
	Pods int           `json:"pods"` // Pending
	At   plan.Interval `json:"at"`
	Some []string      `json:"some"` // some of their workloads
	Says string        `json:"says"` // the scheduler's message for the first
}

// Homeless is a pod that fits on no node.
type Homeless struct {
	Workload string `json:"workload"`
	Says     string `json:"says"` // the scheduler's message
}

// Needs is what the surge nodes need.
type Needs = clusterview.Needs

// Options are the options of a plan. Missing values come from the pool's evidence, or are assumed.
type Options struct {
	Pool           string
	Now            time.Time // to judge by; zero: when the evidence was taken
	Style          Style
	Surge          string // a number or a percentage
	MaxUnavailable string
	DrainTimeout   *time.Duration // zero: forever
	Soak           *time.Duration
	Undrainable    string        // schedule, cordon or force
	NodeStart      plan.Interval // zero: unknown
	// Board returns a board of the evidence, one for each run.
	Board placement.Open
}

// New simulates the rolling upgrade of a pool, at least twice: as fast and as slow as it may be. Two more runs widen the
// duration if necessary:
//   - the longest: a slow run that gets stuck ends early; so the drains that only the slow run fails finish just in time;
//   - the shortest: if pods block a node that the scheduler might not have picked for them, a fast run without them.
func New(s *evidence.Snapshot, opt Options) (*Plan, error) {
	p, err := findPool(s, opt.Pool)
	if err != nil {
		return nil, err
	}
	underway := p.takeDone()
	u := &Plan{
		Underway:   underway,
		APIVersion: evidence.APIVersion, Kind: "UpgradePlan", TakenAt: clusterview.At(s, opt.Now), Source: s.Data().Source.String(), Pool: opt.Pool, Nodes: p.names(),
		Steps: []Step{}, Stuck: []Stuck{}, Left: []Homeless{}, Lost: []string{}, Forced: []string{},
		SideEffects: []string{}, Assumptions: []string{}, NotChecked: []triage.NotChecked{},
	}
	if u.Settings, err = u.resolve(s, p, opt); err != nil {
		return nil, err
	}
	u.Needs = clusterview.NeedsOf(s, p.cloud, p.model(p.zones()[0]).Node, u.Settings.Surge)
	v := clusterview.New(s, opt.Now)
	before := opt.Board.Once(s)
	run := func(slow bool, onTime, assumedElsewhere map[string]bool) (*rollout, error) {
		board, err := opt.Board(s)
		if err != nil {
			return nil, fmt.Errorf("cannot place the pods of pool %s: %w", p.name, err)
		}
		r := newRollout(v, u.Settings, p, board, slow)
		r.onTime, r.assumedElsewhere, r.before = onTime, assumedElsewhere, before
		r.run()
		return r, nil
	}
	fast, err := run(false, nil, nil)
	if err != nil {
		return nil, err
	}
	slow, err := run(true, nil, nil)
	if err != nil {
		return nil, err
	}
	longest := slow
	stuck := fast.stuckNodes()
	if slices.ContainsFunc(slow.stuck, func(s Stuck) bool { return !stuck[s.Node] }) {
		if longest, err = run(true, stuck, nil); err != nil {
			return nil, err
		}
	}
	shortest := fast
	if elsewhere := fast.stuckByPlacement(); len(elsewhere) > 0 {
		if shortest, err = run(false, nil, elsewhere); err != nil {
			return nil, err
		}
	}
	u.merge(v, fast, slow, longest, shortest)
	u.effects(v, p, before)
	u.gates(s)
	u.unread(v, p)
	u.conclude()
	return u, nil
}
