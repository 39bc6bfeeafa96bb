package ask

import (
	"context"
	"errors"
	"fmt"
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
		`invalid value "errr" for --severity; did you mean error?`:                                                filter(triage.Filter{Severity: "errr"}),
		`invalid value "x" for --certainty; use one of certain, likely, possible`:                                 filter(triage.Filter{Certainty: "x"}),
		`unknown cause "disk-presure" for --cause; did you mean disk-pressure?`:                                   filter(triage.Filter{Causes: []string{"disk-presure"}}),
		`node pool "blue" not found in the evidence (1 node pool); existing node pools: a`:                        filter(triage.Filter{Pools: []string{"blue"}}),
		`namespace "shpo" not found in the evidence (2 namespaces); did you mean shop?`:                           filter(triage.Filter{Namespace: "shpo"}),
		`namespace "a-long-one" not found in the evidence (2 namespaces); existing namespaces: kube-system, shop`: filter(triage.Filter{Namespace: "a-long-one"}),

		`node "worker-17" not found in the evidence (3 nodes); existing nodes: n1, n2, n3`: func(ctx context.Context, from From) error {
			return second(Node(ctx, from, NodeOptions{Name: "worker-17"}))
		},
		`no node matches the selector "pool=blue" (3 nodes); the values of pool are a`: nodes(NodesOptions{Selector: "pool=blue"}),
		`--since 1s is not longer than --until 1s; both count back from now; --since must be longer`: func(ctx context.Context, from From) error {
			return second(Operations(ctx, from, OperationsOptions{Since: 1e9, Until: 1e9}))
		},

		`"cm/x" is not a pod or a workload; use NAME of a pod, or pod/, deploy/, sts/, ds/, rs/ or job/ before the name; -n selects the namespace`: why(WhyOptions{Subject: "cm/x"}),
		`pod "web-1" is in namespace shop; select it with -n`:                                                           why(WhyOptions{Subject: "web-1", Namespace: "default"}),
		`pod "web-3" not found in the evidence (11 pods); did you mean web-1?`:                                          why(WhyOptions{Subject: "web-3"}),
		`pod "log" not found in the evidence (11 pods); a workload has that name; nodetriage why ds/log -n kube-system`: why(WhyOptions{Subject: "log"}),
		`job "nightly-report" not found in the evidence (0 jobs); kubectl get jobs -A lists them`:                       why(WhyOptions{Subject: "job/nightly-report"}),

		`invalid value "powr-off" for --event; did you mean power-off?`:                                               predict(PredictOptions{Event: "powr-off"}),
		"predict: no node is named; nodetriage predict NODE, or --zone or --pool":                                     predict(PredictOptions{}),
		`the evidence contains no node that is down in zone "z1" of pool "a"; nodetriage nodes shows zones and pools`: predict(PredictOptions{Zone: "z1", Pool: "a"}),

		`invalid value "all" for --accept; use one of unmanaged, local-data, host-data, local-volume, no-room`: func(ctx context.Context, from From) error {
			return second(Drain(ctx, from, DrainOptions{Nodes: []string{"n1"}, Accept: []drain.Kind{"all"}}))
		},
		`invalid value "soon" for --since; use a time like 2026-11-21T03:04:05Z, or a duration like 15m`: func(ctx context.Context, from From) error {
			return second(Verify(ctx, from, VerifyOptions{Node: "n1", Since: "soon"}))
		},

		`repair reimage: invalid target ""; name a node, a pool or cluster`:                                          fix(RepairOptions{Action: cloud.Reimage}),
		"repair scale-pool: the number of nodes is missing or invalid; use --count N, from 0 to 1000":                fix(RepairOptions{Action: cloud.ScalePool, Target: "a"}),
		"repair reimage: --count is only for add-pool and scale-pool; leave it out":                                  fix(RepairOptions{Action: cloud.Reimage, Target: "n1", Count: &three}),
		"repair add-pool: --like is required for add-pool, and only for add-pool; it names the pool to copy":         fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three}),
		"repair reimage: --size, --label and --taint are only for add-pool; leave them out":                          fix(RepairOptions{Action: cloud.Reimage, Target: "n1", Size: "x"}),
		`invalid value "?" for --size; use a VM size such as Standard_D4s_v5`:                                        fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Size: "?"}),
		`invalid value "x" for --label; use KEY=VALUE`:                                                               fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Labels: []string{"x"}}),
		`invalid value "x" for --taint; use KEY=VALUE:EFFECT, with effect NoSchedule, PreferNoSchedule or NoExecute`: fix(RepairOptions{Action: cloud.AddPool, Target: "b", Count: &three, Like: "a", Taints: []string{"x"}}),
		`unknown action "uncordon"; use kubectl uncordon NODE`:                                                       fix(RepairOptions{Action: "uncordon", Target: "n1"}),
		`invalid value "x" for --accept; use one of cause, budgets, pool-health, model, drained, pinned, bound, irreversible`: fix(RepairOptions{
			Action: cloud.Reimage, Target: "n1", Accept: []repair.GateName{"x"},
		}),
	} {
		isRefused(t, ask(t.Context(), fromFiles(t)), want)
	}
	isRefused(t, second(Pods(t.Context(), fromFiles(t), PodsOptions{ListOptions: ListOptions{Node: "m1"}})), `node "m1" not found in the evidence (3 nodes); did you mean n1?`)
	for _, ask := range []func(context.Context, From) error{
		diagnose(DiagnoseOptions{Nodes: []string{"m1"}}),
		func(ctx context.Context, from From) error {
			return second(Timeline(ctx, from, TimelineOptions{Node: "m1"}))
		},
		predict(PredictOptions{Nodes: []string{"m1"}, Event: "reboot"}),
		func(ctx context.Context, from From) error {
			return second(Drain(ctx, from, DrainOptions{Nodes: []string{"m1"}}))
		},
		func(ctx context.Context, from From) error {
			return second(Verify(ctx, from, VerifyOptions{Node: "m1"}))
		},
		fix(RepairOptions{Action: cloud.Reimage, Target: "m1"}),
	} {
		isRefused(t, ask(t.Context(), fromFiles(t)), `node "m1" not found in the evidence (3 nodes); did you mean n1?`)
	}
}

// isRefused checks the reason and the hint of an error.
func isRefused(t *testing.T, err error, want string) {
	t.Helper()
	if usage := (*UsageError)(nil); !errors.As(err, &usage) || withItsHint(err) != want {
		t.Errorf("%s\nwant %s", withItsHint(err), want)
	}
}

// withItsHint returns the reason and the hint of an error.
func withItsHint(err error) string {
	text := fmt.Sprint(err)
	if hint := (*HintError)(nil); errors.As(err, &hint) {
		text += "; " + hint.Hint
	}
	return text
}

// second returns the error of an answer.
func second[T any](_ T, err error) error { return err }
