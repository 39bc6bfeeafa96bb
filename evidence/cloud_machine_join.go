package evidence

import (
	"cmp"
	"strings"
)

// Join adds the data of another answer to the machine.
func (m *CloudMachine) Join(r *CloudMachine) {
	if m.ID == "" {
		m.ID, m.Name = r.ID, r.Name
	}
	m.Set, m.ReadInstead = cmp.Or(m.Set, r.Set), cmp.Or(m.ReadInstead, r.ReadInstead)
	if m.Power == "" {
		m.Power, m.Up = r.Power, r.Up
	}
	if m.State == "" || !m.Failed() && r.Failed() {
		m.State, m.Stage = r.State, r.Stage
	}
	m.Errors = append(m.Errors[:len(m.Errors):len(m.Errors)], r.Errors...)
	m.Host, m.Number = cmp.Or(m.Host, r.Host), cmp.Or(m.Number, r.Number)
	if m.Answer == "" {
		m.Inside, m.AnswerAt, m.Answer, m.Answers = r.Inside, r.AnswerAt, r.Answer, r.Answers
	}
	m.Latest, m.Spot, m.TakenBack = cmp.Or(m.Latest, r.Latest), cmp.Or(m.Spot, r.Spot), cmp.Or(m.TakenBack, r.TakenBack)
	m.Joins, m.AwaitsNode = cmp.Or(m.Joins, r.Joins), cmp.Or(m.AwaitsNode, r.AwaitsNode)
	if m.FailedDisks == nil {
		m.FailedDisks = r.FailedDisks
	}
	if m.FailedExtensions == nil {
		m.FailedExtensions = r.FailedExtensions
	}
	if m.Extensions == nil {
		m.Extensions = r.Extensions
	}
	m.Group, m.Size = cmp.Or(m.Group, r.Group), cmp.Or(m.Size, r.Size)
	m.Image, m.Zone = cmp.Or(m.Image, r.Image), cmp.Or(m.Zone, r.Zone)
	if m.Created.IsZero() {
		m.Created = r.Created
	}
	if m.Ago == nil {
		m.Ago = r.Ago
	}
	if m.Deleted.IsZero() {
		m.Deleted = r.Deleted
	}
}

// MachineOf returns the machine of the node, by host name or provider ID, joined from all answers; nil if there is
// none.
func (s *Snapshot) MachineOf(n *Node) *CloudMachine {
	_, id, _ := strings.Cut(n.Spec.ProviderID, "://")
	var out *CloudMachine
	for _, r := range CloudOf[*CloudMachine](&s.data) {
		if !strings.EqualFold(r.Host, n.Name) && (r.Host != "" || id == "" || !strings.EqualFold(r.ID, id)) {
			continue
		}
		if out == nil {
			one := *r
			out = &one
		} else {
			out.Join(r)
		}
	}
	return out
}
