package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// The reasons of Events.
const (
	reasonDiagnosed = "NodeDiagnosed"
	reasonRecovered = "NodeRecovered"
)

// announced is how long after a change its Event is created, if that failed before. It is shorter than the hour that API servers keep
// Events, so that no Event is created twice.
const announced = 10 * time.Minute

// tell creates the Event of the last change of a status, unless it exists. Its name is made of the change, so that two controllers, or
// one that was restarted, create it once.
func (p *Publisher) tell(ctx context.Context, name string, s *v1alpha1.NodeDiagnosisStatus, j *engine.Judgement) error {
	if s.ChangedAt == nil || j.At.Sub(s.ChangedAt.Time) > announced || p.said[name].Equal(s.ChangedAt.Time) {
		return nil
	}
	e := eventOf(name, s, j.Snapshot)
	if err := p.client.Create(ctx, e); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create the event of node %s: %w", name, err)
	}
	p.said[name] = s.ChangedAt.Time
	return nil
}

// eventOf returns the Event of the last change of a status.
func eventOf(name string, s *v1alpha1.NodeDiagnosisStatus, from *evidence.Snapshot) *corev1.Event {
	at := *s.ChangedAt
	about := corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: name}
	if n := from.Node(name); n != nil {
		about.UID = n.UID
	}
	e := &corev1.Event{
		InvolvedObject: about, Type: corev1.EventTypeWarning, Reason: reasonDiagnosed, Message: message(s),
		FirstTimestamp: at, LastTimestamp: at, Count: 1,
		Source: corev1.EventSource{Component: evidence.Controller}, ReportingController: evidence.Controller,
	}
	if s.Verdict == v1alpha1.VerdictClear {
		e.Type, e.Reason = corev1.EventTypeNormal, reasonRecovered
	}
	cause := ""
	if s.Primary != nil {
		cause = s.Primary.Cause
	}
	hash := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %s", about.UID, s.Verdict, cause, at.UTC().Format(time.RFC3339)))
	e.ObjectMeta = metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: fmt.Sprintf("%s.%x", name, hash[:8])}
	return e
}

const maxMessage = 1000 // bytes; the API allows 1024

// message says what changed in one line.
func message(s *v1alpha1.NodeDiagnosisStatus) string {
	switch {
	case s.Verdict == v1alpha1.VerdictClear && len(s.Resolved) > 0 && s.Resolved[0].Primary != nil:
		return "The node is clear. Resolved: " + s.Resolved[0].Primary.Cause
	case s.Verdict == v1alpha1.VerdictClear:
		return "The node is clear."
	case s.Primary == nil:
		return fmt.Sprintf("The node is %s. The cause is unknown. See kubectl get nodediagnosis -o yaml", s.Verdict)
	}
	text := fmt.Sprintf("The node is %s: %s (%s, %s). %s", s.Verdict, cmp.Or(s.Primary.Title, s.Primary.Cause), s.Primary.Cause, s.Primary.Certainty, s.Primary.Summary)
	return wording.Cut(text, maxMessage)
}
