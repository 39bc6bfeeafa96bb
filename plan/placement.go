package plan

import "github.com/nodetriage/nodetriage/evidence"

// Room tells whether the replacement of a pod finds a node.
type Room string

// The answers.
const (
	Fits        Room = "fits"
	Pending     Room = "pending"
	RoomUnknown Room = "unknown"
)

// Placement is where the replacement of a pod ends up.
type Placement struct {
	Room    Room
	Message string // the scheduler's words where it is pending
}

// Placer places replacements as the scheduler would.
type Placer interface {
	// Place answers for each pod, as if the replacements of the pods before it ran already, the pods
	// themselves were gone, and no pod could go to the closed nodes.
	Place(pods []*evidence.Pod, closed []string) []Placement
}

// place asks the placer for all pods that somebody makes again; without one every answer is unknown.
func (b *builder) place(pods []*candidate) {
	var ask []*candidate
	for _, c := range pods {
		c.plan.Placement = RoomUnknown
		if c.replaced() {
			ask = append(ask, c)
			if change := b.policies.Changed(c.pod); change != nil {
				b.add("nobody knows where the replacement of a pod of %s goes: %s", c.owner(), change)
			}
		}
	}
	if b.opt.Placer == nil {
		return
	}
	list := make([]*evidence.Pod, 0, len(ask))
	for _, c := range ask {
		list = append(list, c.pod)
	}
	for i, answer := range b.opt.Placer.Place(list, b.opt.Nodes) {
		c := ask[i]
		if answer.Room == Pending && b.open() == 0 && b.s.Covers(evidence.Nodes) != evidence.Complete {
			continue // only the nodes of the plan were read
		}
		if b.policies.Changed(c.pod) != nil {
			continue // it is not a pod like that one which looks for a node
		}
		c.plan.Placement = answer.Room
		if answer.Room == RoomUnknown && answer.Message != "" {
			b.add("nobody knows where the replacement of a pod of %s goes: %s", c.owner(), answer.Message)
		}
		if answer.Room == Pending {
			c.plan.Message = answer.Message
			if c.has(LocalVolume) {
				continue
			}
			c.block(Blocker{
				Kind: NoRoom, Name: c.owner(), Detail: "the replacement fits on no other node: " + answer.Message,
				Unblock: []string{"kubectl get nodes"},
				Harm:    "none by looking: add a node, or free room on one that the pod may use; evicted all the same, the pod is missing until there is room",
			})
		}
	}
}
