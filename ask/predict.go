package ask

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// PredictOptions describe a scenario.
type PredictOptions struct {
	// Nodes are the nodes that the event affects.
	Nodes []string
	// Zone and Pool select all nodes of a zone, of a pool, or of both.
	Zone, Pool string
	// Event is the event; empty means that the nodes are down already.
	Event predict.Event
	// BackAfter is when the nodes return, counted from the event, or from now if they are down. If nil, they do not return.
	BackAfter *time.Duration
	// Taint is the taint of the event taint, as key=value:NoExecute.
	Taint string
	// TolerationSeconds overrides how long pods tolerate a lost node; nil means the value of each pod.
	TolerationSeconds *int64
	// Replicas overrides how many pods each workload wants; nil means the value of each workload.
	Replicas *int
	// ManagerFlags are flags of kube-controller-manager that differ from its defaults.
	ManagerFlags map[string]string
	// ManagerRestart is when kube-controller-manager stops and another instance becomes leader. If nil, it keeps running.
	ManagerRestart *time.Duration
}

// Prediction is a forecast and the evidence behind it.
type Prediction struct {
	Forecast *predict.Forecast
	Snapshot *evidence.Snapshot
}

// Predict forecasts the fate of every pod of the nodes after an event.
func Predict(ctx context.Context, from From, opt PredictOptions) (*Prediction, error) {
	if opt.Event != "" && !slices.Contains(predict.Events, opt.Event) {
		return nil, hintf(wording.OneOf(string(opt.Event), predict.Events), "invalid value %q for --event", opt.Event)
	}
	var n need
	if opt.Zone == "" && opt.Pool == "" {
		n.room = opt.Nodes
	}
	l, err := from.look(ctx, n)
	if err != nil {
		return nil, err
	}
	forecast, err := placed(ctx, l, func(s *evidence.Snapshot, board placement.Open) (*predict.Forecast, error) {
		sc, err := opt.scenario(s)
		if err != nil {
			return nil, err
		}
		sc.At, sc.Board = from.At, board
		forecast, err := predict.New(s, sc)
		if err != nil {
			return nil, refused(s, err)
		}
		return forecast, nil
	})
	if err != nil {
		return nil, err
	}
	return &Prediction{forecast, l.snapshot}, nil
}

// scenario returns the scenario of the options for the selected nodes.
func (opt *PredictOptions) scenario(s *evidence.Snapshot) (predict.Scenario, error) {
	sc := predict.Scenario{
		Nodes: opt.Nodes, Event: opt.Event, BackAfter: opt.BackAfter, TolerationSeconds: opt.TolerationSeconds, Replicas: opt.Replicas,
		ManagerFlags: opt.ManagerFlags, ManagerRestart: opt.ManagerRestart,
	}
	if sc.Event == "" {
		sc.Event = predict.AlreadyDown
	}
	if opt.Taint != "" {
		t, err := predict.ParseTaint(opt.Taint)
		if err != nil {
			return sc, &UsageError{err}
		}
		sc.Taint = t
	}
	if opt.Zone != "" || opt.Pool != "" {
		found := opt.choose(s)
		if len(found) == 0 {
			return sc, hintf("nodetriage nodes shows zones and pools", "the evidence contains no node%s", opt.chosen())
		}
		sc.Group = found
	}
	if len(sc.Nodes)+len(sc.Group) == 0 {
		return sc, hintf("nodetriage predict NODE, or --zone or --pool", "predict: no node is named")
	}
	for _, n := range sc.Nodes {
		if s.Node(n) == nil {
			return sc, noNode(s, n)
		}
	}
	return sc, nil
}

// chosen describes the selection of nodes.
func (opt *PredictOptions) chosen() string {
	var out string
	if opt.Event == "" {
		out += " that is down"
	}
	if opt.Zone != "" {
		out += fmt.Sprintf(" in zone %q", opt.Zone)
	}
	if opt.Pool != "" {
		out += fmt.Sprintf(" of pool %q", opt.Pool)
	}
	return out
}

// choose lists the nodes of the zone and pool. Without an event, it lists only the ones that are down.
func (opt *PredictOptions) choose(s *evidence.Snapshot) []string {
	var out []string
	for _, n := range s.Data().Nodes {
		_, pool := n.PoolLabel()
		inZone := opt.Zone == "" || predict.ZoneOf(n) == opt.Zone
		inPool := opt.Pool == "" || pool == opt.Pool
		if inZone && inPool && (opt.Event != "" || n.NotReady()) {
			out = append(out, n.Name)
		}
	}
	return out
}
