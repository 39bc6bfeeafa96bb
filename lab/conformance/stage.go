//go:build unix

package conformance

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

// stage is the part of a cluster in which a scenario runs.
type stage struct {
	*Scenario
	plane  *plane
	client *kubernetes.Clientset
	nodes  []string
	first  map[types.UID]bool // pods, when everything was healthy
	down   []string           // the pods on nodes that go down
	stay   []string           // and the others
	pods   []podLog           // at the snapshot
	before []podLog           // at the event
	began  time.Time          // the event
	took   time.Duration      // until the event was complete
}

// program is used by one scenario at a time, because the machine is shared.
var asking sync.Mutex

// play runs the scenario and compares the result with the forecast.
func play(ctx context.Context, p *plane, program string, sc *Scenario) *Result {
	s := &stage{Scenario: sc, plane: p, client: p.client}
	r := &Result{Scenario: sc}
	r.Err = s.play(ctx, program, r)
	return r
}

func (s *stage) play(ctx context.Context, program string, r *Result) error {
	err := s.build(ctx)
	var event time.Time
	if s.Restart > 0 {
		event = s.plane.agree(ctx, s.Restart) // even without a stage, because the others wait for the agreement
	}
	if err != nil {
		return err
	}
	s.first = map[types.UID]bool{}
	for _, l := range s.plane.recorder.in(s.Name) {
		s.first[l.uid] = true
	}
	for _, step := range s.Before {
		if err := s.act(ctx, step, step.After); err != nil {
			return err
		}
	}
	f, err := s.ask(ctx, program)
	if err != nil {
		return err
	}
	if s.What != nil {
		if err := s.What(ctx, s); err != nil {
			return err
		}
	}
	if s.Restart > 0 {
		if err := awaitEvent(ctx, event); err != nil {
			return err
		}
	}
	if err := s.happen(ctx); err != nil {
		return err
	}
	base := s.began
	if f.EventAt != nil {
		base = *f.EventAt
	}
	if err := pause(ctx, time.Until(base.Add(f.end()+s.Tail+tail))); err != nil {
		return err
	}
	s.judge(f, base, r)
	if s.Restart > 0 {
		return s.plane.restart.failed
	}
	return nil
}

// act takes a step after a wait.
func (s *stage) act(ctx context.Context, step Step, after time.Duration) error {
	if err := pause(ctx, after); err != nil {
		return err
	}
	return step.Act(ctx, s)
}

// ask records the pods and asks the program for the forecast.
func (s *stage) ask(ctx context.Context, program string) (*Forecast, error) {
	asking.Lock()
	defer asking.Unlock()
	s.pods = slices.DeleteFunc(s.plane.recorder.in(s.Name), func(l podLog) bool { return l.gone != nil })
	return predict(ctx, program, s)
}

// happen makes the event happen.
func (s *stage) happen(ctx context.Context) error {
	s.before = s.plane.recorder.in(s.Name)
	s.began = time.Now()
	for i, step := range s.Do {
		if err := s.act(ctx, step, time.Until(s.began.Add(step.After))); err != nil {
			return err
		}
		if i == 0 && step.After == 0 {
			s.took = time.Since(s.began)
		}
	}
	return nil
}

// tail is the time to wait for events that never happen: longer than any period of a controller.
const tail = 25 * time.Second

// end returns the last time of the forecast.
func (f *Forecast) end() time.Duration {
	var end lab.Duration
	for _, m := range f.Timeline {
		end = max(end, m.To)
	}
	for _, p := range f.Pods {
		for _, s := range []*lab.Interval{p.NotReadyAt, p.DeletedAt, p.GoneAt, p.Replacement.At} {
			if s != nil {
				end = max(end, s.To)
			}
		}
	}
	return time.Duration(end)
}

// build creates the nodes and the workloads, and waits until everything is healthy.
func (s *stage) build(ctx context.Context) error {
	if err := namespace(ctx, s.client, s.Name); err != nil {
		return fmt.Errorf("create namespace %s: %w", s.Name, err)
	}
	zones := []string{s.Name}
	for i := 1; i < s.Zones; i++ {
		zones = append(zones, fmt.Sprintf("%s-%d", s.Name, i))
	}
	if s.NoZone {
		zones = nil
	}
	names, err := s.plane.AddHollow(ctx, s.Nodes, map[string]string{scenarioLabel: s.Name, "agentpool": s.Name}, zones...)
	if err != nil {
		return err
	}
	s.nodes, s.down, s.stay = names, names[:s.Down], names[s.Down:]
	if s.By == "--zone" {
		s.down, s.stay = zone(names, len(zones))
	}
	if s.Master {
		if err := s.addMaster(ctx, zones); err != nil {
			return err
		}
	}
	if s.Exclude {
		if err := s.exclude(ctx); err != nil {
			return err
		}
	}
	if err := s.nodesAre(ctx, names, 0); err != nil {
		return err
	}
	s.mount()
	// The other nodes are cordoned while the pods start on the nodes that go down.
	if err := s.cordon(ctx, s.stay, true); err != nil {
		return err
	}
	if err := s.loads(ctx, false); err != nil {
		return err
	}
	if err := s.cordon(ctx, s.stay, false); err != nil {
		return err
	}
	return s.loads(ctx, true)
}

// addMaster adds a node of the control plane.
func (s *stage) addMaster(ctx context.Context, zones []string) error {
	more, err := s.plane.AddHollow(ctx, 1, map[string]string{scenarioLabel: s.Name}, zones...)
	if err != nil {
		return err
	}
	return s.addTaint(ctx, more[0], corev1.Taint{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule})
}

// exclude excludes the nodes that go down from the count of unhealthy nodes.
func (s *stage) exclude(ctx context.Context) error {
	for _, n := range s.down {
		patch := []byte(`{"metadata":{"labels":{"node.kubernetes.io/exclude-disruption":""}}}`)
		if _, err := s.client.CoreV1().Nodes().Patch(ctx, n, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// zone puts the nodes of the first of that many zones, assigned in turn, into a separate zone.
func zone(names []string, zones int) (in, out []string) {
	for i, n := range names {
		if i%zones == 0 {
			in = append(in, n)
		} else {
			out = append(out, n)
		}
	}
	return in, out
}

func (s *stage) cordon(ctx context.Context, nodes []string, on bool) error {
	taints := 0
	if on {
		taints = 1
	}
	for _, n := range nodes {
		if err := cordon(ctx, s.plane, n, on); err != nil {
			return fmt.Errorf("cordon node %s: %w", n, err)
		}
	}
	return s.nodesAre(ctx, nodes, taints)
}

// nodesAre waits until the nodes are ready and have that many taints.
func (s *stage) nodesAre(ctx context.Context, nodes []string, taints int) error {
	return await(ctx, time.Minute, fmt.Sprintf("nodes of %s with %d taints", s.Name, taints), func() bool {
		return !slices.ContainsFunc(nodes, func(n string) bool {
			l := s.plane.recorder.of(n)
			return len(l.ready) == 0 || l.ready[len(l.ready)-1].to != string(corev1.ConditionTrue) || l.taints != taints
		})
	})
}

// loads creates the workloads that start everywhere, or the others, and waits for their pods.
func (s *stage) loads(ctx context.Context, everywhere bool) error {
	for i := range s.Loads {
		l := &s.Loads[i]
		if (l.Everywhere || l.Kind == daemonSet) != everywhere {
			continue
		}
		if err := l.create(ctx, s); err != nil {
			return err
		}
	}
	want := s.wanted(everywhere)
	err := await(ctx, 2*time.Minute, fmt.Sprintf("%d ready pods of %s", want, s.Name), func() bool {
		n := 0
		for _, p := range s.plane.recorder.in(s.Name) {
			if p.isReady() {
				n++
			}
		}
		return n >= want
	})
	if err != nil || !everywhere {
		return err
	}
	return s.finish(ctx)
}

// wanted counts the pods of the loads so far.
func (s *stage) wanted(everywhere bool) int {
	n := 0
	for _, l := range s.Loads {
		switch {
		case l.Kind == daemonSet && everywhere:
			n += s.Nodes
			if s.Master && len(l.Tolerations) > 0 {
				n++ // on those nodes too
			}
		case l.Kind == daemonSet, l.Everywhere && !everywhere:
		case l.Kind == naked || l.Kind == static:
			n += s.Down
		default:
			n += int(l.N - l.Unplaced)
		}
	}
	return n
}

// finish ends the pods that must end before the event.
func (s *stage) finish(ctx context.Context) error {
	for _, l := range s.Loads {
		if !l.Done {
			continue
		}
		for i := range s.down {
			pod, err := s.client.CoreV1().Pods(s.Name).Get(ctx, fmt.Sprintf("%s-%d", l.Name, i), metav1.GetOptions{})
			if err != nil {
				return err
			}
			pod.Status.Phase = corev1.PodSucceeded
			for k := range pod.Status.Conditions {
				if c := &pod.Status.Conditions[k]; c.Type == corev1.PodReady || c.Type == corev1.ContainersReady {
					c.Status, c.Reason, c.LastTransitionTime = corev1.ConditionFalse, "PodCompleted", metav1.Now()
				}
			}
			if _, err := s.client.CoreV1().Pods(s.Name).UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
				return err
			}
			err = await(ctx, time.Minute, "a pod that has ended", func() bool {
				return slices.ContainsFunc(s.plane.recorder.in(s.Name), func(p podLog) bool { return p.name == pod.Name && p.ended })
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *stage) addTaint(ctx context.Context, node string, taint corev1.Taint) error {
	for {
		n, err := s.client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("taint node %s: %w", node, err)
		}
		n.Spec.Taints = append(n.Spec.Taints, taint)
		if _, err = s.client.CoreV1().Nodes().Update(ctx, n, metav1.UpdateOptions{}); err == nil {
			return nil
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}
