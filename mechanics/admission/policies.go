package admission

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// Policies are the admission policies of one cluster. They are not safe for concurrent use.
type Policies struct {
	policies   []*admissionv1.ValidatingAdmissionPolicy
	bindings   map[string][]*admissionv1.ValidatingAdmissionPolicyBinding // by policy
	namespaces map[string]*corev1.Namespace
	language   language

	mutations        []*admissionv1.MutatingAdmissionPolicy
	mutationBindings map[string][]*admissionv1.MutatingAdmissionPolicyBinding // by policy
	changed          map[likeness]*Change
}

// Refusal is a policy that denies a request, or may deny it.
type Refusal struct {
	Policy, Binding string
	// Certain: Says is the error of the API server. Otherwise Says is the unknown input that the denial depends on.
	Certain bool
	Says    string
}

// String returns the denial. If it is certain, it is the message of the API server.
func (r Refusal) String() string {
	if r.Certain {
		return fmt.Sprintf("ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s", r.Policy, r.Binding, r.Says)
	}
	return fmt.Sprintf("ValidatingAdmissionPolicy '%s' with binding '%s' may deny it, depending on %s", r.Policy, r.Binding, r.Says)
}

// New returns the policies in the evidence that can deny or change a request.
func New(s *evidence.Snapshot) *Policies {
	d := s.Data()
	p := &Policies{bindings: map[string][]*admissionv1.ValidatingAdmissionPolicyBinding{}, namespaces: map[string]*corev1.Namespace{}}
	for _, b := range d.PolicyBindings {
		if slices.Contains(b.Spec.ValidationActions, admissionv1.Deny) {
			p.bindings[b.Spec.PolicyName] = append(p.bindings[b.Spec.PolicyName], b)
		}
	}
	for _, v := range d.Policies {
		if len(p.bindings[v.Name]) > 0 {
			p.policies = append(p.policies, v)
		}
	}
	p.gatherMutations(d)
	if len(p.policies)+len(p.mutations) == 0 {
		return p
	}
	for _, n := range d.Namespaces {
		p.namespaces[n.Name] = n
	}
	return p
}

// Refusals returns the policies that deny the request, or may deny it, the certain ones first.
func (p *Policies) Refusals(r Request) []Refusal {
	var out []Refusal
	for _, policy := range p.policies {
		meant := p.matches(policy.Spec.MatchConstraints, &r)
		if meant == evidence.False {
			continue
		}
		for _, b := range p.bindings[policy.Name] {
			bound := both(meant, p.matches(b.Spec.MatchResources, &r))
			if bound == evidence.False {
				continue
			}
			v := p.judge(policy, b, &r)
			if bound == evidence.Unknown && v.refuses == evidence.True {
				v = verdict{refuses: evidence.Unknown, says: "labels that are not in the evidence"}
			}
			if v.refuses != evidence.False {
				out = append(out, Refusal{policy.Name, b.Name, v.refuses == evidence.True, v.says})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Refusal) int {
		switch {
		case a.Certain == b.Certain:
			return 0
		case a.Certain:
			return -1
		}
		return 1
	})
	return out
}

// verdict is the result of one policy and binding. says is the message of a denial, or the unknown input that it
// depends on.
type verdict struct {
	refuses evidence.Fact
	says    string
}

// judge mirrors Dispatch and Validate of
// kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating, v1.36.3.
func (p *Policies) judge(policy *admissionv1.ValidatingAdmissionPolicy, b *admissionv1.ValidatingAdmissionPolicyBinding, r *Request) verdict {
	spec := &policy.Spec
	failed := evidence.Known(spec.FailurePolicy == nil || *spec.FailurePolicy == admissionv1.Fail)
	parameters := spec.ParamKind != nil && b.Spec.ParamRef != nil
	meant, depends, broken := p.language.scope(p, r, nil, parameters, false).meant(spec.MatchConditions)
	switch {
	case meant == evidence.False:
		return verdict{refuses: evidence.False}
	case broken != "" && meant == evidence.Unknown && failed == evidence.True:
		return verdict{evidence.Unknown, depends}
	case broken != "":
		return verdict{failed, broken}
	}
	v := p.validate(spec, p.language.scope(p, r, spec.Variables, parameters, true), failed)
	missing := parameters && deniesWithout(b.Spec.ParamRef)
	switch {
	case parameters && v.refuses == evidence.True && !missing, missing && v.refuses == evidence.False:
		v = verdict{evidence.Unknown, wordsOf("params")} // there may be no parameter object
	}
	if meant == evidence.Unknown && v.refuses == evidence.True {
		return verdict{evidence.Unknown, depends}
	}
	return v
}

// deniesWithout reports whether a binding denies a request without a parameter object.
func deniesWithout(ref *admissionv1.ParamRef) bool {
	return ref.ParameterNotFoundAction == nil || *ref.ParameterNotFoundAction == admissionv1.DenyAction
}

// meant reports whether all match conditions are true, or what that depends on. broken is the error of a condition. A
// false condition decides even if another one fails.
func (s *scope) meant(conditions []admissionv1.MatchCondition) (meant evidence.Fact, depends, broken string) {
	meant = evidence.True
	for _, c := range conditions {
		switch a := s.ask(c.Expression); {
		case a.truth == evidence.False:
			return evidence.False, "", ""
		case a.failed != "":
			broken = a.failed
		case a.truth == evidence.Unknown:
			meant, depends = evidence.Unknown, a.depends
		}
	}
	return meant, depends, broken
}

// validate evaluates each validation. A false validation denies the request.
func (p *Policies) validate(spec *admissionv1.ValidatingAdmissionPolicySpec, in *scope, failed evidence.Fact) verdict {
	out := verdict{refuses: evidence.False}
	for _, x := range spec.Validations {
		switch a := in.ask(x.Expression); {
		case a.failed != "" && failed == evidence.True:
			return verdict{evidence.True, a.failed}
		case a.failed != "":
		case a.truth == evidence.False:
			return verdict{evidence.True, message(&x, in)}
		case a.truth == evidence.Unknown && out.refuses == evidence.False:
			out = verdict{evidence.Unknown, a.depends}
		}
	}
	return out
}

// message returns the message of the API server for a false validation.
func message(x *admissionv1.Validation, in *scope) string {
	if x.MessageExpression != "" {
		if text := strings.TrimSpace(in.text(x.MessageExpression)); text != "" && !strings.Contains(text, "\n") {
			return bounded(text)
		}
	}
	if text := strings.TrimSpace(x.Message); text != "" {
		return bounded(text)
	}
	return bounded("failed expression: " + strings.TrimSpace(x.Expression))
}

const maxText = 300 // bytes of a policy message

func bounded(s string) string { return wording.Cut(s, maxText) }
