package admission

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"google.golang.org/protobuf/types/known/structpb"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/cel/mutation"
	"k8s.io/apiserver/pkg/cel/mutation/dynamic"

	"github.com/nodetriage/nodetriage/evidence"
)

// Change is a MutatingAdmissionPolicy that changes, or may change, a new pod of the workload compared to the running
// pod.
type Change struct {
	Policy, Binding string
	// Certain: Says is the change. Otherwise Says is the unknown input that the change depends on.
	Certain bool
	Says    string
}

func (c Change) String() string {
	if c.Certain {
		return fmt.Sprintf("MutatingAdmissionPolicy '%s' with binding '%s' changes %s of a new pod", c.Policy, c.Binding, c.Says)
	}
	return fmt.Sprintf("MutatingAdmissionPolicy '%s' with binding '%s' may change a new pod, depending on %s", c.Policy, c.Binding, c.Says)
}

func (p *Policies) gatherMutations(d *evidence.Data) {
	p.mutationBindings, p.changed = map[string][]*admissionv1.MutatingAdmissionPolicyBinding{}, map[likeness]*Change{}
	for _, b := range d.MutationBindings {
		p.mutationBindings[b.Spec.PolicyName] = append(p.mutationBindings[b.Spec.PolicyName], b)
	}
	for _, m := range d.Mutations {
		if len(p.mutationBindings[m.Name]) > 0 {
			p.mutations = append(p.mutations, m)
		}
	}
}

// likeness identifies pods of one template.
type likeness struct {
	spec      *corev1.PodSpec
	labels    uintptr
	namespace string
}

// Changed returns the policy that changes a replacement of this pod, certain ones first; nil: none. Admission already
// mutated the running pod, so only missing fields count.
func (p *Policies) Changed(pod *evidence.Pod) *Change {
	if len(p.mutations) == 0 {
		return nil
	}
	key := likeness{pod.Spec, reflect.ValueOf(pod.Labels).Pointer(), pod.Namespace}
	if known, is := p.changed[key]; is {
		return known
	}
	r := creation(pod)
	var out *Change
	for _, m := range p.mutations {
		for _, b := range p.mutationBindings[m.Name] {
			bound := both(p.matches(m.Spec.MatchConstraints, &r), p.matches(b.Spec.MatchResources, &r))
			if bound == evidence.False {
				continue
			}
			c := p.mutate(m, b, &r)
			if c != nil && bound == evidence.Unknown {
				c = &Change{Says: "labels that are not in the evidence"}
			}
			if c != nil && (out == nil || c.Certain && !out.Certain) {
				c.Policy, c.Binding = m.Name, b.Name
				out = c
			}
		}
	}
	p.changed[key] = out
	return out
}

// mutate evaluates one policy with one binding. It mirrors dispatchInvocations of kubernetes
// staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/mutating/dispatcher.go, v1.36.3. An evaluation error proves
// nothing because the API server has fields that the evidence drops.
func (p *Policies) mutate(m *admissionv1.MutatingAdmissionPolicy, b *admissionv1.MutatingAdmissionPolicyBinding, r *Request) *Change {
	spec := &m.Spec
	with := *r
	if mentionsTrimmed(spec) {
		with.unknown = append(slices.Clone(r.unknown), "object.spec.containers", "object.spec.initContainers")
	}
	parameters := spec.ParamKind != nil && b.Spec.ParamRef != nil
	may := "" // the unknown input that decides whether there is a change
	switch {
	case r.object == nil:
		may = "fields of the pod that are not in the evidence"
	case parameters:
		may = wordsOf("params")
	}
	conditions := p.language.scope(p, &with, nil, parameters, false)
	for _, c := range spec.MatchConditions {
		switch a := conditions.ask(c.Expression); {
		case a.truth == evidence.False:
			return nil
		case a.failed != "":
			may = a.failed
		case a.truth == evidence.Unknown:
			may = a.depends
		}
	}
	in := p.language.scope(p, &with, spec.Variables, parameters, true)
	for i := range spec.Mutations {
		field, depends := in.touches(&spec.Mutations[i], r.object)
		switch {
		case depends != "":
			return &Change{Says: depends}
		case field != "" && may != "":
			return &Change{Says: may}
		case field != "":
			return &Change{Certain: true, Says: field}
		}
	}
	return nil
}

// touches returns the first field that the mutation changes, or the unknown input that it depends on.
func (s *scope) touches(m *admissionv1.Mutation, object map[string]any) (field, depends string) {
	var expression string
	switch {
	case m.JSONPatch != nil:
		expression = m.JSONPatch.Expression
	case m.ApplyConfiguration != nil:
		expression = m.ApplyConfiguration.Expression
	default:
		return "", "an unknown kind of mutation"
	}
	out, depends, failed := s.eval(expression)
	switch {
	case failed != "":
		return "", bounded(fmt.Sprintf("expression '%s' resulted in error: %s", expression, failed))
	case depends != "":
		return "", depends
	}
	switch out := out.(type) {
	case *dynamic.ObjectVal:
		return applyTouches(out, object)
	case traits.Lister:
		return patchTouches(out, object)
	}
	return "", "an expression that does not return a patch"
}

// applyTouches returns the first field that an apply configuration changes, or the unknown input that it depends on.
func applyTouches(config *dynamic.ObjectVal, object map[string]any) (field, depends string) {
	fields, known := jsonOf(config)
	if !known {
		return "", "an expression that cannot be evaluated here"
	}
	for _, field := range atomic {
		if _, set := at(fields, []string{"spec", field}); set {
			return "", "how the API server applies spec." + field + ", which is atomic"
		}
	}
	return bounded(missing(object, fields, "")), ""
}

// patchTouches returns the first path that a JSON patch changes, or the unknown input that it depends on.
func patchTouches(list traits.Lister, object map[string]any) (field, depends string) {
	for it := list.Iterator(); it.HasNext() == types.True; {
		op, is := it.Next().(*mutation.JSONPatchVal)
		if !is {
			return "", "an expression that does not return a patch"
		}
		value, known := any(nil), true
		if op.Val != nil {
			value, known = jsonOf(op.Val)
		}
		switch touched := reads(op.Path); {
		case !touched:
		case op.Op != "add" && op.Op != "replace" && op.Op != "remove", !known:
			return "", "a patch of " + bounded(op.Path) + " that cannot be evaluated here"
		case !patched(object, op, value):
			return bounded(op.Path), ""
		}
	}
	return "", ""
}

// jsonOf converts a CEL value to JSON like the API server.
func jsonOf(v ref.Val) (out any, known bool) {
	native, err := v.ConvertToNative(reflect.TypeFor[*structpb.Value]())
	if err != nil {
		return nil, false
	}
	text, err := json.Marshal(native)
	return out, err == nil && json.Unmarshal(text, &out) == nil
}

// patched reports whether the object already has the result of the operation. An element of a list may have another
// index.
func patched(object map[string]any, op *mutation.JSONPatchVal, value any) bool {
	steps := strings.Split(strings.TrimPrefix(op.Path, "/"), "/")
	for i, s := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
	}
	if last := len(steps) - 1; op.Op == "add" && last > 0 {
		if parent, found := at(object, steps[:last]); found {
			if list, is := parent.([]any); is {
				return holds(list, []any{value})
			}
		}
	}
	have, found := at(object, steps)
	if op.Op == "remove" {
		return !found
	}
	return found && holds(have, value) || !found && empty(value)
}

// mentionsTrimmed reports whether an expression reads container fields that the evidence does not have.
func mentionsTrimmed(spec *admissionv1.MutatingAdmissionPolicySpec) bool {
	var all []string
	for _, c := range spec.MatchConditions {
		all = append(all, c.Expression)
	}
	for _, v := range spec.Variables {
		all = append(all, v.Expression)
	}
	for _, m := range spec.Mutations {
		if m.JSONPatch != nil {
			all = append(all, m.JSONPatch.Expression)
		}
		if m.ApplyConfiguration != nil {
			all = append(all, m.ApplyConfiguration.Expression)
		}
	}
	return slices.ContainsFunc(all, func(x string) bool {
		return slices.ContainsFunc(trimmed, func(field string) bool { return strings.Contains(x, "."+field) })
	})
}
