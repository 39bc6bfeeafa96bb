package evidence

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Node is a node object, trimmed: no image list, no managed fields.
type Node struct {
	*corev1.Node
	// Status is the STATUS column of kubectl get nodes, where the evidence is a table.
	Status string `json:"statusColumn,omitempty"`
	// Requests and Limits are the sums over its pods, as kubectl describe prints them; nil: not seen.
	Requests corev1.ResourceList `json:"requests,omitempty"`
	Limits   corev1.ResourceList `json:"limits,omitempty"`
	// PodCount is the number of its pods that have not ended, where kubectl describe printed it; 0: not seen.
	PodCount int `json:"podCount,omitempty"`
	// PodsListed is how many pods of it somebody counted, those that have ended too; 0: not seen.
	PodsListed int `json:"podsListed,omitempty"`
	// Partial: read from a table or a description, so absent fields mean nothing.
	Partial bool `json:"partial,omitempty"`
	Ref     Ref  `json:"ref,omitzero"`
}

// Source is how references name the object.
func (n *Node) Source() string {
	if n.Name == "" {
		return "node without a name"
	}
	return "node/" + n.Name
}

// Subject names the node in findings.
func (n *Node) Subject() Subject { return NodeSubject(n.Name) }

// Condition returns the condition of that type, or nil.
func (n *Node) Condition(typ corev1.NodeConditionType) *corev1.NodeCondition {
	for i := range n.Node.Status.Conditions {
		if n.Node.Status.Conditions[i].Type == typ {
			return &n.Node.Status.Conditions[i]
		}
	}
	return nil
}

// Ready is the Ready condition as a fact: False when the kubelet says so, Unknown when it is silent or the
// condition was not seen. A table's NotReady is False; Silent tells the two apart where that is possible.
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

// Silent reports whether the control plane stopped hearing from the kubelet (Ready=Unknown).
func (n *Node) Silent() bool {
	c := n.Condition(corev1.NodeReady)
	return c != nil && c.Status == corev1.ConditionUnknown
}

// NotReady reports whether the node was seen in any state other than Ready.
func (n *Node) NotReady() bool {
	c := n.Condition(corev1.NodeReady)
	return c != nil && c.Status != corev1.ConditionTrue
}

// Taint returns the first taint with that key, or nil.
func (n *Node) Taint(key string) *corev1.Taint {
	for i := range n.Spec.Taints {
		if n.Spec.Taints[i].Key == key {
			return &n.Spec.Taints[i]
		}
	}
	return nil
}

// Lease is the heartbeat of a node or the leader lock of a component.
type Lease struct {
	Namespace string        `json:"namespace"`
	Name      string        `json:"name"`
	Holder    string        `json:"holder,omitempty"`
	Renewed   time.Time     `json:"renewed,omitzero"` // zero: not known (a table does not show it)
	Acquired  time.Time     `json:"acquired,omitzero"`
	Duration  time.Duration `json:"duration,omitempty"`
}

// Event is one event, with the object it is about.
type Event struct {
	Object Subject `json:"object"`
	// Namespace is that of the event itself; empty: not known, as in a table.
	Namespace string    `json:"namespace,omitempty"`
	Type      string    `json:"type,omitempty"` // Normal, Warning
	Reason    string    `json:"reason"`
	Message   string    `json:"message,omitempty"`
	Component string    `json:"component,omitempty"`
	Host      string    `json:"host,omitempty"`
	Count     int       `json:"count,omitempty"`
	First     time.Time `json:"first,omitzero"`
	Last      time.Time `json:"last,omitzero"`
	// Ago is how long before its text was printed it came last; nil: the text does not show ages.
	Ago *time.Duration `json:"ago,omitempty"`
	Ref Ref            `json:"ref,omitzero"`
	// Line and EndLine are the lines of its text that show it; 0: it is not from a text.
	Line    int `json:"line,omitempty"`
	EndLine int `json:"endLine,omitempty"`
	// Also are the other places that show it: lines of tables and descriptions.
	Also []Ref `json:"also,omitempty"`
}

// NewerThan reports whether the event is later than another, or there is no other.
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
	// Replicas wanted; for a DaemonSet the number of nodes that should run it. Any of the counts is -1 where
	// it is unknown, as in a table that does not print it.
	Replicas    int               `json:"replicas"`
	Current     int               `json:"current"`
	Ready       int               `json:"ready"`
	Available   int               `json:"available"`
	Updated     int               `json:"updated"`
	Selector    string            `json:"selector,omitempty"` // label selector, in its string form
	Annotations map[string]string `json:"annotations,omitempty"`
	Paused      bool              `json:"paused,omitempty"`
	Parallel    bool              `json:"parallel,omitempty"` // a StatefulSet with Parallel pod management
	Start       int               `json:"start,omitempty"`    // the number of a StatefulSet's first pod
	// Of a Job: when it replaces a pod, how many failures it stands (nil: not known) and has seen.
	PodReplacement string `json:"podReplacement,omitempty"`
	BackoffLimit   *int32 `json:"backoffLimit,omitempty"`
	Failed         int    `json:"failed,omitempty"`
	// Template is the trimmed pod template, shared; nil: not known.
	Template       *corev1.PodSpec   `json:"template,omitempty"`
	TemplateLabels map[string]string `json:"templateLabels,omitempty"`
	Conditions     []PodCondition    `json:"conditions,omitempty"`
	Partial        bool              `json:"partial,omitempty"`
	Ref            Ref               `json:"ref,omitzero"`
}

// Subject names the workload in findings.
func (w *Workload) Subject() Subject {
	return Subject{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}
}

// PDB is a disruption budget. Partial: from a table, without selector.
type PDB struct {
	*policyv1.PodDisruptionBudget
	Partial bool `json:"partial,omitempty"`
	Ref     Ref  `json:"ref,omitzero"`
}

// Counted reports whether what its controller counted was read: a table of kubectl shows neither that nor the selector.
func (b *PDB) Counted() bool { return !b.Partial || b.Spec.Selector != nil }

// Webhook is one admission webhook and whether its backend can answer.
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
	// Namespaces and Objects select what it looks at; nil: everything.
	Namespaces *metav1.LabelSelector `json:"namespaces,omitempty"`
	Objects    *metav1.LabelSelector `json:"objects,omitempty"`
	// Conditional: match conditions narrow it further.
	Conditional bool `json:"conditional,omitempty"`
	// Endpoints that are ready behind the service; -1: unknown.
	Endpoints int `json:"endpoints"`
}

// Kubelet is what a node's kubelet said of itself through the API server's node proxy.
type Kubelet struct {
	Node string `json:"node"`
	// Healthz is the body of /healthz, "ok" if well; Error says why there is none.
	Healthz string            `json:"healthz,omitempty"`
	Error   string            `json:"error,omitempty"`
	Config  map[string]string `json:"config,omitempty"`  // chosen fields of /configz, by path
	Metrics map[string]string `json:"metrics,omitempty"` // chosen series of /metrics: name or name{labels} -> value
	Stats   *KubeletStats     `json:"stats,omitempty"`
	// Refusals are the questions that the kubelet met with an error of its own, twice in a row, or not in time.
	Refusals []KubeletRefusal `json:"refusals,omitempty"`
	// Beats reports whether it renewed its node's lease when that was due after its port had given no answer; nil: nobody looked.
	Beats   *bool     `json:"beats,omitempty"`
	TakenAt time.Time `json:"takenAt,omitzero"`
}

// KubeletRefusal is a question to a kubelet that got no good answer.
type KubeletRefusal struct {
	Path   string `json:"path"`             // without its query
	Status int    `json:"status,omitempty"` // of HTTP, 500 and above; 0: the kubelet took the question and was silent
	Text   string `json:"text,omitempty"`   // the first bytes of the last answer
}

// KubeletStats is the node part of /stats/summary, in bytes and counts. Nil pointers were not reported.
type KubeletStats struct {
	CPUUsed         *uint64 `json:"cpuUsed,omitempty"` // nanocores, by the kubelet's own sampling
	MemoryAvailable *uint64 `json:"memoryAvailable,omitempty"`
	MemoryWorking   *uint64 `json:"memoryWorking,omitempty"`
	NodeFS          *FSStat `json:"nodeFs,omitempty"`
	ImageFS         *FSStat `json:"imageFs,omitempty"`
	Tasks           *int64  `json:"tasks,omitempty"`
	TasksMax        *int64  `json:"tasksMax,omitempty"`
}

// FSStat is one file system as the kubelet sees it.
type FSStat struct {
	Capacity   uint64 `json:"capacity,omitempty"`
	Available  uint64 `json:"available,omitempty"`
	Inodes     uint64 `json:"inodes,omitempty"`
	InodesFree uint64 `json:"inodesFree,omitempty"`
}

// Usage is what the metrics API says a node uses now.
type Usage struct {
	Node   string `json:"node"`
	CPU    int64  `json:"cpu"`    // millicores
	Memory int64  `json:"memory"` // bytes
	// Of what pods may have, in percent, where kubectl printed that; 0: not told.
	CPUPercent    int `json:"cpuPercent,omitempty"`
	MemoryPercent int `json:"memoryPercent,omitempty"`
}
