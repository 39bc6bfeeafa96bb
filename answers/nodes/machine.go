package nodes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Machine is the machine of a node, from its cloud if that was read, else from the node's id and labels. Empty fields are
// unknown.
type Machine struct {
	Source     string                  `json:"source"` // cloud, or node
	ID         string                  `json:"id"`     // in its cloud
	Group      string                  `json:"group"`  // resource group
	Set        string                  `json:"set"`    // scale set
	Number     string                  `json:"number"` // in that set, or its id
	Name       string                  `json:"name"`
	Zone       string                  `json:"zone"`
	Size       string                  `json:"size"`
	Image      string                  `json:"image"`
	State      string                  `json:"state"`  // state of its last change, in the cloud's term
	Power      string                  `json:"power"`  // in the cloud's term
	Inside     string                  `json:"inside"` // agent of the cloud inside the machine
	Answer     string                  `json:"answer"` // the agent's state in the cloud's term
	Latest     evidence.Fact           `json:"latest"` // it has the current model of its set
	Spot       evidence.Fact           `json:"spot"`   // the cloud may reclaim it
	Created    *time.Time              `json:"created"`
	Extensions []evidence.CloudProgram `json:"extensions"` // the cloud's extensions inside
	Announced  []Announced             `json:"announced"`  // scheduled events of the cloud; empty: none, or unknown
	Odd        []string                `json:"odd"`
	Ask        shell.Text              `json:"ask,omitempty"` // command that shows the rest
}

// Announced is one scheduled event of the cloud for a machine.
type Announced struct {
	Kind      string     `json:"kind"`
	Status    string     `json:"status,omitempty"`
	NotBefore *time.Time `json:"notBefore"`
	Says      string     `json:"says,omitempty"`
	From      string     `json:"from"` // condition, or node: the machine's metadata
}

// AddMachine adds the machine of the node. Place is the location in its id; ask queries the machines of its cloud.
func (d *Detail) AddMachine(s *evidence.Snapshot, place cloud.Place, ask shell.Text) {
	n := s.Node(d.Node.Name)
	_, id, _ := strings.Cut(n.Spec.ProviderID, "://")
	m := &Machine{
		Source: "node", ID: id, Group: place.Group, Set: place.Set, Number: place.Number, Zone: cmp.Or(place.Zone, triage.Zone(n)),
		Size: d.Node.Traits["instance type"], Image: triage.NodeImage(n), Extensions: []evidence.CloudProgram{}, Announced: []Announced{}, Odd: []string{},
	}
	for _, r := range s.Reports(n.Name) {
		if c := r.Cloud; c != nil {
			m.Size, m.Zone = cmp.Or(m.Size, c.Size), cmp.Or(m.Zone, c.Zone)
			for _, e := range c.Events {
				m.Announced = append(m.Announced, Announced{e.Kind, e.Status, evidence.Stamp(e.Not), e.Text, "node"})
			}
		}
	}
	for _, c := range n.Node.Status.Conditions { // of the node problem detector, from the cloud's scheduled events
		if strings.HasSuffix(string(c.Type), "EventScheduled") && c.Status == corev1.ConditionTrue {
			m.Announced = append(m.Announced, Announced{Kind: cmp.Or(c.Reason, string(c.Type)), Says: c.Message, From: "condition"})
		}
	}
	if c := s.MachineOf(n); c != nil {
		m.ofCloud(c)
	} else {
		m.Ask = ask
	}
	for _, a := range m.Announced {
		m.Odd = append(m.Odd, "scheduled event: "+strings.TrimSpace(a.Kind+" "+a.Says))
	}
	if m.ID != "" || m.Source == "cloud" || len(m.Announced) > 0 {
		d.Machine = m
	}
}

func (m *Machine) ofCloud(c *evidence.CloudMachine) {
	m.Source, m.ID, m.Name = "cloud", cmp.Or(c.ID, m.ID), c.Name
	m.Group, m.Number = cmp.Or(m.Group, c.Group), cmp.Or(m.Number, c.Number)
	if m.Set == "" && c.Set != "" {
		m.Set = c.Set[strings.LastIndexByte(c.Set, '/')+1:]
	}
	m.Zone, m.Size, m.Image = cmp.Or(c.Zone, m.Zone), cmp.Or(c.Size, m.Size), cmp.Or(c.Image, m.Image)
	m.State, m.Power, m.Inside, m.Answer = c.State, c.Power, c.Inside, c.Answer
	m.Latest, m.Spot, m.Created = c.Latest, c.Spot, evidence.Stamp(c.Created)
	if c.Extensions != nil {
		m.Extensions = slices.Clone(c.Extensions)
	}
	say := func(is bool, text string) {
		if is {
			m.Odd = append(m.Odd, text)
		}
	}
	say(c.TakenBack == evidence.True, "evicted by the cloud (spot)")
	say(c.Up.Off() || c.Up == evidence.PowerEnded, "not running: "+c.Power)
	says := ""
	if k := len(c.Errors); k > 0 {
		says = ": " + wording.Cut(strings.TrimPrefix(c.Errors[k-1].Code+": "+c.Errors[k-1].Message, ": "), 300)
	}
	say(c.Failed(), "its last operation failed"+says)
	say(c.Changing(), "an operation is in progress: "+c.State)
	say(c.Answers == evidence.False, "the "+c.Inside+" is "+c.Answer)
	say(c.Latest == evidence.False, "does not have the latest model of its scale set")
	say(len(c.FailedExtensions) > 0, "failed extensions: "+wording.Some(c.FailedExtensions))
	say(len(c.FailedDisks) > 0, "disks not attached or detached: "+wording.Some(c.FailedDisks))
}
