// Package admission tells which ValidatingAdmissionPolicies would refuse a request, and which MutatingAdmissionPolicies
// would make a new pod other than the one that it replaces, as the API server judges it:
// matching, conditions and CEL expressions. What depends on who asks, on parameters or on anything else that the
// evidence does not have is not guessed: such a refusal is named as possible, with what it depends on.
package admission
