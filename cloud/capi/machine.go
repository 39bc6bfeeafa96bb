package capi

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// machine decodes a Machine, its infrastructure machine, or a NodeClaim. All have the provider ID of the node.
func (o *object) machine(item evidence.CloudItem) *evidence.CloudMachine {
	_, id, _ := strings.Cut(cmp.Or(o.text("spec", "providerID"), o.text("status", "providerID")), "://")
	item.ID = wording.Cut(id, maxName)
	item.Power, item.Up = o.power()
	m := &evidence.CloudMachine{CloudItem: item}
	m.Host = strings.ToLower(wording.Cut(cmp.Or(o.text("status", "nodeRef", "name"), o.text("status", "nodeName")), maxName))
	m.Zone = wording.Cut(cmp.Or(o.text("spec", "failureDomain"), o.text("status", "failureDomain")), maxName)
	m.Size = wording.Cut(cmp.Or(o.text("spec", "instanceType"), o.text("spec", "vmSize"), o.text("spec", "flavor")), maxName)
	if o.spot() {
		m.Spot = evidence.True
	}
	if o.kind == "Machine" || o.kind == "NodeClaim" {
		if o.awaitsNode() {
			m.Joins, m.AwaitsNode = evidence.True, evidence.True
		}
		m.Created, m.Deleted = o.time("creationTimestamp"), o.time("deletionTimestamp")
	}
	return m
}

// spot reports whether the machine is preemptible, in the terms of AWS, Azure or GCP.
func (o *object) spot() bool {
	return o.at("spec", "spotMarketOptions") != nil || o.at("spec", "spotVMOptions") != nil || o.text("spec", "provisioningModel") == "Spot"
}

// awaitsNode reports whether the object shows that its node does not exist yet. It is false for failed or deleted
// objects, and for manifests without a status.
func (o *object) awaitsNode() bool {
	hasNode := o.at("status", "nodeRef") != nil || o.text("status", "nodeName") != ""
	if o.at("status") == nil || hasNode || o.at("metadata", "deletionTimestamp") != nil {
		return false
	}
	if o.kind == "NodeClaim" {
		return true
	}
	switch o.text("status", "phase") {
	case "", "Pending", "Provisioning", "Provisioned":
		return true
	}
	return false
}

// power returns whether the machine is on, from the instance state of its provider, or from the reason of a condition.
func (o *object) power() (word string, up evidence.CloudPower) {
	word = wording.Cut(cmp.Or(o.text("status", "instanceState"), o.text("status", "vmState")), maxName)
	if up, known := states[word]; known {
		return word, up
	}
	if o.text("status", "phase") == "Deleted" {
		return "Deleted", evidence.PowerEnded
	}
	for _, c := range o.conditions() {
		if word := reasons[c.Reason]; c.Status == "False" && word != "" {
			return word, states[word]
		}
	}
	return word, evidence.PowerUnknown
}

// states map the instance states of providers. Upper case: GCP, where TERMINATED means stopped, and OpenStack; lower
// case: EC2; otherwise Azure, which shows only whether a change succeeded.
var states = map[string]evidence.CloudPower{
	"running": evidence.PowerOn, "stopping": evidence.PowerOff, "stopped": evidence.PowerOff,
	"shutting-down": evidence.PowerEnded, "terminated": evidence.PowerEnded,
	"RUNNING": evidence.PowerOn, "STOPPING": evidence.PowerOff, "STOPPED": evidence.PowerOff, "SUSPENDED": evidence.PowerOff, "TERMINATED": evidence.PowerOff,
	"ACTIVE": evidence.PowerOn, "SHUTOFF": evidence.PowerOff, "DELETED": evidence.PowerEnded, "SOFT_DELETED": evidence.PowerEnded,
	"Deleted": evidence.PowerEnded, "VMDeleted": evidence.PowerEnded,
}

// reasons map condition reasons to such a state.
var reasons = map[string]string{"InstanceStopped": "stopped", "InstanceTerminated": "terminated", "InstanceDeleted": "DELETED", "VMDeleted": "VMDeleted"}
