package clusterview_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

func view(t *testing.T, table string, files map[string][]byte) *clusterview.View {
	t.Helper()
	return clusterview.New(snapshots.OfTable(t, table, files), snapshots.TableTime)
}

func pod(t *testing.T, v *clusterview.View, key string) *evidence.Pod {
	t.Helper()
	namespace, name, _ := strings.Cut(key, "/")
	p := v.Pod(namespace, name)
	if p == nil {
		t.Fatalf("there is no pod %s", key)
	}
	return p
}

func budget(t *testing.T, v *clusterview.View, name string) *evidence.PDB {
	t.Helper()
	for _, b := range v.Data().PDBs {
		if b.Name == name {
			return b
		}
	}
	t.Fatalf("there is no budget %s", name)
	return nil
}

// The answer names the rule of the eviction API that rejects, and the pods that block.
func TestWhyABudgetRefuses(t *testing.T) {
	for _, c := range []struct {
		name, lines, pod string
		why, lacking     string
	}{
		{"never", "deployment shop/web on=a,a\nbudget shop/web min=2", "web-0", "the PodDisruptionBudget requires 2 of 2 pods (minAvailable 2), so it never allows an eviction", ""},
		{"used up", "deployment shop/web on=a,a,b not-ready=b\nbudget shop/web max=1", "web-0", "2 healthy, 2 required (maxUnavailable 1)", "not healthy: web-2 is NotReady"},
		{"not computed", "deployment shop/web on=a,a\nbudget shop/web max=1 failed=no-scale", "web-0", "the PodDisruptionBudget cannot be computed, so it allows no eviction: no-scale", ""},
		{"just changed", "deployment shop/web on=a,a\nbudget shop/web max=1 stale", "web-0", "the disruption controller has not processed the PodDisruptionBudget's last change yet", ""},
		{"unready pod", "deployment shop/web on=a,b,b not-ready=b\nbudget shop/web min=2", "web-1", "the pod is NotReady; NotReady pods can be evicted only while 2 pods are healthy (now 1)", "not healthy: web-1 is NotReady, web-2 is NotReady"},
		{"unready pod of a budget that needs none", "deployment shop/web on=b not-ready=b\nbudget shop/web max=1", "web-0", "the pod is NotReady, and a PodDisruptionBudget that requires 0 healthy pods protects NotReady pods while none is healthy", "not healthy: web-0 is NotReady"},
		{"a pod without a node", "deployment shop/web on=a,-\nbudget shop/web min=1", "web-0", "1 healthy, 1 required (minAvailable 1)", "not healthy: web-1 is Pending (0 nodes are available)"},
		{"a pod of a dead node", "deployment shop/web on=a,dead not-ready=dead\nbudget shop/web min=1", "web-0", "1 healthy, 1 required (minAvailable 1)", "not healthy: web-1 is on unreachable node dead"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := view(t, "node a\nnode b\nnode dead not-ready\n"+c.lines+"\n", nil)
			b := budget(t, v, "web")
			if got := clusterview.WhyRefused(b, pod(t, v, "shop/"+c.pod)); got != c.why {
				t.Errorf("why: %q, want %q", got, c.why)
			}
			if got := clusterview.Lacking(v.Snapshot, b); got != c.lacking {
				t.Errorf("lacking: %q, want %q", got, c.lacking)
			}
		})
	}
}

// A budget counts its own pods; where not all pods were read, its own count stands.
func TestHealthyOfABudget(t *testing.T) {
	lines := "node a\nnode dead not-ready\ndeployment shop/web on=a,a,dead not-ready=dead\nbudget shop/web max=1\n"
	v := view(t, lines, nil)
	b := budget(t, v, "web")
	if got := v.HealthyOf(b); got != 2 {
		t.Errorf("%d are healthy, want 2", got)
	}
	if got := len(clusterview.PodsOf(v.Snapshot, b)); got != 3 {
		t.Errorf("%d pods, want 3", got)
	}
	if got := v.SilentNodeOf(b); got != "dead" {
		t.Errorf("silent node %q", got)
	}
	unread := view(t, lines+"unread Pod\n", nil)
	if got := unread.HealthyOf(budget(t, unread, "web")); got != 2 {
		t.Errorf("without pods %d are healthy, want the 2 that it counts", got)
	}
	if got := unread.SilentNodeOf(b); got != "" {
		t.Errorf("without pods silent node %q", got)
	}
}

// The answer names the owner of a PodDisruptionBudget.
func TestOwnedBy(t *testing.T) {
	for metadata, want := range map[string]string{
		`{}`: "",
		`{ownerReferences: [{apiVersion: v1, kind: Kafka, name: main, uid: "1"}]}`:                           "the PodDisruptionBudget belongs to Kafka main",
		`{annotations: {meta.helm.sh/release-name: shop}}`:                                                   "the PodDisruptionBudget comes from meta.helm.sh shop",
		`{annotations: {argocd.argoproj.io/tracking-id: "shop:web"}, labels: {helm.sh/chart: web-1}}`:        "the PodDisruptionBudget comes from argocd.argoproj.io shop:web",
		`{labels: {app.kubernetes.io/managed-by: Helm, app.kubernetes.io/instance: shop, other: something}}`: "the PodDisruptionBudget comes from managed-by Helm",
	} {
		text := "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: " + strings.Replace(metadata, "{", "{namespace: shop, name: own, ", 1) + "\nspec: {maxUnavailable: 1}\n"
		v := view(t, "node a\n", map[string][]byte{"budget.yaml": []byte(text)})
		if got := clusterview.OwnedBy(budget(t, v, "own")); got != want {
			t.Errorf("%s: %q, want %q", metadata, got, want)
		}
	}
}

// Names of workloads are written as in kubectl: of the Deployment behind a ReplicaSet, of the owner if it is unknown
// here, of the pod where it has none.
func TestWorkloads(t *testing.T) {
	v := view(t, "node a\ndeployment shop/web on=a\nstatefulset shop/db on=a,a\npod shop/bare on=a\n", nil)
	for key, want := range map[string][3]string{
		"shop/web-0":  {"deployment/web", "deployment/shop/web", "single"},
		"shop/db-1":   {"statefulset/db", "statefulset/shop/db", ""},
		"shop/bare-0": {"shop/bare-0", "shop/bare-0", ""},
	} {
		p := pod(t, v, key)
		single := ""
		if v.SingleReplica(p) != nil {
			single = "single"
		}
		if got := [3]string{v.WorkloadName(p), v.WorkloadKey(p), single}; got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// How long pods take to start is read from their peers; to end, from their grace period.
func TestTimes(t *testing.T) {
	v := view(t, "node a\ndeployment shop/web on=a,a start=40\ndeployment shop/broken on=a start=7200\ndeployment shop/slow on=a grace=600 hook=20\n", nil)
	for key, want := range map[string]plan.Interval{
		"shop/web-0":    plan.Within(40*time.Second, 40*time.Second),
		"shop/broken-0": plan.Within(time.Second, clusterview.LatestStart), // it was broken, and says nothing of others
	} {
		if got := v.StartsWithin(pod(t, v, key)); got != want {
			t.Errorf("%s starts within %v, want %v", key, got, want)
		}
	}
	for key, want := range map[string]plan.Interval{
		"shop/web-0":  plan.Within(time.Second, 30*time.Second+clusterview.Overhead),
		"shop/slow-0": plan.Within(20*time.Second, 600*time.Second+clusterview.Overhead),
	} {
		if got := clusterview.EndsWithin(pod(t, v, key)); got != want {
			t.Errorf("%s ends within %v, want %v", key, got, want)
		}
	}
}

// A node accepts pods if it is schedulable, reachable and not about to be cordoned.
func TestOpenNodes(t *testing.T) {
	v := view(t, "node a\nnode b cordoned\nnode c not-ready\nnode d\n", nil)
	if got := v.OpenNodes(); got != 2 {
		t.Errorf("%d nodes take pods, want 2", got)
	}
	v.Closed = []string{"d"}
	if got := v.OpenNodes(); got != 1 {
		t.Errorf("%d nodes take pods once d is closed, want 1", got)
	}
}

const justNow = "2026-11-21T09:59:30Z"

// young is a pod that was made half a minute ago.
func young(name, node, status string) string {
	return fmt.Sprintf(`
- apiVersion: v1
  kind: Pod
  metadata: {namespace: shop, name: %s, creationTimestamp: %q, labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: shop-web-1, controller: true}]}
  spec: {nodeName: %q, containers: [{name: main, image: app}]}
  status: %s`, name, justNow, node, status)
}

// A pod that starts will be ready soon, unless something fails in it or its node cannot start it.
func TestStarting(t *testing.T) {
	const unready = `{phase: Running, conditions: [{type: Ready, status: "False", lastTransitionTime: "` + justNow + `"}], containerStatuses: [{name: main, image: app, imageID: "", ready: false, restartCount: %d, state: %s}]}`
	starts := fmt.Sprintf(unready, 0, "{running: {}}")
	crashes := fmt.Sprintf(unready, 0, "{waiting: {reason: CrashLoopBackOff}}")
	restarted := fmt.Sprintf(unready, 3, "{running: {}}")
	table := "node a\nnode closed cordoned\nnode dead not-ready\ndeployment shop/web on=a,a\nbudget shop/web max=1\n"
	for _, c := range []struct {
		name, node, status string
		soon               bool
	}{
		{"starts", "a", starts, true},
		{"crashes", "a", crashes, false},
		{"restarted", "a", restarted, false},
		{"on a closed node", "closed", starts, false},
		{"on a dead node", "dead", starts, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := view(t, table, map[string][]byte{"young.yaml": []byte("apiVersion: v1\nkind: List\nitems:" + young("fresh", c.node, c.status) + "\n")})
			if got := v.SoonReady(pod(t, v, "shop/fresh")); got != c.soon {
				t.Errorf("ready soon: %v, want %v", got, c.soon)
			}
			b := budget(t, v, "web")
			b.Status.ExpectedPods, b.Status.CurrentHealthy = 3, 2
			want := int32(0)
			if c.soon {
				want = 1
			}
			if got := v.Starting(b); got != want {
				t.Errorf("%d start, want %d", got, want)
			}
		})
	}
	v := view(t, table, nil)
	b := budget(t, v, "web")
	b.Status.ExpectedPods = 3
	if got := v.Starting(b); got != 1 {
		t.Errorf("%d start where the controller makes one more, want 1", got)
	}
}

// Webhooks that fail closed and have no endpoints block the creation and eviction of pods, in the namespaces that they
// are called for.
func TestDeadWebhooks(t *testing.T) {
	hook := func(resource, policy, selector string) map[string][]byte {
		return map[string][]byte{"hook.yaml": []byte(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- {name: guard.example.com, failurePolicy: ` + policy + `, clientConfig: {service: {namespace: guard, name: guard}}, ` + selector + `
   rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [` + resource + `]}], admissionReviewVersions: [v1], sideEffects: None}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: shop}}
`)}
	}
	for _, c := range []struct {
		name, resource, policy, selector string
		refuses, keeps                   bool
	}{
		{"evictions", "pods/eviction", "Fail", "", true, false},
		{"pods", "pods", "Fail", "", false, true},
		{"everything", `"*/*"`, "Fail", "", true, true},
		{"fails open", "pods/eviction", "Ignore", "", false, false},
		{"this namespace", `"pods/*"`, "Fail", "namespaceSelector: {matchLabels: {team: shop}},", true, true},
		{"another namespace", "pods", "Fail", "namespaceSelector: {matchLabels: {team: other}},", false, false},
		{"other pods", "pods", "Fail", "objectSelector: {matchLabels: {app: other}},", false, false},
		{"not known which", "pods/eviction", "Fail", `matchConditions: [{name: some, expression: "object.spec.x"}],`, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := view(t, "node a\ndeployment shop/web on=a\n", hook(c.resource, c.policy, c.selector))
			p := pod(t, v, "shop/web-0")
			if got := v.RefusesEviction(p); got != c.refuses {
				t.Errorf("refuses the eviction: %v, want %v", got, c.refuses)
			}
			if got := v.DeadWebhook(p.Namespace, p.Labels) != nil; got != c.keeps {
				t.Errorf("keeps it from being made: %v, want %v", got, c.keeps)
			}
		})
	}
}

// What a plan needs and the evidence does not have is named, with the command that shows it.
func TestUnread(t *testing.T) {
	for _, c := range []struct{ table, want string }{
		{"node a\nnode b\npod shop/bare on=a\n", ""},
		{"node a\nunread Pod\n", "which pods are running on the nodes (kubectl get pods -A -o json)"},
		{"node a\nunread PodDisruptionBudget\n", "which PodDisruptionBudgets select the pods (kubectl get pdb -A -o json)"},
	} {
		v := view(t, c.table, nil)
		if got := named(v.Unread([]string{"a"}, true)); got != c.want {
			t.Errorf("%q: %q, want %q", c.table, got, c.want)
		}
	}
	tables := view(t, "", map[string][]byte{
		"pods.txt": []byte("NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE   IP         NODE   NOMINATED NODE   READINESS GATES\nshop        web-0   1/1     Running   0          3d    10.0.0.1   a      <none>           <none>\n"),
		"pdb.txt":  []byte("NAMESPACE   NAME   MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE\nshop        web    1               N/A               1                     3d\n"),
	})
	got := named(tables.Unread([]string{"a"}, false))
	for _, want := range []string{"what blocks the eviction of pods from node a", "which pods the PodDisruptionBudgets select"} {
		if !strings.Contains(got, want) {
			t.Errorf("of tables %q is not said: %q", want, got)
		}
	}
}

func named(list []triage.NotChecked) string {
	var out []string
	for _, n := range list {
		out = append(out, n.What+" ("+string(n.How)+")")
	}
	return strings.Join(out, "; ")
}

// Of a cluster it is said which admission was not read; files are taken as they are.
func TestUnreadAdmission(t *testing.T) {
	v := view(t, "node a\n", nil)
	if list, unknown := v.UnreadAdmission("look"); len(list) > 0 || unknown != "" {
		t.Errorf("of files %v is unread, %q", list, unknown)
	}
	data := *v.Data()
	data.Source = evidence.Source{Kind: "cluster", Name: "prod"}
	list, unknown := clusterview.New(evidence.New(data), time.Time{}).UnreadAdmission("look")
	if got := named(list); got != "whether a webhook rejects evictions (look); whether an admission policy denies evictions (look)" {
		t.Errorf("unread: %q", got)
	}
	if !strings.Contains(unknown, "MutatingAdmissionPolicy") {
		t.Errorf("not known: %q", unknown)
	}
}

// A plan is made for the time that was asked for, else for that of the evidence.
func TestAt(t *testing.T) {
	s := snapshots.OfTable(t, "node a\n", nil)
	later := snapshots.TableTime.Add(time.Hour)
	if got := clusterview.At(s, later); got == nil || !got.Equal(later) {
		t.Errorf("at %v, want %v", got, later)
	}
	if got := clusterview.At(s, time.Time{}); got == nil || !got.Equal(snapshots.TableTime) {
		t.Errorf("at %v, want %v", got, snapshots.TableTime)
	}
	if got := clusterview.At(evidence.New(evidence.Data{}), time.Time{}); got != nil {
		t.Errorf("at %v, and the evidence tells no time", got)
	}
}
