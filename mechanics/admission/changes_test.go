package admission

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/evidence"
)

const creations = `
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]`

func patching(expression string) string {
	return creations + `
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "` + expression + `"}}]`
}

func applying(expression string) string {
	return creations + `
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "` + expression + `"}}]`
}

// Results of each policy for a new pod like the running one: a certain change, a possible one with its dependency, or
// none.
func TestChanged(t *testing.T) {
	const running = `
nodeSelector: {pool: main}
tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]
containers: [{name: app, image: a, resources: {requests: {cpu: 500m}}}, {name: proxy, image: p}]`
	for name, x := range map[string]struct{ policy, binding, certain, may string }{
		"another node":                {patching(`[JSONPatch{op: 'add', path: '/spec/nodeSelector/pool', value: 'spot'}]`), "", "/spec/nodeSelector/pool", ""},
		"the node that it has":        {patching(`[JSONPatch{op: 'add', path: '/spec/nodeSelector/pool', value: 'main'}]`), "", "", ""},
		"a key that is escaped":       {patching(`[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'x'}]`), "", "/metadata/labels/a~1b", ""},
		"labels that nobody reads":    {patching(`[JSONPatch{op: 'add', path: '/metadata/annotations/a', value: 'x'}]`), "", "", ""},
		"a toleration":                {patching(`[JSONPatch{op: 'add', path: '/spec/tolerations/-', value: Object.spec.tolerations{key: 'spot', operator: 'Exists'}}]`), "", "/spec/tolerations/-", ""},
		"a toleration that it has":    {patching(`[JSONPatch{op: 'add', path: '/spec/tolerations/-', value: Object.spec.tolerations{key: 'node.kubernetes.io/not-ready', tolerationSeconds: 300}}]`), "", "", ""},
		"a gate, long gone":           {applying(`Object{spec: Object.spec{schedulingGates: [Object.spec.schedulingGates{name: 'quota'}]}}`), "", "/spec/schedulingGates", ""},
		"a container that it has":     {applying(`Object{spec: Object.spec{containers: [Object.spec.containers{name: 'proxy', image: 'new'}]}}`), "", "", ""},
		"a container of another size": {applying(`Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', resources: Object.spec.containers.resources{requests: {'cpu': '1'}}}]}}`), "", "/spec/containers", ""},
		"the same size":               {applying(`Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', resources: Object.spec.containers.resources{requests: {'cpu': '0.5'}}}]}}`), "", "", ""},
		"the priority, of all fields": {applying(`Object{spec: Object.spec{priorityClassName: 'high'}}`), "", "/spec/priorityClassName", ""},
		"what is atomic":              {applying(`Object{spec: Object.spec{nodeSelector: Object.spec.nodeSelector{pool: 'main'}}}`), "", "", "spec.nodeSelector, which is atomic"},
		"an environment":              {patching(`object.spec.containers.exists(c, has(c.env)) ? [JSONPatch{op: 'remove', path: '/spec/nodeSelector'}] : []`), "", "", "object.spec.containers"},
		"an empty list":               {patching(`!has(object.spec.topologySpreadConstraints) ? [JSONPatch{op: 'add', path: '/spec/topologySpreadConstraints', value: []}] : []`), "", "", ""},
		"by an annotation":            {patching(`'zone' in object.metadata.annotations ? [JSONPatch{op: 'remove', path: '/spec/nodeSelector'}] : []`), "", "", "object.metadata.annotations"},
		"a move":                      {patching(`[JSONPatch{op: 'move', from: '/spec/nodeSelector', path: '/spec/affinity'}]`), "", "", "a patch of /spec/affinity"},
		"a removal":                   {patching(`[JSONPatch{op: 'remove', path: '/spec/nodeSelector'}]`), "", "/spec/nodeSelector", ""},
		"of what is gone":             {patching(`[JSONPatch{op: 'remove', path: '/spec/affinity'}]`), "", "", ""},
		"an error":                    {patching(`[JSONPatch{op: 'add', path: '/spec/hostname', value: object.spec.hostname}]`), "", "", "resulted in error: no such key: hostname"},
		"a condition that is not met": {creations + `
  matchConditions: [{name: a, expression: "object.metadata.labels.app == 'web'"}]
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'remove', path: '/spec/nodeSelector'}]"}}]`, "", "", ""},
		"who asks": {creations + `
  matchConditions: [{name: a, expression: "request.userInfo.username != 'x'"}]
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'remove', path: '/spec/nodeSelector'}]"}}]`, "", "", "the requester"},
		"parameters": {`
  paramKind: {apiVersion: v1, kind: ConfigMap}` + patching(`[JSONPatch{op: 'add', path: '/spec/nodeSelector/pool', value: params.data.pool}]`), "\n  paramRef: {name: p, parameterNotFoundAction: Deny}", "", "its parameters"},
		"another namespace": {patching(`[JSONPatch{op: 'remove', path: '/spec/nodeSelector'}]`), `
  matchResources: {namespaceSelector: {matchLabels: {keep: "no"}}}`, "", ""},
		"other pods":       {strings.Replace(patching(`[JSONPatch{op: 'remove', path: '/spec/nodeSelector'}]`), "    resourceRules", "    objectSelector: {matchLabels: {app: web}}\n    resourceRules", 1), "", "", ""},
		"another resource": {strings.Replace(patching(`[JSONPatch{op: 'remove', path: '/spec/nodeSelector'}]`), "resources: [pods]", "resources: [pods/eviction]", 1), "", "", ""},
		"a variable": {creations + `
  variables: [{name: pool, expression: "object.metadata.labels.app + '-pool'"}]
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'replace', path: '/spec/nodeSelector/pool', value: variables.pool}]"}}]`, "", "/spec/nodeSelector/pool", ""},
	} {
		m := &admissionv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
		b := &admissionv1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "b"}}
		spec := &corev1.PodSpec{}
		for text, into := range map[string]any{"spec:" + x.policy: m, "spec:\n  policyName: p" + x.binding: b, running: spec} {
			if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		like := *pod
		like.Spec = spec
		p := New(evidence.New(evidence.Data{
			Mutations: []*admissionv1.MutatingAdmissionPolicy{m}, MutationBindings: []*admissionv1.MutatingAdmissionPolicyBinding{b},
			Namespaces: []*corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"keep": "yes"}}}},
		}))
		got := p.Changed(&like)
		switch {
		case x.certain == "" && x.may == "":
			if got != nil {
				t.Errorf("%s: %s", name, got)
			}
		case got == nil:
			t.Errorf("%s: it changes nothing", name)
		case got.Certain != (x.certain != ""), got.Certain && got.Says != x.certain, !got.Certain && !strings.Contains(got.Says, x.may):
			t.Errorf("%s: %s", name, got)
		}
		if again := p.Changed(&like); again != got {
			t.Errorf("%s: first %v, then %v", name, got, again)
		}
		if partial := p.Changed(&evidence.Pod{Namespace: "shop", Name: "x", Partial: true}); partial != nil && partial.Certain {
			t.Errorf("%s: certain about a pod of which nothing is known: %s", name, partial)
		}
	}
}
