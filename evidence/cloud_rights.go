package evidence

import "time"

// CloudLock forbids changes of something and of all that is in it.
type CloudLock struct {
	CloudItem
	Level string // what it forbids, in the cloud's word; empty: not told
	Scope string // id or name of what it lies on; empty: not told
	Note  string // what its author wrote; empty: nothing, or not told

	Account string // on which it lies, or in which; empty: not told
	Group   string // of resources on which it lies, or in which; empty: on the whole account, or not told
}

// CloudPolicyState is what a policy makes of one resource.
type CloudPolicyState struct {
	CloudItem
	Assignment string // name of the policy's assignment
	Definition string // name of the policy
	On         string // id of the resource
	Pool       string // to which that belongs; empty: to none, or not told
	Group      string // of resources in which it lies; empty: not told
	Broken     Fact   // the resource does not keep to the policy
	Denies     Fact   // the policy denies changes of the resource as it is; Unknown: its effect, or whether it is kept, was not read
}

// CloudRole is a right that somebody has.
type CloudRole struct {
	CloudItem
	Principal string // id of who has it
	Role      string // what may be done, in the cloud's word; empty: not told
	OnlyReads bool   // who has it may look, and change nothing
	None      bool   // who was asked about has no role at all
	Scope     string // id of what it is a right on; it holds for all that is in it
}

// CloudPolicyAssignment applies a policy to something and to all that is in it.
type CloudPolicyAssignment struct {
	CloudItem
	Title    string // as people call it; empty: not told
	Enforced Fact   // it refuses; False: it only counts what breaks the policy
	Scope    string // id of what it lies on; empty: not told
}

// CloudLogTarget sends logs and metrics of something to a place where they are kept.
type CloudLogTarget struct {
	CloudItem
	Of    string   // name of what they are of; empty: not told
	To    []string // ids or names of the places; none: not told
	Kinds []string // of logs and metrics that are sent; none: nothing is
}

// CloudDenial is a right that is taken from everybody but some.
type CloudDenial struct {
	CloudItem
	Rule  string // its name; empty: not told
	Scope string // id of what it lies on
}

// CloudAccount is the account to which everything belongs and which pays for it.
type CloudAccount struct {
	CloudItem
	Standing string       // in the cloud's word; empty: not told
	May      CloudAllowed // what that word means
}

// CloudAllowed is whether an account may act.
type CloudAllowed string

// Whether an account may act.
const (
	AllowedUnknown CloudAllowed = ""       // not told, or a word that is not known
	AllowedYes     CloudAllowed = "yes"    // it may
	AllowedWarned  CloudAllowed = "warned" // it may, until it is disabled for something that somebody has to settle
	AllowedNo      CloudAllowed = "no"     // it may not
)

// CloudService is a part of the cloud that an account must be registered for.
type CloudService struct {
	CloudItem
	Service  string // its name
	Standing string // of the registration, in the cloud's word
	Disabled bool   // the account is not registered
	Needed   bool   // every cluster needs it
}

// CloudHealth is what the cloud says of how well something is.
type CloudHealth struct {
	CloudItem
	On         string            // id of what it is about, in lower case
	Word       string            // whether it is available, in the cloud's word; empty: not told
	Available  CloudAvailability // what that word means
	Cause      string            // who or what is to blame, in the cloud's word; empty: not told
	Kind       string            // of the event: planned or not, in the cloud's word; empty: not told
	Summary    string            // in the cloud's words
	ByPlatform bool              // the cloud's own platform is to blame, not what a user did
	Since      time.Time         // zero: not told
}

// CloudAvailability is whether something is available.
type CloudAvailability string

// Whether something is available.
const (
	AvailableUnknown CloudAvailability = ""         // not told
	Available        CloudAvailability = "yes"      // it is
	Degraded         CloudAvailability = "degraded" // in part, or not at all
	AvailableOther   CloudAvailability = "other"    // a word that is not known
)

// CloudServiceEvent is trouble of the cloud itself that it tells of.
type CloudServiceEvent struct {
	CloudItem
	Current bool      // it is going on, and is trouble, not an announcement
	Title   string    // in the cloud's words
	Since   time.Time // zero: not told
}

// CloudDependency is something else that a cluster needs: it exists, or its errors say that it does not.
type CloudDependency struct{ CloudItem }

// CloudOther is a resource of which nothing but its state and errors is read.
type CloudOther struct{ CloudItem }
