package collect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// addJSON reads objects one after another. Lists of Kubernetes objects are read item by item, so that a
// dump of any size is never held as a whole. JSON that is neither Kubernetes' nor a cloud's is text.
func (b *Builder) addJSON(name string, r io.Reader) {
	var seen bytes.Buffer // the start, in case that it is text after all
	dec := json.NewDecoder(io.TeeReader(r, &limitedBuffer{&seen, sniffSize}))
	read := 0
	for {
		n, err := b.value(name, dec)
		read += n
		if errors.Is(err, io.EOF) {
			return
		}
		if errors.Is(err, errNotKubernetes) {
			continue
		}
		if err != nil {
			if read == 0 && seen.Len() < sniffSize {
				b.addText(name, io.MultiReader(bytes.NewReader(seen.Bytes()), r))
				return
			}
			if read == 0 {
				b.addText(name, bytes.NewReader(seen.Bytes()))
			}
			b.Gap(name, fmt.Sprintf("cut off or damaged after %d objects: %v", read, err), "")
			return
		}
	}
}

// limitedBuffer keeps the first n bytes.
type limitedBuffer struct {
	buf *bytes.Buffer
	n   int
}

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if room := l.n - l.buf.Len(); room > 0 {
		l.buf.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// value reads one JSON value and returns how many objects it added.
func (b *Builder) value(name string, dec *json.Decoder) (int, error) {
	tok, err := dec.Token()
	if err != nil {
		return 0, err
	}
	switch tok {
	case json.Delim('{'):
		return b.object(name, dec)
	case json.Delim('['):
		n := 0
		for dec.More() {
			added, err := b.item(name, dec, "")
			if err != nil && !errors.Is(err, errNotKubernetes) {
				return n, err
			}
			n += added
		}
		_, err := dec.Token()
		return n, err
	}
	return 0, errors.New("neither an object nor a list")
}

// object reads the rest of an object whose brace is read: a list's items as they come, anything else whole.
func (b *Builder) object(name string, dec *json.Decoder) (int, error) {
	fields := map[string]json.RawMessage{}
	kind, n, list := "", 0, false
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return n, err
		}
		if key == "items" {
			list = true
			added, err := b.items(name, dec, itemKind(kind, name))
			n += added
			if err != nil {
				return n, err
			}
			continue
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return n, err
		}
		if key == "kind" {
			_ = json.Unmarshal(raw, &kind) // a kind that is no string names nothing
		}
		if text, ok := key.(string); ok && len(fields) < 1000 {
			fields[text] = raw
		}
	}
	if _, err := dec.Token(); err != nil {
		return n, err
	}
	if list {
		b.coverList(kind, name)
		return n, nil
	}
	whole, err := json.Marshal(fields)
	if err != nil {
		return 0, err
	}
	return b.raw(name, whole, itemKind("", name))
}

func (b *Builder) items(name string, dec *json.Decoder, kind string) (int, error) {
	tok, err := dec.Token()
	if err != nil {
		return 0, err
	}
	if tok != json.Delim('[') {
		return 0, nil // null
	}
	n := 0
	for dec.More() {
		added, err := b.item(name, dec, kind)
		if err != nil && !errors.Is(err, errNotKubernetes) {
			return n, err
		}
		n += added
	}
	_, err = dec.Token()
	return n, err
}

func (b *Builder) item(name string, dec *json.Decoder, kind string) (int, error) {
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return 0, err
	}
	return b.raw(name, raw, kind)
}

// raw adds one object given as JSON.
func (b *Builder) raw(name string, raw []byte, kind string) (int, error) {
	obj, err := decodeObject(raw, kind)
	switch {
	case errors.Is(err, errNotKubernetes):
		if b.addCloud(name, raw) || b.addNodeReport(name, raw) {
			return 1, nil
		}
		b.ScanText(name, evidence.TextLog, evidence.Subject{}, bytes.NewReader(raw))
		return 1, nil
	case err != nil:
		b.Gap(name, err.Error(), "")
		return 0, nil
	case obj == nil:
		if b.addNodeReport(name, raw) {
			return 1, nil
		}
		return 1, nil // a kind that nothing reads
	}
	if k := b.AddObject(obj); k != "" {
		b.Cover(k, evidence.Partial)
	}
	return 1, nil
}

// kinds by the names that dumps give their files and lists.
var kindOfPlural = map[string]string{
	"nodes": "Node", "pods": "Pod", "events": "Event", "leases": "Lease", "poddisruptionbudgets": "PodDisruptionBudget",
	"deployments": "Deployment", "replicasets": "ReplicaSet", "statefulsets": "StatefulSet", "daemonsets": "DaemonSet",
	"jobs": "Job", "replicationcontrollers": "ReplicationController", "replication-controllers": "ReplicationController",
	"persistentvolumeclaims": "PersistentVolumeClaim", "pvcs": "PersistentVolumeClaim", "persistentvolumes": "PersistentVolume",
	"pvs": "PersistentVolume", "volumeattachments": "VolumeAttachment", "csinodes": "CSINode",
	"priorityclasses": "PriorityClass", "certificatesigningrequests": "CertificateSigningRequest",
	"validatingwebhookconfigurations": "ValidatingWebhookConfiguration", "mutatingwebhookconfigurations": "MutatingWebhookConfiguration",
	"endpointslices": "EndpointSlice", "pod-disruption-budgets": "PodDisruptionBudget", "daemonset": "DaemonSet",
	"replicaset": "ReplicaSet", "deployment": "Deployment",
}

// itemKind is the kind of a list's items where they do not say it themselves: from the list's kind, or from
// the file (nodes.json, pods/kube-system.json).
func itemKind(listKind, name string) string {
	if k := strings.TrimSuffix(listKind, "List"); k != "" && k != listKind {
		return k
	}
	base := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	if k := kindOfPlural[base]; k != "" {
		return k
	}
	return kindOfPlural[strings.ToLower(path.Base(path.Dir(name)))]
}

// clusterScoped are the kinds of which one list is all there is.
var clusterScoped = map[string]evidence.Kind{
	"Node": evidence.Nodes, "PersistentVolume": evidence.Volumes, "VolumeAttachment": evidence.VolumeAttachments,
	"CSINode": evidence.CSINodes, "CertificateSigningRequest": evidence.CSRs, "PriorityClass": evidence.PriorityClasses,
}

// coverList records that a list was read to its end. A list of nodes may be a selection; without a way to
// tell, only its objects are known.
func (b *Builder) coverList(kind, name string) {
	k := itemKind(kind, name)
	if c, ok := clusterScoped[k]; ok {
		b.Cover(c, evidence.Partial)
	}
}
