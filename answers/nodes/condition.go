package nodes

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Judgement is the meaning of a condition, considering its polarity and age.
type Judgement string

// Judgements. NotJudged is a vendor's condition with an unknown polarity.
const (
	Good      Judgement = "good"
	Bad       Judgement = "bad"
	Stale     Judgement = "stale"
	NotJudged Judgement = "not judged"
)

// Condition is one judged condition of a node.
type Condition struct {
	Type      string     `json:"type"`
	Status    string     `json:"status"`
	Judgement Judgement  `json:"judgement"`
	Says      string     `json:"says"` // the judgement as text
	Reason    string     `json:"reason,omitempty"`
	Message   string     `json:"message,omitempty"`
	Since     *time.Time `json:"since"`
	Heard     *time.Time `json:"heard"` // last heartbeat of this condition
}

// conditions lists the significant ones first.
func (b *builder) conditions(n *evidence.Node) []Condition {
	out := []Condition{}
	for i := range n.Node.Status.Conditions {
		c := &n.Node.Status.Conditions[i]
		j := Condition{
			Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message,
			Since: evidence.Stamp(c.LastTransitionTime.Time), Heard: evidence.Stamp(c.LastHeartbeatTime.Time),
		}
		j.Judgement, j.Says = b.condition(c)
		out = append(out, j)
	}
	order := []Judgement{Bad, Stale, NotJudged, Good}
	slices.SortStableFunc(out, func(a, b Condition) int {
		return slices.Index(order, a.Judgement) - slices.Index(order, b.Judgement)
	})
	return out
}

// condition judges a condition:
//   - Unknown on a condition of the kubelet: the control plane wrote it because the kubelet is unreachable;
//   - a kubelet's condition without a heartbeat for longer than allowed: stale;
//   - a known type: by its polarity;
//   - any other type: not judged; if True, it may be a problem.
func (b *builder) condition(c *corev1.NodeCondition) (Judgement, string) {
	silent := c.Status != corev1.ConditionTrue && c.Status != corev1.ConditionFalse
	switch {
	case c.Type == corev1.NodeReady && silent:
		return Bad, "the kubelet stopped reporting"
	case kubeletOwns(c.Type) && silent:
		return Stale, "the kubelet stopped reporting; Unknown does not mean pressure"
	case silent:
		return NotJudged, "the monitor reports Unknown"
	case kubeletOwns(c.Type) && b.old(c.LastHeartbeatTime.Time):
		return Stale, "not confirmed recently; it may have changed"
	}
	switch evidence.Bad(c) {
	case evidence.True:
		return Bad, "a problem"
	case evidence.False:
		return Good, "OK"
	}
	if evidence.Unexplained(c) {
		return NotJudged, "may be a problem (meaning unknown)"
	}
	return NotJudged, "unknown condition"
}

func (b *builder) old(heard time.Time) bool {
	return !heard.IsZero() && !b.at.IsZero() && b.at.Sub(heard) > mechanics.StatusPeriod
}
