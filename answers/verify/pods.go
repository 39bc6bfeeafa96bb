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

// starting is how long a pod may take to be running.
const starting = 2 * time.Minute

// their are reasons why a pod runs on no node: its image, its settings, its program.
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
	c := j.podsByState()
	switch {
	case len(c.stuck) > 0:
		s.Result, s.Detail = NotClear, first(c.stuck)
		s.How = shell.Format("nodetriage why pod/{pod} -n {namespace}", c.worst.Name, c.worst.Namespace)
	case len(c.young) > 0:
		s.Result, s.Detail, s.How, s.Soon = Unknown, first(c.young)+" still starting", "repeat in a minute", true
	case len(c.unstated) > 0:
		s.Result, s.Detail, s.How = Unknown, "the state of "+first(c.unstated)+" is not in the evidence", shell.Format("kubectl get pods -A --field-selector spec.nodeName={node}", j.Node)
	case j.Snapshot.Covers(evidence.Pods) != evidence.Complete:
		s.Result, s.Detail, s.How = Unknown, fmt.Sprintf("%d running, but the list may be incomplete", c.running), shell.Format("kubectl get pods -A --field-selector spec.nodeName={node}", j.Node)
	case len(c.own) > 0:
		s.Result, s.Detail = Warning, fmt.Sprintf("%d running; not running for reasons unrelated to the node: %s", c.running, first(c.own))
	default:
		s.Result, s.Detail = Clear, fmt.Sprintf("%d running and ready", c.running)
	}
	return s
}

// podStates groups the pods of a node by state.
type podStates struct {
	running  int
	stuck    []string      // they do not terminate, or do not become ready
	worst    *evidence.Pod // the first of them
	own      []string      // not ready for reasons of the pod
	young    []string      // still starting
	unstated []string      // their state is not in the evidence
}

func (j *judge) podsByState() (out podStates) {
	for _, p := range j.Snapshot.PodsOn(j.Node) {
		switch {
		case p.Finished():
		case p.Deleting():
			if mechanics.EndingIn(j.Snapshot, p, j.Now).Stuck() {
				out.stuckAt(p, "does not terminate")
			}
		case p.Works():
			out.running++
		case !p.Stated():
			out.unstated = append(out.unstated, p.Key())
		case theirs(p):
			out.own = append(out.own, p.Key())
		case !p.Created.IsZero() && j.Now.Sub(p.Created) < starting:
			out.young = append(out.young, p.Key())
		default:
			out.stuckAt(p, "is not ready")
		}
	}
	return out
}

// stuckAt records a pod that is not as it should be.
func (s *podStates) stuckAt(p *evidence.Pod, says string) {
	if s.worst == nil {
		s.worst = p
	}
	s.stuck = append(s.stuck, p.Key()+" "+says)
}

// theirs reports whether a pod was started on the node and fails for its own reasons.
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
