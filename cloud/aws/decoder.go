package aws

import (
	"encoding/json"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

const (
	maxMachines = 5000 // per document
	maxName     = 500  // bytes of a name
	maxEvidence = 1000 // bytes of a quoted text
)

// Decoder decodes the two EC2 answers with the state of machines.
type Decoder struct{}

// Knows reports whether an object is one of these answers.
func (Decoder) Knows(object map[string]any) bool {
	_, reservations := object["Reservations"].([]any)
	_, statuses := object["InstanceStatuses"].([]any)
	return reservations || statuses
}

// Decode decodes the machines of an answer. It skips parts that do not match the API.
func (Decoder) Decode(object map[string]any, source string) cloud.Decoded {
	d := cloud.Decoded{Name: "ec2"}
	ref := evidence.Ref{Source: source}
	each(object["Reservations"], func(reservation map[string]any) {
		each(reservation["Instances"], func(raw map[string]any) {
			var i instance
			if len(d.Resources) < maxMachines && into(raw, &i) && i.InstanceID != "" {
				d.Resources = append(d.Resources, i.machine(ref))
			}
		})
	})
	each(object["InstanceStatuses"], func(raw map[string]any) {
		var s status
		if len(d.Resources) < maxMachines && into(raw, &s) && s.InstanceID != "" {
			d.Resources = append(d.Resources, s.machine(ref))
			if h := s.health(ref); h != nil {
				d.Resources = append(d.Resources, h)
			}
		}
	})
	return d
}

// each visits the objects of a list.
func each(list any, visit func(map[string]any)) {
	all, _ := list.([]any)
	for _, one := range all {
		if object, ok := one.(map[string]any); ok {
			visit(object)
		}
	}
}

// into decodes an object by field names and reports whether it matches.
func into(object map[string]any, value any) bool {
	raw, err := json.Marshal(object)
	return err == nil && json.Unmarshal(raw, value) == nil
}
