package evidence

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pod is one pod, small enough for 150,000 of them: parts of the template are shared, default values are omitted.
type Pod struct {
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	UID       string            `json:"uid,omitempty"`
	Node      string            `json:"node,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
	Owner     Owner             `json:"owner,omitzero"` // the controller; zero: none, or unknown if Partial
	// Spec is shared by the pods of one template and must not be changed. It has no node name and no values of
	// environment variables. Nil: unknown.
	Spec *corev1.PodSpec `json:"spec,omitempty"`

	Phase   corev1.PodPhase `json:"phase,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Message string          `json:"message,omitempty"`
	Status  string          `json:"status,omitempty"` // the STATUS column of kubectl get pods
	IP      string          `json:"ip,omitempty"`
	QOS     string          `json:"qos,omitempty"`

	// Facts of one byte stand together: 150,000 pods are in memory.
	Ready Fact `json:"ready,omitzero"` // the Ready condition
	// Unlimited: the description of its node shows that no container has a memory limit.
	Unlimited bool `json:"unlimited,omitempty"`
	Mirror    bool `json:"mirror,omitempty"` // a mirror pod of a static pod
	// Partial: from a table or a description, so missing fields mean nothing.
	Partial    bool      `json:"partial,omitempty"`
	ReadySince time.Time `json:"readySince,omitzero"`
	ReadyCount int       `json:"readyCount,omitempty"` // number of ready containers, of Total
	Total      int       `json:"total,omitempty"`
	Restarts   int       `json:"restarts,omitempty"`

	Created time.Time `json:"created,omitzero"`
	// Ago is its age when the text was printed; nil: the text has no ages.
	Ago *time.Duration `json:"ago,omitempty"`
	// Started is the start of its youngest running container, Ended the end of its last terminated one; zero: none, or
	// unknown.
	Started    time.Time `json:"started,omitzero"`
	Ended      time.Time `json:"ended,omitzero"`
	Deleted    time.Time `json:"deleted,omitzero"` // deletionTimestamp: request time plus grace period; zero: not terminating
	Grace      int64     `json:"grace,omitempty"`  // deletionGracePeriodSeconds
	Finalizers []string  `json:"finalizers,omitempty"`
	// Ignore is its ignore annotation; empty for nearly all pods.
	Ignore string `json:"ignore,omitempty"`
	// Nominated is the node on which the scheduler preempts pods for this one.
	Nominated string `json:"nominated,omitempty"`
	// Resized are the containers with an in-place resize, whose allocated resources differ from the spec. Nil for nearly
	// all pods.
	Resized []Resized `json:"resized,omitempty"`

	// Conditions other than a plain True; Containers other than ready, running, never restarted ones.
	Conditions []PodCondition `json:"conditions,omitempty"`
	Containers []Container    `json:"containers,omitempty"`
}

// MemoryLimited reports whether a container of the pod, or the pod as a whole, has a memory limit.
func (p *Pod) MemoryLimited() Fact {
	switch {
	case p.Unlimited || p.QOS == string(corev1.PodQOSBestEffort):
		return False
	case p.QOS == string(corev1.PodQOSGuaranteed):
		return True
	case p.Spec == nil || len(p.Spec.Containers) == 0:
		return Unknown
	}
	limited := func(c corev1.Container) bool { return !c.Resources.Limits.Memory().IsZero() }
	whole := p.Spec.Resources != nil && !p.Spec.Resources.Limits.Memory().IsZero()
	if whole || slices.ContainsFunc(p.Spec.Containers, limited) || slices.ContainsFunc(p.Spec.InitContainers, limited) {
		return True
	}
	if p.Partial && p.QOS == "" { // the text may be truncated
		return Unknown
	}
	return False
}

// Owner is a controlling owner.
type Owner struct {
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
	UID  string `json:"uid,omitempty"`
}

// workloadKinds are the built-in owners of pods, with their API groups.
var workloadKinds = map[string]string{"ReplicaSet": "apps", "ReplicationController": "", "StatefulSet": "apps", "DaemonSet": "apps", "Job": "batch"}

// ownerKind returns the kind of an owner, with its group if a built-in kind has the same name.
func ownerKind(o *metav1.OwnerReference) string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	if want, known := workloadKinds[o.Kind]; known && strings.Contains(group, ".") && group != want {
		return o.Kind + "." + group
	}
	return o.Kind
}

// PodCondition is one condition of a pod.
type PodCondition struct {
	Type    string    `json:"type"`
	Status  string    `json:"status"`
	Reason  string    `json:"reason,omitempty"`
	Message string    `json:"message,omitempty"`
	Since   time.Time `json:"since,omitzero"`
}

// podConditions are the conditions of pods that Kubernetes defines.
var podConditions = map[string]bool{
	string(corev1.PodScheduled): true, string(corev1.PodReady): true, string(corev1.PodInitialized): true, string(corev1.ContainersReady): true,
	string(corev1.PodReadyToStartContainers): true, string(corev1.DisruptionTarget): true, string(corev1.PodResizePending): true,
	string(corev1.PodResizeInProgress): true, "PodHasNetwork": true,
}

// ForeignPodCondition reports whether Kubernetes does not define the type, so that the owner of the pod can set it.
func ForeignPodCondition(typ string) bool { return !podConditions[typ] }

// Container is the state of one container that is not simply running.
type Container struct {
	Name     string `json:"name"`
	Init     bool   `json:"init,omitempty"`
	State    string `json:"state"` // waiting, running, terminated
	Reason   string `json:"reason,omitempty"`
	Message  string `json:"message,omitempty"`
	ExitCode int    `json:"exitCode,omitempty"`
	Ready    bool   `json:"ready,omitempty"`
	Restarts int    `json:"restarts,omitempty"`
	Image    string `json:"image,omitempty"`
	// Of the previous run.
	LastReason   string    `json:"lastReason,omitempty"`
	LastMessage  string    `json:"lastMessage,omitempty"`
	LastExitCode int       `json:"lastExitCode,omitempty"`
	LastEnd      time.Time `json:"lastEnd,omitzero"`
}

// notStarted are termination reasons of containers that never ran, so the message is from the runtime or the kubelet
// (containerd internal/cri/server v2.4.2; kubernetes pkg/kubelet/kuberuntime and dockershim 1.23).
var notStarted = map[string]bool{"StartError": true, "ContainerCannotRun": true, "ContainerStatusUnknown": true}

// Wrote reports whether the container itself wrote the message of a termination with this reason: its termination
// message, or the end of its log (kubernetes pkg/kubelet/kuberuntime/kuberuntime_container.go 1.36.3,
// getTerminationMessage).
func (Container) Wrote(reason string) bool { return !notStarted[reason] }

// Says returns the message of the current state, and marks text of the container itself.
func (c Container) Says() string {
	if c.State != "terminated" {
		return c.Message
	}
	return c.marked(c.Reason, c.Message)
}

// LastSaid returns the message of the previous run; see Says.
func (c Container) LastSaid() string { return c.marked(c.LastReason, c.LastMessage) }

func (c Container) marked(reason, message string) string {
	if message == "" || !c.Wrote(reason) {
		return message
	}
	return message + " " + WrittenByApplication
}

// Resized has the allocated resources of a resized container.
type Resized struct {
	Name      string              `json:"name"`
	Actual    corev1.ResourceList `json:"actual,omitempty"`    // requests in effect
	Allocated corev1.ResourceList `json:"allocated,omitempty"` // requests that the kubelet accepted
}

// Subject returns the subject of findings about the pod.
func (p *Pod) Subject() Subject { return PodSubject(p.Namespace, p.Name) }

// NodeOrPod returns the node of the pod as a subject, or the pod if its node is unknown.
func (p *Pod) NodeOrPod() Subject {
	if p.Node == "" {
		return p.Subject()
	}
	return NodeSubject(p.Node)
}

// Key returns namespace/name.
func (p *Pod) Key() string { return p.Namespace + "/" + p.Name }

// Finished reports whether the pod is in a terminal phase.
func (p *Pod) Finished() bool {
	return p.Phase == corev1.PodSucceeded || p.Phase == corev1.PodFailed
}

// Stated reports whether the state of the pod is in the evidence. It is false for pods that only events or a node
// description mention.
func (p *Pod) Stated() bool { return p.Phase != "" || p.Status != "" || p.Ready != Unknown }

// Works reports whether the pod runs with all containers ready, or has succeeded.
func (p *Pod) Works() bool {
	if p.Deleting() {
		return false
	}
	switch p.Ready {
	case True:
		return true
	case False:
		return p.Phase == corev1.PodSucceeded
	}
	return p.Status == "Running" && p.ReadyCount == p.Total || p.Status == "Completed" || p.Status == "Succeeded"
}

// Deleting reports whether the pod is terminating.
func (p *Pod) Deleting() bool { return !p.Deleted.IsZero() || p.Status == "Terminating" }

// Condition returns the condition with this type, or nil if it is True, missing or unknown.
func (p *Pod) Condition(typ string) *PodCondition {
	for i := range p.Conditions {
		if p.Conditions[i].Type == typ {
			return &p.Conditions[i]
		}
	}
	return nil
}
