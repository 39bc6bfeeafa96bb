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
		"diagnose node m1: the evidence does not have it; did you mean n1?":                                       diagnose(DiagnoseOptions{Nodes: []string{"m1"}}),
		`--severity "errr": did you mean error?`:                                                                  filter(triage.Filter{Severity: "errr"}),
		`--certainty "x": use one of certain, likely, possible`:                                                   filter(triage.Filter{Certainty: "x"}),
		`--cause "disk-presure" is not known: did you mean disk-pressure?`:                                        filter(triage.Filter{Causes: []string{"disk-presure"}}),
		`--pool "blue": no node is in it: use one of a`:                                                           filter(triage.Filter{Pools: []string{"blue"}}),
		`--namespace "shpo": the evidence has nothing in it; did you mean shop?`:                                  filter(triage.Filter{Namespace: "shpo"}),
		`--namespace "a-long-one": the evidence has nothing in it; kubectl get namespaces lists those that exist`: filter(triage.Filter{Namespace: "a-long-one"}),

		"show node worker-17: the evidence does not have it; nodetriage nodes lists those that it has": func(ctx context.Context, from From) error {
			return second(Node(ctx, from, NodeOptions{Name: "worker-17"}))
		},
		"show what happened on node m1: the evidence does not have it; did you mean n1?": func(ctx context.Context, from From) error {
			return second(Timeline(ctx, from, TimelineOptions{Node: "m1"}))
		},
		`select nodes by "pool=blue": none of 3 is so`: nodes(NodesOptions{Selector: "pool=blue"}),
		`show operations of --since 1s --until 1s: both count back from now, --since further`: func(ctx context.Context, from From) error {
			return second(Operations(ctx, from, OperationsOptions{Since: 1e9, Until: 1e9}))
		},
		"show node m1: the evidence does not have it; did you mean n1?": func(ctx context.Context, from From) error {
			return second(Pods(ctx, from, PodsOptions{ListOptions: ListOptions{Node: "m1"}}))
		},

		`read "cm/x": use NAME of a pod, or pod/, deploy/, sts/, ds/, rs/, job/ before the name; the namespace goes to -n`: why(WhyOptions{Subject: "cm/x"}),
		"find pod web-1: it is in namespace shop; choose with -n":                                                          why(WhyOptions{Subject: "web-1", Namespace: "default"}),
		"find pod web-3: the evidence does not have it; did you mean web-1?":                                               why(WhyOptions{Subject: "web-3"}),
		"find pod log: the evidence does not have it; of that name it has ds/log (-n kube-system)":                         why(WhyOptions{Subject: "log"}),
		"find job nightly-report: the evidence does not have it, among 0 of that kind":                                     why(WhyOptions{Subject: "job/nightly-report"}),

		`predict event "powr-off": did you mean power-off?`:                                                               predict(PredictOptions{Event: "powr-off"}),
		"predict: name a NODE, or all nodes of a --zone or --pool":                                                        predict(PredictOptions{}),
		`predict: the evidence has no node that is down in zone "z1" of pool "a"; nodetriage nodes shows zones and pools`: predict(PredictOptions{Zone: "z1", Pool: "a"}),
		"predict node m1: the evidence does not have it; did you mean n1?":                                                predict(PredictOptions{Nodes: []string{"m1"}, Event: "reboot"}),

		`accept "all": use one of unmanaged, local-data, local-volume, no-room`: func(ctx context.Context, from From) error {
			return second(Drain(ctx, from, DrainOptions{Nodes: []string{"n1"}, Accept: []drain.Kind{"all"}}))
		},
		"plan the drain of node m1: the evidence does not have it; did you mean n1?": func(ctx context.Context, from From) error {
			return second(Drain(ctx, from, DrainOptions{Nodes: []string{"m1"}}))
		},
		"verify node m1: the evidence does not have it; did you mean n1?": func(ctx context.Context, from From) error {
			return second(Verify(ctx, from, VerifyOptions{Node: "m1"}))
		},
		`read --since "soon": use a time like 2026-11-21T03:04:05Z, or 15m for so long ago`: func(ctx context.Context, from From) error {
			return second(Verify(ctx, from, VerifyOptions{Node: "n1", Since: "soon"}))
		},

		`repair reimage "": name what it is done to`:                                             fix(RepairOptions{Action: cloud.Reimage}),
		"repair scale-pool: say how many machines with --count, from 0 to 1000":                  fix(RepairOptions{Action: cloud.ScalePool, Target: "a"}),
		"repair reimage: --count is for add-pool and scale-pool":                                 fix(RepairOptions{Action: cloud.Reimage, Target: "n1", Count: &three}),
		"repair add-pool: --like is for add-pool, which needs it: it names the pool to copy":     fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three}),
		"repair reimage: --size, --label and --taint are for add-pool":                           fix(RepairOptions{Action: cloud.Reimage, Target: "n1", Size: "x"}),
		`size "?": use the cloud's word, such as Standard_D4s_v5`:                                fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Size: "?"}),
		`label "x": use KEY=VALUE`:                                                               fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Labels: []string{"x"}}),
		`taint "x": use KEY=VALUE:EFFECT, with effect NoSchedule, PreferNoSchedule or NoExecute`: fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Taints: []string{"x"}}),
		`accept "x": use one of cause, budgets, pool-health, model, drained, pinned, bound, irreversible`: fix(RepairOptions{
			Action: cloud.Reimage, Target: "n1", Accept: []repair.GateName{"x"},
		}),
		"reimage node m1: the evidence does not have it; did you mean n1?": fix(RepairOptions{Action: cloud.Reimage, Target: "m1"}),
	} {
		err := ask(t.Context(), fromFiles(t))
		if usage := (*UsageError)(nil); !errors.As(err, &usage) || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// second returns the error of an answer.
func second[T any](_ T, err error) error { return err }
