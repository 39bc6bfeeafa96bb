package admission

import (
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
)

// matches reports whether the resource rules match the request; nil matches all. It mirrors Matches of kubernetes
// staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/matching/matching.go, v1.36.3. It skips equivalent resources
// because pods and nodes have none.
func (p *Policies) matches(m *admissionv1.MatchResources, r *Request) evidence.Fact {
	switch {
	case m == nil:
		return evidence.True
	case anyRule(m.ExcludeResourceRules, r), len(m.ResourceRules) > 0 && !anyRule(m.ResourceRules, r):
		return evidence.False
	}
	return both(p.inNamespace(m.NamespaceSelector, r), ofObject(m.ObjectSelector, r))
}

func both(a, b evidence.Fact) evidence.Fact {
	switch {
	case a == evidence.False || b == evidence.False:
		return evidence.False
	case a == evidence.Unknown || b == evidence.Unknown:
		return evidence.Unknown
	}
	return evidence.True
}

// inNamespace reports whether the selector matches the namespace of the request. It is true for cluster-scoped
// requests.
func (p *Policies) inNamespace(selector *metav1.LabelSelector, r *Request) evidence.Fact {
	if r.namespace == "" || all(selector) {
		return evidence.True
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	n := p.namespaces[r.namespace]
	if err != nil || n == nil {
		return evidence.Unknown
	}
	return evidence.Known(s.Matches(labels.Set(n.Labels)))
}

func ofObject(selector *metav1.LabelSelector, r *Request) evidence.Fact {
	if all(selector) {
		return evidence.True
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil || r.unlabelled {
		return evidence.Unknown
	}
	return evidence.Known(slices.ContainsFunc(r.labels, func(l map[string]string) bool { return s.Matches(labels.Set(l)) }))
}

func all(selector *metav1.LabelSelector) bool {
	return selector == nil || len(selector.MatchLabels)+len(selector.MatchExpressions) == 0
}

func anyRule(rules []admissionv1.NamedRuleWithOperations, r *Request) bool {
	return slices.ContainsFunc(rules, func(rule admissionv1.NamedRuleWithOperations) bool {
		return (len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, r.name)) && r.isOf(&rule.RuleWithOperations)
	})
}

// isOf mirrors Matcher.Matches of
// kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go, v1.36.3.
func (r *Request) isOf(rule *admissionv1.RuleWithOperations) bool {
	if rule.Scope != nil {
		switch *rule.Scope {
		case admissionv1.NamespacedScope:
			if r.namespace == "" {
				return false
			}
		case admissionv1.ClusterScope:
			if r.namespace != "" {
				return false
			}
		}
	}
	operation := covers(rule.Operations, admissionv1.OperationAll, admissionv1.OperationType(r.operation))
	if !operation || !covers(rule.APIGroups, "*", "") || !covers(rule.APIVersions, "*", "v1") {
		return false
	}
	return slices.ContainsFunc(rule.Resources, func(name string) bool {
		resource, sub, _ := strings.Cut(name, "/")
		return (resource == "*" || resource == r.resource) && (sub == "*" || sub == r.subresource)
	})
}

// covers reports whether a list of a rule contains the value or the wildcard.
func covers[T comparable](list []T, all, value T) bool {
	return slices.Contains(list, all) || slices.Contains(list, value)
}
