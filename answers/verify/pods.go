package verify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
)

// starting is how long a pod may take until it runs.
const starting = 2 * time.Minute

// their are reasons for which a pod does not run on any node: its image, its settings, its own program.
var their = []string{
	"CrashLoopBackOff", "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CreateContainerConfigError", "Error", "Completed", "OOMKilled",
}

func (j *judge) pods() Step {
	s := Step{ID: "pods", Title: "pods"}
	if part := j.Snapshot.Incomplete(evidence.Pods); len(part) > 0 && j.Snapshot.Covers(evidence.Pods) == evidence.NotRead {
		return unseen(s.ID, s.Title, "the pods of the node were not read: "+part[0].Why, part[0].How)
	}
	if j.Snapshot.Covers(evidence.Pods) == evidence.NotRead {
		return unseen(s.ID, s.Title, "the pods of the node were not read", shell.Format("kubectl get pods -A --field-selector spec.nodeName={node}", j.Node))
	}
	var stuck, own, young, unstated []string
	running := 0
	for _, p := range j.Snapshot.PodsOn(j.Node) {
		switch {
		case p.Finished():
		case p.Deleting() && mechanics.EndingIn(j.Snapshot, p, j.Now).Stuck():
			stuck = append(stuck, p.Key()+" does not end")
		case p.Deleting():
		case p.Works():
			running++
		case !p.Stated():
			unstated = append(unstated, p.Key())
		case theirs(p):
			own = append(own, p.Key())
		case !p.Created.IsZero() && j.Now.Sub(p.Created) < starting:
			young = append(young, p.Key())
		default:
			stuck = append(stuck, p.Key()+" is not ready")
		}
	}
	switch {
	case len(stuck) > 0:
		s.Result, s.Detail = NotClear, first(stuck)
		s.How = "nodetriage why pod/NAME -n NAMESPACE"
	case len(young) > 0:
		s.Result, s.Detail, s.How, s.Soon = Unknown, first(young)+" still starting", "ask again in a minute", true
	case len(unstated) > 0:
		s.Result, s.Detail, s.How = Unknown, "the state of "+first(unstated)+" is not in the evidence", shell.Format("kubectl get pods -A --field-selector spec.nodeName={node}", j.Node)
	case j.Snapshot.Covers(evidence.Pods) != evidence.Complete:
		s.Result, s.Detail, s.How = Unknown, fmt.Sprintf("%d run, and there may be more", running), shell.Format("kubectl get pods -A --field-selector spec.nodeName={node}", j.Node)
	case len(own) > 0:
		s.Result, s.Detail = Warning, fmt.Sprintf("%d run; for reasons of their own do not: %s", running, first(own))
	default:
		s.Result, s.Detail = Clear, fmt.Sprintf("%d run and are ready", running)
	}
	return s
}

// theirs tells a pod that was started on the node and fails by itself.
func theirs(p *evidence.Pod) bool {
	for _, c := range p.Containers {
		if !c.Ready && slices.Contains(their, c.Reason) {
			return true
		}
	}
	return slices.Contains(their, p.Status)
}

func first(list []string) string {
	text := strings.Join(list[:min(3, len(list))], ", ")
	if n := len(list) - 3; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
