package veto

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
)

// fieldManager owns the marks.
const fieldManager = "nodetriage-veto"

// again is how often repairers are paused once more while nodes fail together: a person may add one.
const again = time.Minute

// Writer keeps the marks in line with the judgements.
type Writer struct {
	client client.Client
	reader client.Reader // without a cache: few objects are read, and seldom
	engine *engine.Engine

	pausing bool      // what repairers were last told
	told    time.Time // when; zero: never
}

// New returns a Writer of the judgements of an engine. The reader has no cache.
func New(c client.Client, reader client.Reader, e *engine.Engine) *Writer {
	return &Writer{client: c, reader: reader, engine: e}
}

// Start marks nodes after each judgement until ctx ends. controller-runtime calls it on the leader.
func (w *Writer) Start(ctx context.Context) error {
	w.engine.Follow(ctx, func(j *engine.Judgement) {
		if err := w.write(ctx, j, time.Now()); err != nil && ctx.Err() == nil {
			log.FromContext(ctx).Error(err, "mark nodes that fail together; the next judgement tries again")
		}
	})
	return nil
}

// NeedLeaderElection reports that only the leader writes.
func (w *Writer) NeedLeaderElection() bool { return true }

// write marks the nodes of groups and no others. From evidence that may be out of date it concludes nothing: marks stay as they are.
func (w *Writer) write(ctx context.Context, j *engine.Judgement, now time.Time) error {
	if !j.Judged() || j.Blind != nil {
		return nil
	}
	failed := []error{w.tell(ctx, len(j.Groups) > 0, now)} // first: it is few writes, and stops most
	for _, n := range j.Snapshot.Nodes() {
		group := j.GroupOf(n.Name)
		if (group != nil) == (readRecord(n.Annotations) != nil) {
			continue
		}
		failed = append(failed, w.change(ctx, n, group, now))
	}
	return errors.Join(failed...)
}

// tell pauses or resumes the repairers, if they were told something else or a while ago.
func (w *Writer) tell(ctx context.Context, pause bool, now time.Time) error {
	if !w.told.IsZero() && w.pausing == pause && (!pause || now.Sub(w.told) < again) {
		return nil
	}
	if err := w.setPaused(ctx, pause); err != nil {
		return err
	}
	w.pausing, w.told = pause, now
	return nil
}

// change sets or removes the marks of a node as it is now: the evidence may be older. A write that conflicts is repeated after the next
// judgement.
func (w *Writer) change(ctx context.Context, n *evidence.Node, group *engine.Group, now time.Time) error {
	o := &metav1.PartialObjectMetadata{}
	o.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Node"))
	if err := w.reader.Get(ctx, client.ObjectKey{Name: n.Name}, o); err != nil {
		return client.IgnoreNotFound(err)
	}
	before := o.DeepCopy()
	switch marked := readRecord(o.Annotations) != nil; {
	case (group != nil) == marked:
		return nil
	case group != nil:
		o.Annotations = mark(o.Annotations, group.Cause, now)
	default:
		o.Annotations = unmark(o.Annotations)
	}
	err := w.client.Patch(ctx, o, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), client.FieldOwner(fieldManager))
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("mark node %s: %w", n.Name, err)
	}
	return nil
}
