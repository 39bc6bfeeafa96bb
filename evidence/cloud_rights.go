package evidence

import "time"

// CloudLock blocks changes of a scope and of everything in it.
type CloudLock struct {
	CloudItem
	Level string // lock level of the cloud; empty: unknown
	Scope string // ID or name of the locked resource; empty: unknown
	Note  string // notes of its author; empty: none, or unknown

	Account string // subscription of the scope; empty: unknown
	Group   string // resource group of the scope; empty: the whole subscription, or unknown
}

// CloudPolicyState is the compliance of one resource with a policy.
type CloudPolicyState struct {
	CloudItem
	Assignment string // name of the policy assignment
	Definition string // name of the policy
	On         string // ID of the resource
	Pool       string // pool of the resource; empty: none, or unknown
	Group      string // its resource group; empty: unknown
	Broken     Fact   // the resource is not compliant
	Denies     Fact   // the policy denies changes of the resource; Unknown: effect or compliance was not read
}

// CloudRole is a role assignment.
type CloudRole struct {
	CloudItem
	Principal string // ID of the principal
	Role      string // role name of the cloud; empty: unknown
	OnlyReads bool   // the role is read-only
	None      bool   // the principal has no role
	Scope     string // ID of the scope, including everything in it
}

// CloudPolicyAssignment assigns a policy to a scope and everything in it.
type CloudPolicyAssignment struct {
	CloudItem
	Title    string // display name; empty: unknown
	Enforced Fact   // it denies; False: it only audits
	Scope    string // ID of the scope; empty: unknown
}

// CloudLogTarget is a diagnostic setting that sends logs and metrics to destinations.
type CloudLogTarget struct {
	CloudItem
	Of    string   // name of the source; empty: unknown
	To    []string // IDs or names of the destinations; none: unknown
	Kinds []string // enabled log and metric categories; none: nothing is sent
}

// CloudDenial is a deny assignment.
type CloudDenial struct {
	CloudItem
	Rule  string // its name; empty: unknown
	Scope string // ID of the scope
}

// CloudAccount is the subscription of all resources.
type CloudAccount struct {
	CloudItem
	Standing string       // state of the cloud; empty: unknown
	May      CloudAllowed // meaning of Standing
}

// CloudAllowed is whether a subscription can be used.
type CloudAllowed string

// Values of CloudAllowed.
const (
	AllowedUnknown CloudAllowed = ""       // unknown, or an unknown word
	AllowedYes     CloudAllowed = "yes"    // enabled
	AllowedWarned  CloudAllowed = "warned" // enabled, but about to be disabled until someone settles an issue
	AllowedNo      CloudAllowed = "no"     // disabled
)

// CloudService is a resource provider that a subscription must register.
type CloudService struct {
	CloudItem
	Service  string // its name
	Standing string // registration state of the cloud
	Disabled bool   // not registered
	Needed   bool   // required by every cluster
}

// CloudHealth is the resource health in the cloud.
type CloudHealth struct {
	CloudItem
	On         string            // ID of the resource, in lower case
	Word       string            // availability state of the cloud; empty: unknown
	Available  CloudAvailability // meaning of Word
	Cause      string            // cause in the words of the cloud; empty: unknown
	Kind       string            // planned or unplanned, in the words of the cloud; empty: unknown
	Summary    string            // text of the cloud
	ByPlatform bool              // caused by the cloud platform, not by a user
	Since      time.Time         // zero: unknown
}

// CloudAvailability is whether a resource is available.
type CloudAvailability string

// Values of CloudAvailability.
const (
	AvailableUnknown CloudAvailability = ""         // unknown
	Available        CloudAvailability = "yes"      // available
	Degraded         CloudAvailability = "degraded" // degraded or unavailable
	AvailableOther   CloudAvailability = "other"    // an unknown word
)

// CloudServiceEvent is an incident of the cloud.
type CloudServiceEvent struct {
	CloudItem
	Current bool      // active, and an incident rather than an announcement
	Title   string    // text of the cloud
	Since   time.Time // zero: unknown
}

// CloudDependency is another resource that a cluster requires: it exists, or its errors show that it does not.
type CloudDependency struct{ CloudItem }

// CloudOther is a resource with only a state and errors.
type CloudOther struct{ CloudItem }
