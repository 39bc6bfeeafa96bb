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

// Plan is the plan of a pool's rolling replacement, in its stable JSON form.
type Plan struct {
	APIVersion  string              `json:"apiVersion"`
	Kind        string              `json:"kind"`    // UpgradePlan
	TakenAt     *time.Time          `json:"takenAt"` // null: the evidence tells no time
	Source      string              `json:"source"`
	Pool        string              `json:"pool"`
	Settings    Settings            `json:"settings"`
	Underway    *Underway           `json:"underway"` // null: no upgrade of it was seen to run
	Verdict     plan.Verdict        `json:"verdict"`
	Duration    plan.Interval       `json:"duration"` // until its end, or until it is stuck
	Nodes       []string            `json:"nodes"`    // in the order in which they are replaced
	Steps       []Step              `json:"steps"`
	Stuck       []Stuck             `json:"stuck"` // nodes that do not become empty, the first one first
	First       *Change             `json:"first"` // what to change before it begins; null: nothing has to be
	Moves       int                 `json:"moves"` // evictions in all; pods may move more than once
	Peak        Peak                `json:"peak"`
	Left        []Homeless          `json:"left"`   // pods without a place when it is over
	Lost        []string            `json:"lost"`   // pods that nobody makes again
	Forced      []string            `json:"forced"` // pods that are ended against their budgets
	Needs       Needs               `json:"needs"`
	SideEffects []string            `json:"sideEffects"`
	Assumptions []string            `json:"assumptions"`
	NotChecked  []triage.NotChecked `json:"notChecked"`
}

// Settings are those of the rolling replacement, as they were found or taken for granted.
type Settings struct {
	Style          Style         `json:"style"`
	Surge          int           `json:"surge"`          // nodes more than usual
	MaxUnavailable int           `json:"maxUnavailable"` // nodes that may be away without one in their place
	DrainTimeout   time.Duration `json:"-"`              // of one node; zero: it waits for ever
	Soak           time.Duration `json:"-"`              // wait between the end of a drain and the replacement
	Undrainable    string        `json:"undrainable"`    // what becomes of a node that does not become empty: stop, quarantine, force, wait
	NodeStart      plan.Interval `json:"nodeStart"`      // until a new or renewed node takes pods
}

// Step is one batch of nodes.
type Step struct {
	Nodes []string `json:"nodes"`
	// Begin and End count from the beginning of the upgrade.
	Begin plan.Interval `json:"begin"`
	End   plan.Interval `json:"end"`
	Moves int           `json:"moves"`
	// Waiting is the most pods of this step that had no place at one time.
	Waiting int `json:"waiting"`
}

// Stuck is a node that does not become empty.
type Stuck struct {
	Node    string        `json:"node"`
	At      plan.Interval `json:"at"`
	Certain bool          `json:"certain"` // else only if pods take long, or come to run there
	Done    int           `json:"done"`    // nodes that are replaced by then
	Then    string        `json:"then"`    // what becomes of the node and of the upgrade
	Pods    []StuckPod    `json:"pods"`

	byPlacement bool // only pods are on it that it was picked for
}

// StuckPod is a pod that stays on its node, and why.
type StuckPod struct {
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Blockers  []drain.Blocker `json:"blockers"`
}

// Change is what to do before the upgrade begins.
type Change struct {
	Why      string       `json:"why"`
	Commands []shell.Text `json:"commands"`
	Harm     string       `json:"harm"`
}

// Peak is the worst moment for pods.
type Peak struct {
	Pods int           `json:"pods"` // without a place
	At   plan.Interval `json:"at"`
	Some []string      `json:"some"` // workloads of some of them
	Says string        `json:"says"` // the scheduler, of the first
}

// Homeless is a pod that no node takes.
type Homeless struct {
	Workload string `json:"workload"`
	Says     string `json:"says"` // the scheduler
}

// Needs are what the new nodes take, beyond what is in use.
type Needs struct {
	Nodes     int    `json:"nodes"`
	Cores     int64  `json:"cores"`
	Memory    int64  `json:"memoryBytes"`
	Addresses int    `json:"addresses"` // of the nodes' subnet
	PerNode   string `json:"perNode"`   // how the addresses are counted
	// What is left of quota and subnet; null: not known.
	CoresLeft     *int64 `json:"coresLeft"`
	AddressesLeft *int   `json:"addressesLeft"`
}

// Options say what is asked. What is left out is taken from the pool's evidence, or taken for granted.
type Options struct {
	Pool           string
	Now            time.Time // to judge by; zero: when the evidence was taken
	Style          Style
	Surge          string // a number or a percentage
	MaxUnavailable string
	DrainTimeout   *time.Duration // zero: forever
	Soak           *time.Duration
	Undrainable    string        // schedule, cordon or force
	NodeStart      plan.Interval // zero: not told
	// Board makes a board of the evidence, one for each run.
	Board placement.Open
}

// New simulates the rolling replacement of a pool, at least twice: as fast and as slow as it may be. Two more runs widen
// the duration where that applies:
//   - the longest: a slow run that gets stuck ends early; so the drains that only the slow run fails finish just in time;
//   - the shortest: where pods hold a node that the scheduler might not have picked for them, a fast run without them.
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
	u.countNeeds(s, p)
	v := clusterview.New(s, opt.Now)
	run := func(slow bool, onTime, assumedElsewhere map[string]bool) (*rollout, error) {
		board, err := opt.Board(s)
		if err != nil {
			return nil, fmt.Errorf("place the pods of pool %s: %w", p.name, err)
		}
		r := newRollout(v, u.Settings, p, board, slow)
		r.onTime, r.assumedElsewhere = onTime, assumedElsewhere
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
	u.effects(v, p)
	u.unread(v, p)
	u.conclude()
	return u, nil
}
