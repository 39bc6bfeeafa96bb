package ask

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// PredictOptions are a scenario.
type PredictOptions struct {
	// Nodes are the nodes to which the event happens.
	Nodes []string
	// Zone and Pool choose all nodes of a zone, of a pool, or of both.
	Zone, Pool string
	// Event is what happens; empty: the nodes are down already.
	Event predict.Event
	// BackAfter is when the nodes return, since the event, or from now on if they are down; nil: they do not.
	BackAfter *time.Duration
	// Taint is the taint of the event taint, as key=value:NoExecute.
	Taint string
	// TolerationSeconds is how long pods tolerate a lost node; nil: as long as each pod says.
	TolerationSeconds *int64
	// Replicas is how many pods each workload wants; nil: as many as it says.
	Replicas *int
	// ManagerFlags are flags of kube-controller-manager that differ from its defaults.
	ManagerFlags map[string]string
	// ManagerRestart is when kube-controller-manager ends and another one takes the lead; nil: it runs on.
	ManagerRestart *time.Duration
}

// Prediction is a forecast with the evidence that it rests on.
type Prediction struct {
	Forecast *predict.Forecast
	Snapshot *evidence.Snapshot
}

// Predict forecasts what happens to every pod of nodes after an event.
func Predict(ctx context.Context, from From, opt PredictOptions) (*Prediction, error) {
	if opt.Event != "" && !slices.Contains(predict.Events, opt.Event) {
		return nil, usagef("predict event %q: %s", opt.Event, wording.OneOf(string(opt.Event), predict.Events))
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
			return nil, &UsageError{err}
		}
		return forecast, nil
	})
	if err != nil {
		return nil, err
	}
	return &Prediction{forecast, l.snapshot}, nil
}

// scenario is what the options ask for, on the nodes that they choose from the evidence.
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
			return sc, usagef("predict: the evidence has no node%s; nodetriage nodes shows zones and pools", opt.chosen())
		}
		sc.Group = found
	}
	if len(sc.Nodes)+len(sc.Group) == 0 {
		return sc, usagef("predict: name a NODE, or all nodes of a --zone or --pool")
	}
	for _, n := range sc.Nodes {
		if s.Node(n) == nil {
			return sc, noNode(s, "predict node "+report.Clean(n), n)
		}
	}
	return sc, nil
}

// chosen says what the options ask of a node.
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

// choose lists the nodes of the zone and pool. Without an event only those that are down are meant.
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
