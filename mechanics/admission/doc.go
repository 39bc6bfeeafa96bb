// Package admission says which ValidatingAdmissionPolicies would refuse a request, and which MutatingAdmissionPolicies
// would alter a new pod, as the API server decides it: by matching, conditions and CEL expressions. What depends on the
// user, on parameters or on anything else that the evidence does not have is not guessed: such a refusal is reported as
// possible, with what it depends on.
package admission
