package why

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// Scale is where the additional pods of a workload with more replicas fit.
type Scale struct {
	Replicas int   `json:"replicas"`
	New      int   `json:"new"` // pods that are added to the existing ones
	Fit      int   `json:"fit"` // of them, the ones that fit on a node
	On       []Add `json:"on"`  // by node
}

// Add is the number of new pods on one node.
type Add struct {
	Node string `json:"node"`
	Pods int    `json:"pods"`
}

// Scalable returns the kinds whose replicas are copies, so that a trial with more of them is possible.
func Scalable() []string { return []string{"Deployment", "ReplicaSet", "ReplicationController"} }

// AskScaled explains a workload as if it had this number of replicas: which of the additional pods fit, and where. The first one
// that does not fit is explained. The existing pods are not.
func AskScaled(s *evidence.Snapshot, subject evidence.Subject, replicas int, now time.Time, open placement.Open) (*Answer, error) {
	a, out := begin(s, subject, now, open)
	w := s.Workload(subject.Kind, subject.Namespace, subject.Name)
	if w == nil {
		return nil, &evidence.AbsentError{What: strings.ToLower(subject.Kind), Name: subject.Name, Namespace: subject.Namespace}
	}
	var pods []*evidence.Pod
	for _, p := range s.Data().Pods {
		if p.Namespace == w.Namespace && a.owns(w, p) && !p.Deleting() && !p.Finished() {
			pods = append(pods, p)
		}
	}
	like := slices.IndexFunc(pods, func(p *evidence.Pod) bool { return p.Spec != nil && !p.Partial })
	out.Scale = &Scale{Replicas: replicas, New: max(replicas-len(pods), 0), On: []Add{}}
	switch {
	case out.Scale.New == 0:
		out.Verdict, out.Summary = Fine, fmt.Sprintf("with %s: no new pod, %d exist", wording.Count(replicas, "replica"), len(pods))
		return out, nil
	case like < 0:
		out.Verdict, out.Summary = Unknown, "the evidence contains no complete pod of it: it is unknown where more pods fit"
		return out, nil
	}
	err := a.scale(w, pods[like], out)
	a.doubt(out)
	return out, err
}

// scale places the new pods one after another. All are alike, so after the first that does not fit no other one does.
func (a *asker) scale(w *evidence.Workload, like *evidence.Pod, out *Answer) error {
	board, err := a.placement()
	if err != nil {
		return err
	}
	x := out.Scale
	on := map[string]int{}
	for x.Fit < x.New {
		p := another(w, like, x.Fit+1)
		r := board.Place(p)
		if r.Verdict != placement.Fits {
			break
		}
		x.Fit++
		on[r.Node]++
	}
	for _, name := range board.Nodes() {
		if on[name] > 0 {
			x.On = append(x.On, Add{name, on[name]})
		}
	}
	out.Verdict, out.Summary = Fine, fmt.Sprintf("with %s: %s", wording.Count(x.Replicas, "replica"), wording.Counted(x.New, "new pod, which fits", "new pods, which fit"))
	if x.Fit == x.New {
		return nil
	}
	pod := Pod{Namespace: w.Namespace, Name: fmt.Sprintf("new pod %d of %d", x.Fit+1, x.New)}
	if err := a.pending(another(w, like, x.Fit+1), &pod); err != nil {
		return err
	}
	out.Pods = append(out.Pods, pod)
	out.Verdict = pod.Verdict
	out.Summary = fmt.Sprintf("with %s: %s, %d of them fit", wording.Count(x.Replicas, "replica"), wording.Count(x.New, "new pod"), x.Fit)
	if pod.Verdict == Stuck {
		out.Summary += fmt.Sprintf(", %d would stay Pending", x.New-x.Fit)
	}
	return nil
}

// another returns a new pod of the template of this one.
func another(w *evidence.Workload, like *evidence.Pod, n int) *evidence.Pod {
	name := fmt.Sprintf("%s-new-%d", w.Name, n)
	return &evidence.Pod{
		Namespace: like.Namespace, Name: name, UID: strings.ToLower(name), Labels: like.Labels, Owner: like.Owner, Spec: like.Spec,
	}
}
