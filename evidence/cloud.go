package evidence

import "time"

// CloudResource is one resource of a cloud: a managed cluster, a pool, a scale set, an instance.
type CloudResource struct {
	// Type is cluster, pool, scale-set, availability-set, machine, instance, subnet, security-group, route-table, quota, sku,
	// lock, policy, policy-assignment, policy-exemption, role-assignment, deny-assignment, maintenance, cluster-upgrade,
	// pool-upgrade, health, service-event, subscription, provider or other.
	Type         string            `json:"type"`
	ID           string            `json:"id,omitempty"`
	Name         string            `json:"name"`
	Provisioning string            `json:"provisioning,omitempty"` // Succeeded, Failed, Updating, ...
	Power        string            `json:"power,omitempty"`        // running, deallocated, ...
	Properties   map[string]string `json:"properties,omitempty"`   // other fields that rules read
	Errors       []CloudError      `json:"errors,omitempty"`
	Ref          Ref               `json:"ref,omitzero"`
}

// CloudError is one error of a cloud, unwound from its nesting: the innermost comes last in a list.
type CloudError struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Target  string `json:"target,omitempty"`
}

// CloudActivity is one entry of an activity log.
type CloudActivity struct {
	Operation string       `json:"operation"`
	ID        string       `json:"id,omitempty"`     // of the operation: its entries have the same
	Chain     string       `json:"chain,omitempty"`  // of operations that one request set off
	Status    string       `json:"status,omitempty"` // Started, Succeeded, Failed, ...
	Time      time.Time    `json:"time,omitzero"`
	Caller    string       `json:"caller,omitempty"`
	Resource  string       `json:"resource,omitempty"`
	Errors    []CloudError `json:"errors,omitempty"`
	Ref       Ref          `json:"ref,omitzero"`
}
