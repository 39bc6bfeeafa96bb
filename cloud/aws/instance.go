package aws

import (
	"cmp"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// instance is an instance in describe-instances.
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

// item returns the common fields of both answers. Its ID is the part of the provider ID after aws:///, zone/instance.
func item(zone, id string, s state, ref evidence.Ref) evidence.CloudItem {
	return evidence.CloudItem{
		Type: "instance", ID: "/" + wording.Cut(zone, maxName) + "/" + wording.Cut(id, maxName), Name: wording.Cut(id, maxName),
		Power: wording.Cut(s.Name, maxName), Up: s.power(), Ref: ref,
	}
}

// power maps the state of an instance. It is pending until its first run.
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
