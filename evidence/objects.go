package evidence

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Node is a trimmed node object: no image list, no managed fields.
type Node struct {
	*corev1.Node
	// Status is the STATUS column of kubectl get nodes, if the evidence is a table.
	Status string `json:"statusColumn,omitempty"`
	// Requests and Limits are the sums over its pods in kubectl describe output; nil: unknown.
	Requests corev1.ResourceList `json:"requests,omitempty"`
	Limits   corev1.ResourceList `json:"limits,omitempty"`
	// PodCount is the number of its non-terminated pods in kubectl describe output; 0: unknown.
	PodCount int `json:"podCount,omitempty"`
	// PodsListed is a count of its pods including completed ones; 0: unknown.
	PodsListed int `json:"podsListed,omitempty"`
	// Partial: from a table or a description, so missing fields mean nothing.
	Partial bool `json:"partial,omitempty"`
	Ref     Ref  `json:"ref,omitzero"`
}

// Source returns the name of the object in references.
func (n *Node) Source() string {
	if n.Name == "" {
		return "node without a name"
	}
	return "node/" + n.Name
}

// Subject returns the subject of findings about the node.
func (n *Node) Subject() Subject { return NodeSubject(n.Name) }

// Condition returns the condition with this type, or nil.
func (n *Node) Condition(typ corev1.NodeConditionType) *corev1.NodeCondition {
	for i := range n.Node.Status.Conditions {
		if n.Node.Status.Conditions[i].Type == typ {
			return &n.Node.Status.Conditions[i]
		}
	}
	return nil
}

// Ready returns the Ready condition as a fact: False if the kubelet reports it, Unknown if the node is unreachable or
// the condition is not in the evidence. NotReady in a table is False; Silent distinguishes the two if possible.
func (n *Node) Ready() Fact {
	c := n.Condition(corev1.NodeReady)
	switch {
	case c == nil:
		return Unknown
	case c.Status == corev1.ConditionTrue:
		return True
	case c.Status == corev1.ConditionFalse:
		return False
	}
	return Unknown
}

// Silent reports whether the control plane has no heartbeat of the kubelet (Ready=Unknown).
func (n *Node) Silent() bool {
	c := n.Reporting()
	return c != nil && c.Status == corev1.ConditionUnknown
}

// statusUnknown is the reason that the control plane sets in all conditions of a node without heartbeats.
const statusUnknown = "NodeStatusUnknown"

// Reporting returns the Ready condition. If a part of a description does not have it, another condition of the kubelet can show
// that it stopped reporting; nil: none does.
func (n *Node) Reporting() *corev1.NodeCondition {
	if c := n.Condition(corev1.NodeReady); c != nil {
		return c
	}
	for i := range n.Node.Status.Conditions {
		if c := &n.Node.Status.Conditions[i]; c.Reason == statusUnknown && c.Status == corev1.ConditionUnknown {
			return c
		}
	}
	return nil
}

// NotReady reports whether the node is known to be in a state other than Ready.
func (n *Node) NotReady() bool {
	c := n.Condition(corev1.NodeReady)
	return c != nil && c.Status != corev1.ConditionTrue
}

// Taint returns the first taint with this key, or nil.
func (n *Node) Taint(key string) *corev1.Taint {
	for i := range n.Spec.Taints {
		if n.Spec.Taints[i].Key == key {
			return &n.Spec.Taints[i]
		}
	}
	return nil
}

// Lease is the heartbeat of a node or the leader election of a component.
type Lease struct {
	Namespace string        `json:"namespace"`
	Name      string        `json:"name"`
	Holder    string        `json:"holder,omitempty"`
	Renewed   time.Time     `json:"renewed,omitzero"` // zero: unknown (a table does not show it)
	Acquired  time.Time     `json:"acquired,omitzero"`
	Duration  time.Duration `json:"duration,omitempty"`
}

// Event is one event with its involved object.
type Event struct {
	Object Subject `json:"object"`
	// Namespace is that of the event; empty: unknown, as in a table.
	Namespace string    `json:"namespace,omitempty"`
	Type      string    `json:"type,omitempty"` // Normal, Warning
	Reason    string    `json:"reason"`
	Message   string    `json:"message,omitempty"`
	Component string    `json:"component,omitempty"`
	Host      string    `json:"host,omitempty"`
	Count     int       `json:"count,omitempty"`
	First     time.Time `json:"first,omitzero"`
	Last      time.Time `json:"last,omitzero"`
	// Ago is the age of its last occurrence when the text was printed; nil: the text has no ages.
	Ago *time.Duration `json:"ago,omitempty"`
	Ref Ref            `json:"ref,omitzero"`
	// Line and EndLine are the lines in its text; 0: not from a text.
	Line    int `json:"line,omitempty"`
	EndLine int `json:"endLine,omitempty"`
	// Also are further references: lines of tables and descriptions.
	Also []Ref `json:"also,omitempty"`
}

// Place returns the source of a quotation of the event: its object, if the text names it.
func (e *Event) Place() string {
	if e.Object.IsZero() {
		return "event"
	}
	return "event of " + e.Object.String()
}

// NewerThan reports whether the event is later than other, or other is nil.
func (e *Event) NewerThan(other *Event) bool {
	return other == nil || e.Last.After(other.Last)
}

// Workload is a controller of pods: Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, ReplicationController.
type Workload struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	UID       string `json:"uid,omitempty"`
	Owner     Owner  `json:"owner,omitzero"`
	// Replicas are the desired replicas; for a DaemonSet the desired number of nodes. Any count is -1 if unknown, as in
	// a table without that column.
	Replicas    int               `json:"replicas"`
	Current     int               `json:"current"`
	Ready       int               `json:"ready"`
	Available   int               `json:"available"`
	Updated     int               `json:"updated"`
	Selector    string            `json:"selector,omitempty"` // label selector as a string
	Annotations map[string]string `json:"annotations,omitempty"`
	Paused      bool              `json:"paused,omitempty"`
	Parallel    bool              `json:"parallel,omitempty"` // a StatefulSet with Parallel pod management
	Start       int               `json:"start,omitempty"`    // ordinal of the first pod of a StatefulSet
	OnDelete    bool              `json:"onDelete,omitempty"` // a StatefulSet or DaemonSet that does not replace its pods after a change of its template
	// Of a Job: the pod replacement policy, the backoff limit (nil: unknown) and the number of failures.
	PodReplacement string `json:"podReplacement,omitempty"`
	BackoffLimit   *int32 `json:"backoffLimit,omitempty"`
	Failed         int    `json:"failed,omitempty"`
	// Template is the trimmed, shared pod template; nil: unknown.
	Template       *corev1.PodSpec   `json:"template,omitempty"`
	TemplateLabels map[string]string `json:"templateLabels,omitempty"`
	Conditions     []PodCondition    `json:"conditions,omitempty"`
	Partial        bool              `json:"partial,omitempty"`
	Ref            Ref               `json:"ref,omitzero"`
}

// Subject returns the subject of findings about the workload.
func (w *Workload) Subject() Subject {
	return Subject{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}
}

// PDB is a PodDisruptionBudget. Partial: from a table, without a selector.
type PDB struct {
	*policyv1.PodDisruptionBudget
	Partial bool `json:"partial,omitempty"`
	Ref     Ref  `json:"ref,omitzero"`
}

// Counted reports whether the counts of its controller are in the evidence. A kubectl table has neither counts nor the
// selector.
func (b *PDB) Counted() bool { return !b.Partial || b.Spec.Selector != nil }

// Webhook is one admission webhook with the state of its backend.
type Webhook struct {
	Configuration string   `json:"configuration"`
	Validating    bool     `json:"validating,omitempty"`
	Name          string   `json:"name"`
	FailurePolicy string   `json:"failurePolicy,omitempty"`
	Timeout       int32    `json:"timeout,omitempty"` // seconds
	Resources     []string `json:"resources,omitempty"`
	Operations    []string `json:"operations,omitempty"`
	Service       string   `json:"service,omitempty"` // namespace/name; empty: a URL
	URL           string   `json:"url,omitempty"`
	// Namespaces and Objects are its selectors; nil: everything.
	Namespaces *metav1.LabelSelector `json:"namespaces,omitempty"`
	Objects    *metav1.LabelSelector `json:"objects,omitempty"`
	// Conditional: match conditions restrict it further.
	Conditional bool `json:"conditional,omitempty"`
	// Endpoints are the ready endpoints of its Service; -1: unknown.
	Endpoints int `json:"endpoints"`
}

// Kubelet is the data of a kubelet from the node proxy of the API server.
type Kubelet struct {
	Node string `json:"node"`
	// Healthz is the body of /healthz, "ok" if healthy; Error is why there is none.
	Healthz string            `json:"healthz,omitempty"`
	Error   string            `json:"error,omitempty"`
	Config  map[string]string `json:"config,omitempty"`  // selected fields of /configz, by path
	Metrics map[string]string `json:"metrics,omitempty"` // selected series of /metrics: name or name{labels} -> value
	Stats   *KubeletStats     `json:"stats,omitempty"`
	// Refusals are the requests that the kubelet answered with an error, twice in a row, or not in time.
	Refusals []KubeletRefusal `json:"refusals,omitempty"`
	// Beats reports whether it renewed the Lease of its node after its port did not answer; nil: not checked.
	Beats   *bool     `json:"beats,omitempty"`
	TakenAt time.Time `json:"takenAt,omitzero"`
}

// KubeletRefusal is a failed request to a kubelet.
type KubeletRefusal struct {
	Path   string `json:"path"`             // without the query
	Status int    `json:"status,omitempty"` // HTTP status, 500 and above; 0: the kubelet accepted the request and did not answer
	Text   string `json:"text,omitempty"`   // the first bytes of the last answer
}

// KubeletStats is the node part of /stats/summary, in bytes and counts. Nil pointers were not reported.
type KubeletStats struct {
	CPUUsed         *uint64 `json:"cpuUsed,omitempty"` // nanocores, sampled by the kubelet
	MemoryAvailable *uint64 `json:"memoryAvailable,omitempty"`
	MemoryWorking   *uint64 `json:"memoryWorking,omitempty"`
	NodeFS          *FSStat `json:"nodeFs,omitempty"`
	ImageFS         *FSStat `json:"imageFs,omitempty"`
	Tasks           *int64  `json:"tasks,omitempty"`
	TasksMax        *int64  `json:"tasksMax,omitempty"`
}

// FSStat is one file system in the stats of the kubelet.
type FSStat struct {
	Capacity   uint64 `json:"capacity,omitempty"`
	Available  uint64 `json:"available,omitempty"`
	Inodes     uint64 `json:"inodes,omitempty"`
	InodesFree uint64 `json:"inodesFree,omitempty"`
}

// Usage is the current usage of a node from the metrics API.
type Usage struct {
	Node   string `json:"node"`
	CPU    int64  `json:"cpu"`    // millicores
	Memory int64  `json:"memory"` // bytes
	// Percentages of allocatable, from kubectl output; 0: unknown.
	CPUPercent    int `json:"cpuPercent,omitempty"`
	MemoryPercent int `json:"memoryPercent,omitempty"`
}
