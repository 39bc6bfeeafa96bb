package nodecondition

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
)

// fieldManager owns the condition.
const fieldManager = "nodetriage-node-condition"

// Writer keeps the condition of all nodes up to date.
type Writer struct {
	client client.Client
	engine *engine.Engine
	// written are the conditions that were written, by node. The evidence has them a moment later.
	written map[string]corev1.NodeCondition
}

// New returns a Writer of the judgements of an engine.
func New(c client.Client, e *engine.Engine) *Writer {
	return &Writer{client: c, engine: e, written: map[string]corev1.NodeCondition{}}
}

// Start writes each judgement until ctx ends. controller-runtime calls it on the leader.
func (w *Writer) Start(ctx context.Context) error {
	w.engine.Follow(ctx, func(j *engine.Judgement) {
		if err := w.write(ctx, j, time.Now()); err != nil && ctx.Err() == nil {
			log.FromContext(ctx).Error(err, "write node conditions; the next judgement tries again")
		}
	})
	return nil
}

// NeedLeaderElection reports that only the leader writes.
func (w *Writer) NeedLeaderElection() bool { return true }

// write brings the conditions of all nodes in line with a judgement. It patches only nodes whose condition changes.
func (w *Writer) write(ctx context.Context, j *engine.Judgement, now time.Time) error {
	if !j.Judged() {
		return nil
	}
	var failed []error
	seen := map[string]bool{}
	for _, n := range j.Snapshot.Nodes() {
		seen[n.Name] = true
		was := w.current(n)
		want, known := wanted(j, n.Name, was)
		if !known || same(was, &want) {
			continue
		}
		want.LastHeartbeatTime, want.LastTransitionTime = metav1.NewTime(now), metav1.NewTime(now)
		if was != nil && was.Status == want.Status {
			want.LastTransitionTime = was.LastTransitionTime
		}
		if err := w.patch(ctx, n.Name, want); err != nil {
			failed = append(failed, fmt.Errorf("write the condition of node %s: %w", n.Name, err))
			continue
		}
		w.written[n.Name] = want
	}
	for name := range w.written {
		if !seen[name] {
			delete(w.written, name)
		}
	}
	return errors.Join(failed...)
}

// current returns the condition of a node: the one that was written last, or the one in the evidence.
func (w *Writer) current(n *evidence.Node) *corev1.NodeCondition {
	in := n.Condition(evidence.ConditionNodetriageHealthy)
	if own, is := w.written[n.Name]; is && (in == nil || in.LastHeartbeatTime.Time.Before(own.LastHeartbeatTime.Truncate(time.Second))) {
		return &own
	}
	return in
}

// wanted returns the condition that a node should have. It returns false if the evidence is too old for an answer: nothing is concluded from it,
// except that a fault may be over.
func wanted(j *engine.Judgement, node string, was *corev1.NodeCondition) (corev1.NodeCondition, bool) {
	if j.Blind != nil {
		return stale(j.Blind.Message), was != nil && was.Status == corev1.ConditionFalse
	}
	if _, unclear := slices.BinarySearch(j.Unclear, node); !unclear {
		return health(&wellStatus, nil), true
	}
	status := j.Node(node)
	return health(&status, j.GroupOf(node)), true
}

// same reports whether two conditions differ at most in times.
func same(a, b *corev1.NodeCondition) bool {
	return a != nil && a.Status == b.Status && a.Reason == b.Reason && a.Message == b.Message
}

// patch writes the condition, and no other field of the node.
func (w *Writer) patch(ctx context.Context, node string, c corev1.NodeCondition) error {
	body, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": []corev1.NodeCondition{c}}})
	if err != nil {
		return err
	}
	o := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}
	err = w.client.Status().Patch(ctx, o, client.RawPatch(types.StrategicMergePatchType, body), client.FieldOwner(fieldManager))
	if apierrors.IsNotFound(err) { // the node is gone
		return nil
	}
	return err
}
