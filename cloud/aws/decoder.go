package aws

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	maxMachines = 5000 // of one document
	maxName     = 500  // bytes of a name
	maxEvidence = 1000 // bytes of a quoted text
)

// Decoder reads the two answers of EC2 that tell how machines are.
type Decoder struct{}

// Knows reports whether an object is one of those answers.
func (Decoder) Knows(object map[string]any) bool {
	_, reservations := object["Reservations"].([]any)
	_, statuses := object["InstanceStatuses"].([]any)
	return reservations || statuses
}

// Decode reads the machines of an answer. What does not have the form of the API is left out.
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

// into reads an object by the names of its fields, and reports whether it has their form.
func into(object map[string]any, value any) bool {
	raw, err := json.Marshal(object)
	return err == nil && json.Unmarshal(raw, value) == nil
}

// instance is one of describe-instances.
type instance struct {
	InstanceID        string    `json:"InstanceId"`
	PrivateDNSName    string    `json:"PrivateDnsName"`
	InstanceType      string    `json:"InstanceType"`
	ImageID           string    `json:"ImageId"`
	InstanceLifecycle string    `json:"InstanceLifecycle"` // spot, scheduled, capacity-block; absent: on demand
	LaunchTime        time.Time `json:"LaunchTime"`
	State             state     `json:"State"`
	Placement         struct {
		AvailabilityZone string `json:"AvailabilityZone"`
	} `json:"Placement"`
	StateReason struct {
		Code    string `json:"Code"`
		Message string `json:"Message"`
	} `json:"StateReason"`
}

type state struct {
	Name string `json:"Name"` // pending, running, stopping, stopped, shutting-down, terminated
}

func (i *instance) machine(ref evidence.Ref) *evidence.CloudMachine {
	power := i.State.Name
	if why := cmp.Or(i.StateReason.Message, i.StateReason.Code); why != "" && i.State.power() != evidence.PowerOn {
		power += " (" + wording.Cut(why, maxName) + ")"
	}
	m := &evidence.CloudMachine{
		CloudItem: item(i.Placement.AvailabilityZone, i.InstanceID, i.State, ref), Host: wording.Cut(strings.ToLower(i.PrivateDNSName), maxName),
		Created: i.LaunchTime.UTC(), Spot: evidence.Known(i.InstanceLifecycle == "spot"),
		Size: wording.Cut(i.InstanceType, maxName), Image: wording.Cut(i.ImageID, maxName), Zone: wording.Cut(i.Placement.AvailabilityZone, maxName),
	}
	m.Power = wording.Cut(power, maxEvidence)
	if code := i.StateReason.Code; code == "Server.SpotInstanceTermination" || code == "Server.SpotInstanceShutdown" {
		m.TakenBack = evidence.True
	}
	return m
}

// item is what both answers say of a machine; its id is that in its node's provider id, aws:///zone/instance.
func item(zone, id string, s state, ref evidence.Ref) evidence.CloudItem {
	return evidence.CloudItem{
		Type: "instance", ID: "/" + wording.Cut(zone, maxName) + "/" + wording.Cut(id, maxName), Name: wording.Cut(id, maxName),
		Power: wording.Cut(s.Name, maxName), Up: s.power(), Ref: ref,
	}
}

// power is what the state of an instance means; it is pending until it runs for the first time.
func (s state) power() evidence.CloudPower {
	switch s.Name {
	case "running":
		return evidence.PowerOn
	case "stopping", "stopped":
		return evidence.PowerOff
	case "shutting-down", "terminated":
		return evidence.PowerEnded
	}
	return evidence.PowerUnknown
}
