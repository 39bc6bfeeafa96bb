package ask

import (
	"context"
	"errors"
	"testing"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/triage"
)

// Invalid options are rejected: the reason first, then the alternatives.
func TestRefused(t *testing.T) {
	three := 3
	diagnose := func(opt DiagnoseOptions) func(context.Context, From) error {
		return func(ctx context.Context, from From) error { return second(Diagnose(ctx, from, opt)) }
	}
	filter := func(f triage.Filter) func(context.Context, From) error { return diagnose(DiagnoseOptions{Filter: &f}) }
	predict := func(opt PredictOptions) func(context.Context, From) error {
		return func(ctx context.Context, from From) error { return second(Predict(ctx, from, opt)) }
	}
	why := func(opt WhyOptions) func(context.Context, From) error {
		return func(ctx context.Context, from From) error { return second(Why(ctx, from, opt)) }
	}
	fix := func(opt RepairOptions) func(context.Context, From) error {
		return func(ctx context.Context, from From) error { return second(Repair(ctx, from, opt)) }
	}
	nodes := func(opt NodesOptions) func(context.Context, From) error {
		return func(ctx context.Context, from From) error { return second(Nodes(ctx, from, opt)) }
	}
	for want, ask := range map[string]func(context.Context, From) error{
		`node "m1" not found; did you mean n1?`:                                                      diagnose(DiagnoseOptions{Nodes: []string{"m1"}}),
		`--severity "errr": did you mean error?`:                                                     filter(triage.Filter{Severity: "errr"}),
		`--certainty "x": use one of certain, likely, possible`:                                      filter(triage.Filter{Certainty: "x"}),
		`unknown --cause "disk-presure": did you mean disk-pressure?`:                                filter(triage.Filter{Causes: []string{"disk-presure"}}),
		`--pool "blue" has no nodes: use one of a`:                                                   filter(triage.Filter{Pools: []string{"blue"}}),
		`--namespace "shpo": not in the evidence; did you mean shop?`:                                filter(triage.Filter{Namespace: "shpo"}),
		`--namespace "a-long-one": not in the evidence; list namespaces with kubectl get namespaces`: filter(triage.Filter{Namespace: "a-long-one"}),

		`node "worker-17" not found in the evidence`: func(ctx context.Context, from From) error {
			return second(Node(ctx, from, NodeOptions{Name: "worker-17"}))
		},
		`node "n1t" not found; did you mean n1?`: func(ctx context.Context, from From) error {
			return second(Timeline(ctx, from, TimelineOptions{Node: "n1t"}))
		},
		`no node matches selector "pool=blue" (3 nodes)`: nodes(NodesOptions{Selector: "pool=blue"}),
		`--since 1s must be longer ago than --until 1s`: func(ctx context.Context, from From) error {
			return second(Operations(ctx, from, OperationsOptions{Since: 1e9, Until: 1e9}))
		},
		`node "m1" not found in the evidence`: func(ctx context.Context, from From) error {
			return second(Pods(ctx, from, PodsOptions{ListOptions: ListOptions{Node: "m1"}}))
		},

		`invalid object "cm/x"; use the NAME of a pod, or pod/, deploy/, sts/, ds/, rs/, job/ and the name; set the namespace with -n`: why(WhyOptions{Subject: "cm/x"}),
		`pod "web-1" exists in namespace shop; set it with -n`:                                                                         why(WhyOptions{Subject: "web-1", Namespace: "default"}),
		`pod "web-3" not found; did you mean web-1?`:                                                                                   why(WhyOptions{Subject: "web-3"}),
		`pod "log" not found; objects with this name: ds/log (-n kube-system)`:                                                         why(WhyOptions{Subject: "log"}),
		`job "nightly-report" not found (0 jobs read)`:                                                                                 why(WhyOptions{Subject: "job/nightly-report"}),

		`unknown event "powr-off": did you mean power-off?`:                                               predict(PredictOptions{Event: "powr-off"}),
		"no node given; name a NODE, or use --zone or --pool":                                             predict(PredictOptions{}),
		`no node found that is down in zone "z1" of pool "a"; list zones and pools with nodetriage nodes`: predict(PredictOptions{Zone: "z1", Pool: "a"}),
		`node "n1f" not found; did you mean n1?`:                                                          predict(PredictOptions{Nodes: []string{"n1f"}, Event: "reboot"}),

		`unknown --accept "all"; use one of unmanaged, local-data, local-volume, no-room`: func(ctx context.Context, from From) error {
			return second(Drain(ctx, from, DrainOptions{Nodes: []string{"n1"}, Accept: []drain.Kind{"all"}}))
		},
		`node "n1d" not found; did you mean n1?`: func(ctx context.Context, from From) error {
			return second(Drain(ctx, from, DrainOptions{Nodes: []string{"n1d"}}))
		},
		`node "n1v" not found; did you mean n1?`: func(ctx context.Context, from From) error {
			return second(Verify(ctx, from, VerifyOptions{Node: "n1v"}))
		},
		`invalid --since "soon"; use a time (2026-11-21T03:04:05Z) or a duration (15m)`: func(ctx context.Context, from From) error {
			return second(Verify(ctx, from, VerifyOptions{Node: "n1", Since: "soon"}))
		},

		`missing argument of repair reimage: name the node, pool or VM`:                                   fix(RepairOptions{Action: cloud.Reimage}),
		"repair scale-pool: --count is required (number of nodes, 0 to 1000)":                             fix(RepairOptions{Action: cloud.ScalePool, Target: "a"}),
		"repair reimage: --count is only allowed for add-pool and scale-pool":                             fix(RepairOptions{Action: cloud.Reimage, Target: "n1", Count: &three}),
		"repair add-pool: --like (the pool to copy) is required for add-pool and only allowed there":      fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three}),
		"repair reimage: --size, --label and --taint are only allowed for add-pool":                       fix(RepairOptions{Action: cloud.Reimage, Target: "n1", Size: "x"}),
		`invalid --size "?"; example: Standard_D4s_v5`:                                                    fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Size: "?"}),
		`invalid --label "x"; use KEY=VALUE`:                                                              fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Labels: []string{"x"}}),
		`invalid --taint "x"; use KEY=VALUE:EFFECT with effect NoSchedule, PreferNoSchedule or NoExecute`: fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Taints: []string{"x"}}),
		`unknown --accept "x"; use one of cause, budgets, pool-health, model, drained, pinned, bound, irreversible`: fix(RepairOptions{
			Action: cloud.Reimage, Target: "n1", Accept: []repair.GateName{"x"},
		}),
		`node "n1r" not found; did you mean n1?`: fix(RepairOptions{Action: cloud.Reimage, Target: "n1r"}),
	} {
		err := ask(t.Context(), fromFiles(t))
		if usage := (*UsageError)(nil); !errors.As(err, &usage) || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// second returns the error of an answer.
func second[T any](_ T, err error) error { return err }
