package paste

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

const maxContainers = 200

// listKeys are keys of a container without a value. In a fragment, they are at the position of a name.
var listKeys = map[string]bool{
	"Limits:": true, "Requests:": true, "Command:": true, "Args:": true, "Environment:": true, "Mounts:": true,
	"Ports:": true, "Devices:": true, "Message:": true,
}

// containers reads the containers of a described pod. In a fragment, the name may be missing.
func containers(s *section) ([]corev1.Container, []corev1.ContainerStatus) {
	if s == nil {
		return nil, nil
	}
	var r containerReader
	names := -1 // indentation of container names
	for _, l := range s.lines {
		text := strings.TrimSpace(l.text)
		if text == "" || isDots(text) {
			continue
		}
		at := indent(l.text)
		if names < 0 {
			names = at
		}
		if at <= names && strings.HasSuffix(text, ":") && !strings.Contains(text, " ") && !listKeys[text] {
			r.start(strings.TrimSuffix(text, ":"))
			continue
		}
		if len(r.specs) == 0 {
			r.start("")
		}
		if key, value, ok := splitKey(text); ok {
			r.key(key, value, at)
		}
		if len(r.specs) > maxContainers {
			break
		}
	}
	r.flush()
	return r.specs, r.statuses
}

// containerReader reads key by key. The details of a state follow it at any indentation.
type containerReader struct {
	specs    []corev1.Container
	statuses []corev1.ContainerStatus
	seen     bool // the container has a status
	state    *corev1.ContainerState
	kind     string // of the state: Running, Waiting, Terminated
	list     *corev1.ResourceList
	listAt   int
}

func (r *containerReader) start(name string) {
	r.flush()
	r.specs = append(r.specs, corev1.Container{Name: name})
	r.statuses = append(r.statuses, corev1.ContainerStatus{Name: name})
	r.seen, r.state, r.list = false, nil, nil
}

// flush drops an empty container status.
func (r *containerReader) flush() {
	if n := len(r.statuses); n > 0 && !r.seen {
		r.statuses = r.statuses[:n-1]
		r.seen = true
	}
}

func (r *containerReader) key(key, value string, at int) {
	spec, status := &r.specs[len(r.specs)-1], &r.statuses[len(r.statuses)-1]
	if r.list != nil && at > r.listAt {
		if q, err := quantity.Parse(value); err == nil && len(*r.list) < 100 {
			(*r.list)[corev1.ResourceName(key)] = q
		}
		return
	}
	r.list = nil
	switch key {
	case "Image":
		spec.Image, status.Image = value, value
	case "State":
		r.seen = true
		r.state, r.kind = &status.State, value
		r.begin()
	case "Last State":
		r.seen = true
		r.state, r.kind = &status.LastTerminationState, value
		r.begin()
	case "Ready":
		r.seen = true
		status.Ready, r.state = value == "True", nil
	case "Restart Count":
		r.seen = true
		n, _ := strconv.ParseInt(value, 10, 32)
		status.RestartCount, r.state = int32(n), nil
	case "Limits":
		spec.Resources.Limits = corev1.ResourceList{}
		r.list, r.listAt, r.state = &spec.Resources.Limits, at, nil
	case "Requests":
		spec.Resources.Requests = corev1.ResourceList{}
		r.list, r.listAt, r.state = &spec.Resources.Requests, at, nil
	case "Command", "Args", "Liveness", "Readiness", "Startup", "Environment", "Mounts":
		r.state = nil
	default:
		r.detail(key, value)
	}
}

// begin creates the state of that kind.
func (r *containerReader) begin() {
	switch r.kind {
	case "Running":
		r.state.Running = &corev1.ContainerStateRunning{}
	case "Waiting":
		r.state.Waiting = &corev1.ContainerStateWaiting{}
	case "Terminated":
		r.state.Terminated = &corev1.ContainerStateTerminated{}
	default:
		r.state = nil
	}
}

func (r *containerReader) detail(key, value string) {
	if r.state == nil {
		return
	}
	switch w, t := r.state.Waiting, r.state.Terminated; {
	case w != nil && key == "Reason":
		w.Reason = value
	case w != nil && key == "Message":
		w.Message = value
	case t != nil:
		setTerminated(t, key, value)
	case key == "Started" && r.state.Running != nil:
		r.state.Running.StartedAt = parseTime(value)
	}
}

func setTerminated(t *corev1.ContainerStateTerminated, key, value string) {
	switch key {
	case "Reason":
		t.Reason = value
	case "Message":
		t.Message = value
	case "Exit Code":
		n, _ := strconv.ParseInt(value, 10, 32)
		t.ExitCode = int32(n)
	case "Signal":
		n, _ := strconv.ParseInt(value, 10, 32)
		t.Signal = int32(n)
	case "Started":
		t.StartedAt = parseTime(value)
	case "Finished":
		t.FinishedAt = parseTime(value)
	}
}

func parseTime(value string) metav1.Time {
	at, _ := parseRFC1123Z(value)
	return metav1.Time{Time: at}
}

// volumes reads the volumes that restrict where a pod can run or whether it can move.
func volumes(s *section) []corev1.Volume {
	if s == nil {
		return nil
	}
	var out []corev1.Volume
	names := -1
	for _, l := range s.lines {
		text := strings.TrimSpace(l.text)
		at := indent(l.text)
		if text == "" {
			continue
		}
		if names < 0 {
			names = at
		}
		key, value, ok := splitKey(text)
		switch {
		case !ok || len(out) > maxContainers:
		case at <= names && value == "":
			out = append(out, corev1.Volume{Name: key})
		case len(out) > 0:
			setVolume(&out[len(out)-1].VolumeSource, key, value)
		}
	}
	return out
}

func setVolume(v *corev1.VolumeSource, key, value string) {
	switch {
	case key == "Type" && v.HostPath == nil: // a host path has a separate Type below
		kind, _ := nextWord(value)
		setVolumeType(v, kind)
	case key == "ClaimName" && v.PersistentVolumeClaim != nil:
		v.PersistentVolumeClaim.ClaimName = value
	case key == "Path" && v.HostPath != nil:
		v.HostPath.Path = value
	case key == "Path" && v.NFS != nil:
		v.NFS.Path = value
	case key == "Server" && v.NFS != nil:
		v.NFS.Server = value
	case key == "Name" && v.ConfigMap != nil:
		v.ConfigMap.Name = value
	case key == "SecretName" && v.Secret != nil:
		v.Secret.SecretName = value
	}
}

func setVolumeType(v *corev1.VolumeSource, kind string) {
	switch kind {
	case "PersistentVolumeClaim":
		v.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{}
	case "EmptyDir":
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	case "HostPath":
		v.HostPath = &corev1.HostPathVolumeSource{}
	case "ConfigMap":
		v.ConfigMap = &corev1.ConfigMapVolumeSource{}
	case "Secret":
		v.Secret = &corev1.SecretVolumeSource{}
	case "Projected":
		v.Projected = &corev1.ProjectedVolumeSource{}
	case "NFS":
		v.NFS = &corev1.NFSVolumeSource{}
	}
}
