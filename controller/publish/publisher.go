package publish

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/diagnosis"
	"github.com/nodetriage/nodetriage/controller/engine"
)

// Publisher writes judgements. What was published is in the objects, so a publisher can continue the work of another.
type Publisher struct {
	client client.Client
	engine *engine.Engine
	said   map[string]time.Time // by node, the last change whose Event exists
}

// New returns a Publisher of the judgements of an engine. The client may read from a cache: a write that rests on an old object fails,
// and is repeated after the next judgement.
func New(c client.Client, e *engine.Engine) *Publisher {
	return &Publisher{client: c, engine: e, said: map[string]time.Time{}}
}

// Start publishes each judgement until ctx ends. controller-runtime calls it on the leader.
func (p *Publisher) Start(ctx context.Context) error {
	p.engine.Follow(ctx, func(j *engine.Judgement) {
		if err := p.publish(ctx, j); err != nil && ctx.Err() == nil {
			log.FromContext(ctx).Error(err, "publish")
		}
	})
	return nil
}

// NeedLeaderElection reports that only the leader publishes.
func (p *Publisher) NeedLeaderElection() bool { return true }

// publish writes what differs between the judgement and the published objects.
func (p *Publisher) publish(ctx context.Context, j *engine.Judgement) error {
	var list v1alpha1.NodeDiagnosisList
	if err := p.client.List(ctx, &list); err != nil {
		return fmt.Errorf("list published diagnoses: %w", err)
	}
	published := map[string]*v1alpha1.NodeDiagnosis{}
	for i := range list.Items {
		published[list.Items[i].Name] = &list.Items[i]
	}
	var failed []error
	if j.Blind == nil {
		for _, name := range j.Unclear {
			if published[name] == nil {
				failed = append(failed, p.update(ctx, name, nil, j))
			}
		}
	}
	for name, o := range published {
		failed = append(failed, p.update(ctx, name, o, j))
	}
	return errors.Join(failed...)
}

// update writes the object of one node. published is nil if there is none.
func (p *Publisher) update(ctx context.Context, name string, published *v1alpha1.NodeDiagnosis, j *engine.Judgement) error {
	u := next(published, name, j)
	var err error
	switch {
	case u.Remove:
		err = p.remove(ctx, published)
	case u.Write:
		err = p.write(ctx, name, published, &u)
	}
	if err != nil && !rests(err) {
		return fmt.Errorf("publish the diagnosis of node %s: %w", name, err)
	}
	if err == nil && !u.Remove && j.Blind == nil {
		return p.tell(ctx, name, &u.Status, j)
	}
	return nil
}

// rests reports whether a write failed because it rested on an old object.
func rests(err error) bool {
	return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err)
}

// next returns what to do with the object of a node. Its Status is the published one if nothing is written.
func next(published *v1alpha1.NodeDiagnosis, name string, j *engine.Judgement) diagnosis.Update {
	if published == nil || published.Status.Verdict == "" { // an object whose status was not written yet
		u := diagnosis.Next(nil, j.Node(name))
		u.Remove = published != nil && !u.Write
		return u
	}
	was := &published.Status
	var u diagnosis.Update
	if j.Blind != nil {
		u = diagnosis.Blind(was, j.Blind.Reason, j.Blind.Message, time.Now())
	} else {
		u = diagnosis.Next(was, j.Node(name))
	}
	if !u.Write {
		u.Status = *was
	}
	return u
}

// write creates or updates an object. The version of the object is a condition of the update.
func (p *Publisher) write(ctx context.Context, name string, published *v1alpha1.NodeDiagnosis, u *diagnosis.Update) error {
	o := &v1alpha1.NodeDiagnosis{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if published == nil {
		if err := p.client.Create(ctx, o); err != nil {
			return err
		}
	} else {
		o = published.DeepCopy()
	}
	o.Status = u.Status
	return p.client.Status().Update(ctx, o)
}

func (p *Publisher) remove(ctx context.Context, o *v1alpha1.NodeDiagnosis) error {
	return p.client.Delete(ctx, o, client.Preconditions{UID: &o.UID, ResourceVersion: &o.ResourceVersion})
}
