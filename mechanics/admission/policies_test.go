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

// Requests of the test cases.
var (
	pod  = &evidence.Pod{Namespace: "shop", Name: "db-0", UID: "u1", Node: "w1", Labels: map[string]string{"app": "db"}}
	node = &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "w1", Labels: map[string]string{"pool": "main"}}}}
)

const evictions = `
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods/eviction]}]`

// Results of each policy for the eviction of shop/db-0: a certain denial, a possible one with its dependency, or none.
func TestEviction(t *testing.T) {
	for name, x := range map[string]struct{ policy, binding, certain, may string }{
		"one pod": {evictions + `
  validations: [{expression: "object.metadata.name != 'db-0'", message: "db-0 stays"}]`, "", "db-0 stays", ""},
		"another pod": {evictions + `
  validations: [{expression: "object.metadata.name != 'db-1'"}]`, "", "", ""},
		"the expression is the message": {evictions + `
  validations: [{expression: "request.name != 'db-0'"}]`, "", "failed expression: request.name != 'db-0'", ""},
		"a message that is computed": {evictions + `
  validations: [{expression: "false", messageExpression: "request.namespace + '/' + request.name + ' stays'"}]`, "", "shop/db-0 stays", ""},
		"who asks": {evictions + `
  validations: [{expression: "request.userInfo.username == 'admin'"}]`, "", "", "the requester (request.userInfo)"},
		"only for some who ask": {evictions + `
  matchConditions: [{name: a, expression: "!('system:masters' in request.userInfo.groups)"}]
  validations: [{expression: "false"}]`, "", "", "the requester (request.userInfo)"},
		"a condition that is not met": {evictions + `
  matchConditions: [{name: a, expression: "request.userInfo.username == 'x'"}, {name: b, expression: "request.name.startsWith('web')"}]
  validations: [{expression: "false"}]`, "", "", ""},
		"whoever asks": {evictions + `
  validations: [{expression: "request.userInfo.username == 'admin' && request.name != 'db-0'"}]`, "", "failed expression:", ""},
		"variables": {evictions + `
  variables: [{name: names, expression: "['db-0', 'db-1']"}, {name: kept, expression: "request.name in variables.names"}]
  validations: [{expression: "!variables.kept", message: "kept"}]`, "", "kept", ""},
		"a variable that is not known": {evictions + `
  variables: [{name: who, expression: "request.userInfo.username"}]
  validations: [{expression: "variables.who != 'x' || request.name == 'a'"}]`, "", "", "variables.who"},
		"the namespace": {evictions + `
  validations: [{expression: "!('keep' in namespaceObject.metadata.labels)", message: "kept"}]`, "", "kept", ""},
		"what is not known of the namespace": {evictions + `
  validations: [{expression: "!has(namespaceObject.metadata.annotations)"}]`, "", "", "namespaceObject.metadata.annotations"},
		"an error closes": {evictions + `
  validations: [{expression: "object.spec.x == 1"}]`, "", "resulted in error: no such key: spec", ""},
		"an error that opens": {evictions + `
  failurePolicy: Ignore
  validations: [{expression: "object.spec.x == 1"}]`, "", "", ""},
		"only a warning": {evictions + `
  validations: [{expression: "false"}]`, "validationActions: [Warn, Audit]", "", ""},
		"another namespace": {evictions + `
  validations: [{expression: "false"}]`, "validationActions: [Deny]\n  matchResources: {namespaceSelector: {matchLabels: {keep: 'no'}}}", "", ""},
		"this namespace": {evictions + `
  validations: [{expression: "false", message: "kept"}]`, "validationActions: [Deny]\n  matchResources: {namespaceSelector: {matchLabels: {keep: 'yes'}}}", "kept", ""},
		"an eviction has no labels": {evictions + `
    objectSelector: {matchLabels: {app: db}}
  validations: [{expression: "false"}]`, "", "", ""},
		"a pod by its name": {`
  matchConstraints:
    resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"], resourceNames: [db-0]}]
  validations: [{expression: "false", message: "kept"}]`, "", "kept", ""},
		"pods are no evictions": {`
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations: [{expression: "false"}]`, "", "", ""},
		"left out": {evictions + `
    excludeResourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: ["pods/*"]}]
  validations: [{expression: "false"}]`, "", "", ""},
		"its parameters": {`
  paramKind: {apiVersion: v1, kind: ConfigMap}` + evictions + `
  validations: [{expression: "params.data.x == 'y'"}]`, "validationActions: [Deny]\n  paramRef: {name: p, parameterNotFoundAction: Allow}", "", "its parameters"},
		"parameters or none": {`
  paramKind: {apiVersion: v1, kind: ConfigMap}` + evictions + `
  validations: [{expression: "false"}]`, "validationActions: [Deny]\n  paramRef: {name: p, parameterNotFoundAction: Allow}", "", "its parameters"},
		"what the asker may": {evictions + `
  validations: [{expression: "authorizer.group('').resource('pods').check('delete').allowed()"}]`, "", "", "the requester's permissions"},
		"too dear": {evictions + `
  validations: [{expression: "[1,2,3,4,5,6,7,8,9,0].all(a, [1,2,3,4,5,6,7,8,9,0].all(b, [1,2,3,4,5,6,7,8,9,0].all(c, [1,2,3,4,5,6,7,8,9,0].all(d, [1,2,3,4,5,6,7,8,9,0].all(e, [1,2,3,4,5,6,7,8,9,0].all(f, a+b+c+d+e+f < 100))))))"}]`,
			"", "cost", ""},
		"what cannot be read": {evictions + `
  validations: [{expression: "fromTheFuture(object)"}]`, "", "", "cannot be evaluated here"},
	} {
		t.Run(name, func(t *testing.T) {
			got := New(cluster(t, x.policy, x.binding)).Refusals(Eviction(pod))
			switch {
			case x.certain == "" && x.may == "":
				if len(got) > 0 {
					t.Errorf("got %v", got)
				}
			case len(got) != 1, got[0].Policy != "keep" || got[0].Binding != "bound", got[0].Certain != (x.certain != ""), !strings.Contains(got[0].Says, x.certain+x.may):
				t.Errorf("got %v", got)
			}
		})
	}
}

// The user of a kubelet request is known, so the result does not depend on the user.
func TestLastDelete(t *testing.T) {
	const deletions = `
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [DELETE], resources: [pods]}]
    objectSelector: {matchLabels: {app: db}}`
	for policy, want := range map[string]bool{
		deletions + `
  validations: [{expression: "oldObject.metadata.labels['app'] != 'db'", message: "kept"}]`: true,
		deletions + `
  matchConditions: [{name: people, expression: "!('system:nodes' in request.userInfo.groups)"}]
  validations: [{expression: "false"}]`: false,
		deletions + `
  validations: [{expression: "request.userInfo.username.startsWith('system:node:')"}]`: false,
	} {
		got := New(cluster(t, policy, "")).Refusals(LastDelete(pod))
		if (len(got) == 1 && got[0].Certain) != want || len(got) > 1 {
			t.Errorf("%s: got %v", policy, got)
		}
	}
}

// A cordon is an update of a node with a known old and new state.
func TestCordon(t *testing.T) {
	const nodes = `
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [nodes]}]`
	for policy, want := range map[string]bool{
		nodes + `
  validations: [{expression: "!has(object.spec.unschedulable) || has(oldObject.spec.unschedulable)", message: "nodes stay open"}]`: true,
		nodes + `
    objectSelector: {matchLabels: {pool: other}}
  validations: [{expression: "false"}]`: false,
		nodes + `
  validations: [{expression: "object.metadata.labels == oldObject.metadata.labels"}]`: false,
	} {
		got := New(cluster(t, policy, "")).Refusals(Cordon(node))
		if (len(got) == 1 && got[0].Certain) != want || len(got) > 1 {
			t.Errorf("%s: got %v", policy, got)
		}
	}
	if node.Spec.Unschedulable {
		t.Error("the evidence was changed")
	}
}

// Without namespaces in the evidence, results that depend on them are not certain.
func TestNamespaceNotRead(t *testing.T) {
	s := cluster(t, evictions+`
    namespaceSelector: {matchLabels: {keep: 'yes'}}
  validations: [{expression: "false"}]`, "")
	d := *s.Data()
	d.Namespaces = nil
	got := New(evidence.New(d)).Refusals(Eviction(pod))
	if len(got) != 1 || got[0].Certain {
		t.Errorf("got %v", got)
	}
}

func cluster(t *testing.T, policy, binding string) *evidence.Snapshot {
	t.Helper()
	if binding == "" {
		binding = "validationActions: [Deny]"
	}
	v, b := &admissionv1.ValidatingAdmissionPolicy{}, &admissionv1.ValidatingAdmissionPolicyBinding{}
	if err := yaml.UnmarshalStrict([]byte("metadata: {name: keep}\nspec:"+policy), v); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict([]byte("metadata: {name: bound}\nspec:\n  policyName: keep\n  "+binding), b); err != nil {
		t.Fatal(err)
	}
	return evidence.New(evidence.Data{
		Policies: []*admissionv1.ValidatingAdmissionPolicy{v}, PolicyBindings: []*admissionv1.ValidatingAdmissionPolicyBinding{b},
		Namespaces: []*corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"keep": "yes"}}}},
	})
}
