package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// RepairOptions are the options of Repair. A repair is one change in the cloud.
type RepairOptions struct {
	// Action is one of RepairActions.
	Action cloud.Verb
	// Target is the name of the node or pool to change, or "cluster".
	Target string
	// Count is the number of machines of the pool, for add-pool and scale-pool. It is nil for actions without a count.
	Count *int
	// Like is the pool whose settings a new pool copies, for add-pool.
	Like string
	// Size is the size of the machines of a new pool. If empty, it is that of the other pool.
	Size string
	// Labels are labels of a new pool, as key=value.
	Labels []string
	// Taints are taints of a new pool, as key=value:effect.
	Taints []string
	// Accept are gates that do not block the change.
	Accept []repair.GateName
	// Inspect returns the state of the target in the cloud; nil if the user is not logged in. If Inspect is nil, the evidence
	// is saved and the cloud is not queried.
	Inspect func(context.Context, cloud.About) (*cloud.Standing, error)
	// Describe returns the request of a change from evidence, if the cloud is not queried. If it is nil, the plan has none.
	Describe func(*evidence.Data, cloud.About) cloud.Request
	// Place is the provider id of a node of the cluster. It identifies the cluster if the evidence has no node.
	Place string
	// Bundle returns the file in which evidence that was read at that time is saved before the change. If nil, it is not saved.
	Bundle func(read time.Time) string
	// Archive returns the file for the archive that the agent on a node saved at that time. It is fetched before the change. If
	// nil, agents are not contacted.
	Archive func(node string, at time.Time) string
	// Seen is evidence of the whole cluster that was read just now. SeenAt is the time of that on the clock of this machine. If
	// nil, the cluster is read.
	Seen   *evidence.Snapshot
	SeenAt time.Time
}

// Repairing is the plan of a change and the evidence behind it.
type Repairing struct {
	Plan     *repair.Plan
	Report   *triage.Report
	Snapshot *evidence.Snapshot

	opt      RepairOptions
	live     bool      // the evidence is live
	read     time.Time // on the clock of this machine
	standing *cloud.Standing
	request  cloud.Request // if there is no standing
	saved    []plan.Saved  // by agents, of what the change deletes
}

// targets returns the possible actions and the kind of their target; "" means a cluster or a pool.
func targets() map[cloud.Verb]string {
	return map[cloud.Verb]string{
		cloud.Reconcile: "", cloud.Abort: "",
		cloud.Refresh: "Node", cloud.Reimage: "Node", cloud.Restart: "Node", cloud.Redeploy: "Node", cloud.Start: "Node", cloud.DeleteMachine: "Node",
		cloud.UpgradeImage: "Pool",
		cloud.AddPool:      "Pool", cloud.ScalePool: "Pool", cloud.DeletePool: "Pool",
	}
}

// RepairActions returns the actions that Repair can plan, sorted by name.
func RepairActions() []cloud.Verb {
	var out []cloud.Verb
	for verb := range targets() {
		out = append(out, verb)
	}
	slices.Sort(out)
	return out
}

// Repair plans one change in the cloud. It does not carry it out.
func Repair(ctx context.Context, from From, opt RepairOptions) (*Repairing, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	if err := from.namesShown(); err != nil {
		return nil, err
	}
	if opt.Seen == nil {
		s, err := Read(ctx, from, Scope{Cloud: true})
		if err != nil {
			return nil, err
		}
		opt.Seen, opt.SeenAt = s, time.Now()
	}
	r := &Repairing{Snapshot: opt.Seen, opt: opt, read: opt.SeenAt, Report: from.Knowledge.Judge(opt.Seen, time.Time{})}
	_, r.live = from.Source.(Cluster)
	subject := opt.Subject()
	if subject.Kind == "Node" && r.Snapshot.Node(subject.Name) == nil {
		return nil, noNode(r.Snapshot, subject.Name)
	}
	var err error
	if r.standing, err = opt.Standing(ctx, r.Snapshot, opt.Action); err != nil {
		doing := string(opt.Action) + " " + report.Clean(opt.Target)
		if unread := unreadNodes(r.Snapshot, doing); unread != nil {
			return nil, unread
		}
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	if r.standing == nil {
		if err := opt.checkPools(r.Snapshot); err != nil {
			return nil, err
		}
		if opt.Describe != nil {
			about, _ := opt.about(r.Snapshot, opt.Action) // an unknown provider id does not matter here
			r.request = opt.Describe(r.Snapshot.Data(), about)
		}
	}
	r.Replan(r.read)
	l := &look{From: &from, snapshot: r.Snapshot}
	if r.saved, err = l.saved(ctx, r.Plan.Ends, opt.Archive); err != nil {
		return nil, err
	}
	r.Plan.Saved = r.saved
	return r, nil
}

// Replan plans again from the same evidence, as of a time on the clock of this machine. The age of saved evidence is judged by
// that clock. The age of a live reading is judged by how long ago it was, because the clocks of machines differ.
func (r *Repairing) Replan(now time.Time) {
	asOf := now
	if r.live {
		asOf = r.Snapshot.TakenAt().Add(now.Sub(r.read))
	}
	r.Plan = repair.New(r.Snapshot, repair.Options{
		Action: r.opt.Action, Subject: r.opt.Subject(), Now: asOf, Standing: r.standing, Report: r.Report, Accept: r.opt.Accept, Count: r.opt.Machines(),
		Like: r.opt.Like, Own: r.opt.Own(), Request: r.request, Board: scheduler.New,
	})
	if r.opt.Bundle != nil {
		r.Plan.Bundle = r.opt.Bundle(r.read)
	}
	r.Plan.Saved = r.saved
}

// Standing returns the state of the target in the cloud; nil if the cloud is not queried.
func (opt *RepairOptions) Standing(ctx context.Context, s *evidence.Snapshot, verb cloud.Verb) (*cloud.Standing, error) {
	if opt.Inspect == nil {
		return nil, nil
	}
	about, err := opt.about(s, verb)
	if err != nil {
		return nil, err
	}
	return opt.Inspect(ctx, about)
}

// about returns what identifies the target in the cloud.
func (opt *RepairOptions) about(s *evidence.Snapshot, verb cloud.Verb) (cloud.About, error) {
	return repair.About(s, opt.Subject(), cloud.About{
		Verb: verb, Like: opt.Like, Count: opt.Machines(), Own: opt.Own(), ProviderID: cmp.Or(repair.ProviderID(s), opt.Place),
	})
}

// checkPools rejects a new pool whose name exists, or whose model does not exist, by the pools in the evidence.
func (opt *RepairOptions) checkPools(s *evidence.Snapshot) error {
	pools := poolsIn(s)
	if opt.Action != cloud.AddPool || len(pools) == 0 {
		return nil
	}
	if slices.Contains(pools, opt.Target) {
		return hintf("choose another name", "repair add-pool: pool %q already exists", opt.Target)
	}
	if !slices.Contains(pools, opt.Like) {
		return hintf(wording.OneOf(opt.Like, pools), "repair add-pool: pool %q of --like not found", opt.Like)
	}
	return nil
}

// poolsIn returns the names of the pools of the nodes and of the cloud's answers, sorted.
func poolsIn(s *evidence.Snapshot) []string {
	var out []string
	for _, n := range s.Data().Nodes {
		if _, pool := n.PoolLabel(); pool != "" {
			out = append(out, pool)
		}
	}
	for _, p := range evidence.CloudOf[*evidence.CloudPool](s.Data()) {
		if p.Name != "" {
			out = append(out, p.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Subject returns the target.
func (opt *RepairOptions) Subject() evidence.Subject {
	switch kind := targets()[opt.Action]; {
	case kind != "":
		return evidence.Subject{Kind: kind, Name: opt.Target}
	case opt.Target == "cluster":
		return evidence.ClusterSubject()
	}
	return evidence.Subject{Kind: "Pool", Name: opt.Target}
}

// Own returns the settings that a new pool does not copy.
func (opt *RepairOptions) Own() cloud.Own {
	return cloud.Own{Size: opt.Size, Labels: strings.Join(opt.Labels, ","), Taints: strings.Join(opt.Taints, ",")}
}

// Machines returns the number of machines of the pool; 0 if the action has no count.
func (opt *RepairOptions) Machines() int {
	if opt.Count == nil {
		return 0
	}
	return *opt.Count
}

// Check rejects options that are invalid for any evidence.
func (opt *RepairOptions) Check() error {
	if !slices.Contains(RepairActions(), opt.Action) {
		return hintf(cmp.Or(elsewhere(opt.Action), wording.OneOf(string(opt.Action), RepairActions())), "unknown action %q", opt.Action)
	}
	if opt.Target == "" || strings.HasPrefix(opt.Target, "-") {
		return hintf("name a node, a pool or cluster", "repair %s: invalid target %q", opt.Action, opt.Target)
	}
	if err := opt.checkCount(); err != nil {
		return err
	}
	switch {
	case (opt.Action == cloud.AddPool) != (opt.Like != ""):
		return hintf("it names the pool to copy", "repair %s: --like is required for add-pool, and only for add-pool", opt.Action)
	case opt.Action != cloud.AddPool && opt.Own() != (cloud.Own{}):
		return hintf("leave them out", "repair %s: --size, --label and --taint are only for add-pool", opt.Action)
	}
	if err := opt.checkOwn(); err != nil {
		return err
	}
	for _, a := range opt.Accept {
		if !slices.Contains(repair.Consents, a) {
			return hintf(wording.OneOf(string(a), repair.Consents), "invalid value %q for --accept", a)
		}
	}
	return nil
}

// elsewhere returns the command of a change that people look for here; empty: there is none.
func elsewhere(action cloud.Verb) string {
	switch action {
	case "cordon", "uncordon":
		return "use kubectl " + string(action) + " NODE"
	case "drain":
		return "use nodetriage drain NODE"
	case "upgrade":
		return "use nodetriage upgrade POOL"
	}
	return ""
}

// checkCount rejects a number of machines that the action does not accept.
func (opt *RepairOptions) checkCount() error {
	counted := opt.Action == cloud.AddPool || opt.Action == cloud.ScalePool
	switch {
	case counted && (opt.Count == nil || *opt.Count < 0 || *opt.Count > 1000):
		return hintf("use --count N, from 0 to 1000", "repair %s: the number of nodes is missing or invalid", opt.Action)
	case !counted && opt.Count != nil:
		return hintf("leave it out", "repair %s: --count is only for add-pool and scale-pool", opt.Action)
	}
	return nil
}

// checkOwn rejects settings of a new pool that no cloud accepts.
func (opt *RepairOptions) checkOwn() error {
	if opt.Size != "" && len(validation.IsQualifiedName(opt.Size)) > 0 {
		return hintf("use a VM size such as Standard_D4s_v5", "invalid value %q for --size", opt.Size)
	}
	for _, l := range opt.Labels {
		key, value, ok := strings.Cut(l, "=")
		if !ok || len(validation.IsQualifiedName(key)) > 0 || len(validation.IsValidLabelValue(value)) > 0 {
			return hintf("use KEY=VALUE", "invalid value %q for --label", l)
		}
	}
	for _, t := range opt.Taints {
		if _, err := predict.ParseTaint(t); err != nil {
			return hintf("use KEY=VALUE:EFFECT, with effect NoSchedule, PreferNoSchedule or NoExecute", "invalid value %q for --taint", t)
		}
	}
	return nil
}
