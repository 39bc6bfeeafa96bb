// Package admission evaluates admission policies like the API server, with matching, conditions and CEL expressions. It
// returns the ValidatingAdmissionPolicies that deny a request and the MutatingAdmissionPolicies that change a new pod.
// A result that depends on missing evidence, such as the user or parameters, is reported as possible, with that
// dependency.
package admission
