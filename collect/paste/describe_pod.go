package paste

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// podDescription is a described pod in API form, so that it becomes evidence in the same way.
type podDescription struct {
	pod     *corev1.Pod
	whole   bool   // the containers have names, so their number is known
	spec    bool   // part of the spec was seen
	status  string // a status that is not in the object: Terminating
	deleted time.Time
	before  int // number of table pods before it in the text
}

// buildPod builds a pod from the sections.
func (d *description) buildPod() (evidence.Subject, string) {
	p := &corev1.Pod{}
	p.Name, p.Namespace = d.name("Pod"), d.namespace()
	out := &podDescription{pod: p, before: len(d.p.text.pods)}
	node, _, _ := strings.Cut(d.value("Node"), "/")
	p.Spec.NodeName = node
	about := evidence.PodSubject(p.Namespace, p.Name)
	if p.Name == "" {
		about = evidence.Subject{}
	}
	if !d.p.text.room("pods", d.sections[0].at) {
		return about, node
	}
	d.p.text.described = append(d.p.text.described, out)

	p.Labels = pairs(d.find("Labels"))
	if mirror := pairs(d.find("Annotations"))[corev1.MirrorPodAnnotationKey]; mirror != "" {
		p.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: mirror}
	}
	d.podOwner(p)
	d.podStatus(out)
	p.Status.PodIP = d.value("IP")
	p.Status.QOSClass = corev1.PodQOSClass(d.value("QoS Class"))
	p.Spec.NodeSelector = pairs(d.find("Node-Selectors"))
	p.Spec.ServiceAccountName = d.value("Service Account")
	for _, key := range []string{"Priority Class Name", "PriorityClassName"} {
		if v := d.value(key); v != "" {
			p.Spec.PriorityClassName = v
		}
	}
	if s := d.find("Tolerations"); s != nil {
		for _, text := range s.all() {
			if t, ok := parseToleration(text); ok {
				p.Spec.Tolerations = append(p.Spec.Tolerations, t)
			}
		}
	}
	p.Spec.Volumes = volumes(d.find("Volumes"))
	p.Spec.InitContainers, p.Status.InitContainerStatuses = containers(d.find("Init Containers"))
	p.Spec.Containers, p.Status.ContainerStatuses = containers(d.find("Containers"))
	out.whole = len(p.Spec.Containers) > 0 && p.Spec.Containers[0].Name != ""
	out.spec = len(p.Spec.Containers) > 0 || d.has("Node-Selectors", "Tolerations", "Volumes")
	return about, node
}

// podOwner parses "Controlled By: ReplicaSet/x", and "Controllers: ReplicaSet/x" of versions before 1.8.
func (d *description) podOwner(p *corev1.Pod) {
	for _, key := range []string{"Controlled By", "Controllers"} {
		if kind, name, ok := strings.Cut(d.value(key), "/"); ok {
			yes := true
			p.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: name, Controller: &yes}}
		}
	}
}

func (d *description) podStatus(out *podDescription) {
	p := out.pod
	status := d.value("Status")
	word, rest := nextWord(status)
	switch word {
	case "Terminating": // (lasts 5m), up to 1.9 (expires DATE)
		out.status = word
		rest = strings.Trim(rest, "()")
		if t, ok := parseRFC1123Z(strings.TrimPrefix(rest, "expires ")); ok {
			out.deleted = t
		} else if ago, ok := strings.CutPrefix(rest, "lasts "); ok {
			d.p.text.setAge(&out.deleted, ago)
		}
		if n, err := strconv.ParseInt(strings.TrimSuffix(d.value("Termination Grace Period"), "s"), 10, 64); err == nil {
			p.DeletionGracePeriodSeconds = &n
		}
	case "Pending", "Running", "Succeeded", "Failed", "Unknown":
		p.Status.Phase = corev1.PodPhase(word)
	}
	p.Status.Reason = d.value("Reason")
	if s := d.find("Message"); s != nil {
		p.Status.Message = wording.Cut(strings.Join(s.all(), " "), maxQuote*4)
	}
	if s := d.find("Conditions"); s != nil {
		for _, l := range s.lines {
			f := strings.Fields(l.text)
			if len(f) != 2 || len(p.Status.Conditions) > 100 {
				continue
			}
			switch v := corev1.ConditionStatus(f[1]); v {
			case corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown:
				p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodConditionType(f[0]), Status: v})
			}
		}
	}
}

// parseToleration parses "key=value:Effect op=Exists for 300s"; every part may be missing.
func parseToleration(text string) (corev1.Toleration, bool) {
	var t corev1.Toleration
	f := strings.Fields(text)
	t.Operator = corev1.TolerationOpEqual
	for i := 0; i < len(f); i++ {
		switch {
		case f[i] == "op=Exists":
			t.Operator = corev1.TolerationOpExists
		case f[i] == "for" && i+1 < len(f):
			if n, err := strconv.ParseInt(strings.TrimSuffix(f[i+1], "s"), 10, 64); err == nil {
				t.TolerationSeconds = &n
			}
			i++
		case i == 0:
			key, effect, _ := strings.Cut(f[0], ":")
			t.Effect = corev1.TaintEffect(effect)
			t.Key, t.Value, _ = strings.Cut(key, "=")
		default:
			return corev1.Toleration{}, false
		}
	}
	if t.Value == "" { // up to 1.17 "op=Exists" was not printed
		t.Operator = corev1.TolerationOpExists
	}
	return t, len(f) > 0
}

// evidence converts the description to a pod of the evidence. It modifies the description.
func (d *podDescription) evidence(t *evidence.Templates) *evidence.Pod {
	out := t.FromPod(d.pod)
	out.Partial = true
	if !d.whole {
		out.Total = 0
	}
	if !d.spec {
		out.Spec = nil
	}
	if d.status != "" {
		out.Status, out.Deleted = d.status, d.deleted
		if d.pod.DeletionGracePeriodSeconds != nil {
			out.Grace = *d.pod.DeletionGracePeriodSeconds
		}
	}
	return out
}
