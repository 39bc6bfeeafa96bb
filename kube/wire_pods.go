package kube

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Field numbers of core/v1 and meta/v1 (generated.proto of k8s.io/api and k8s.io/apimachinery 1.36).
const (
	metaLabels, metaAnnotations, metaOwners = 11, 12, 13 // of ObjectMeta

	podSpec, podStatus            = 2, 3 // of Pod
	specVolumes, specContainers   = 1, 2 // of PodSpec
	specNodeName, specInit        = 10, 20
	containerMounts, fieldOwnName = 9, 1 // of Container; of a volume and a mount

	statusConditions, statusContainers, statusInit = 2, 8, 10 // of PodStatus
)

// tokenVolume is the name prefix of the service account token volume that the admission plugin adds.
var tokenVolume = []byte("kube-api-access-")

// podDecoder decodes the pods of a list. Lists are ordered by name, so pods of one template are adjacent, and their
// specs differ only in nodeName and the token volume name. It therefore decodes a spec once without that volume, and
// the pods share it. They also share labels, annotations and owner references. This is most of the data of a big
// cluster.
type podDecoder struct {
	spec   lastOf[corev1.PodSpec]    // without fields that differ between pods
	common lastOf[metav1.ObjectMeta] // labels, annotations and owners

	metadata, next, container []byte // scratch
}

func (d *podDecoder) decode(object []byte, out *corev1.Pod) error {
	*out = corev1.Pod{Status: corev1.PodStatus{ // reuses an earlier pod, because its lists are usually long enough
		Conditions:            out.Status.Conditions[:0],
		ContainerStatuses:     out.Status.ContainerStatuses[:0],
		InitContainerStatuses: out.Status.InitContainerStatuses[:0],
	}}
	return fields(object, func(field protowire.Number, _, value []byte) error {
		switch field {
		case fieldMetadata:
			return d.decodeMetadata(value, &out.ObjectMeta)
		case podSpec:
			return d.decodeSpec(value, &out.Spec)
		case podStatus:
			return decodePodStatus(value, &out.Status)
		}
		return nil
	})
}

func (d *podDecoder) decodeMetadata(metadata []byte, out *metav1.ObjectMeta) error {
	d.metadata, d.next = d.metadata[:0], d.next[:0]
	if err := fields(metadata, func(field protowire.Number, all, _ []byte) error {
		switch field {
		case fieldManagedFields:
		case metaLabels, metaAnnotations, metaOwners:
			d.next = append(d.next, all...)
		default:
			d.metadata = append(d.metadata, all...)
		}
		return nil
	}); err != nil {
		return err
	}
	common, err := d.common.decode(d.next)
	if err != nil {
		return err
	}
	out.Labels, out.Annotations, out.OwnerReferences = common.Labels, common.Annotations, common.OwnerReferences
	return out.Unmarshal(d.metadata)
}

// decodePodStatus allocates the lists in their final length. Growth by doubling takes three times the memory.
func decodePodStatus(status []byte, out *corev1.PodStatus) error {
	conditions, containers, inits := 0, 0, 0
	if err := fields(status, func(field protowire.Number, _, _ []byte) error {
		switch field {
		case statusConditions:
			conditions++
		case statusContainers:
			containers++
		case statusInit:
			inits++
		}
		return nil
	}); err != nil {
		return err
	}
	out.Conditions = slices.Grow(out.Conditions, conditions)
	out.ContainerStatuses = slices.Grow(out.ContainerStatuses, containers)
	out.InitContainerStatuses = slices.Grow(out.InitContainerStatuses, inits)
	return out.Unmarshal(status)
}

// lastOf decodes a message only if it differs from the previous one.
type lastOf[T any] struct {
	raw   []byte
	known bool
	value T
}

func (l *lastOf[T]) decode(raw []byte) (*T, error) {
	if l.known && bytes.Equal(raw, l.raw) {
		return &l.value, nil
	}
	l.value, l.known = *new(T), false
	if err := any(&l.value).(protoMessage).Unmarshal(raw); err != nil {
		return nil, err
	}
	l.raw, l.known = append(l.raw[:0], raw...), true
	return &l.value, nil
}

func (d *podDecoder) decodeSpec(spec []byte, out *corev1.PodSpec) error {
	node := ""
	d.next = d.next[:0]
	err := fields(spec, func(field protowire.Number, all, value []byte) (err error) {
		switch field {
		case specNodeName:
			node = string(value)
			return nil
		case specVolumes:
			if ofToken(value) {
				return nil
			}
		case specContainers, specInit:
			if d.container, err = withoutTokenMounts(d.container[:0], value); err != nil {
				return err
			}
			d.next = protowire.AppendTag(d.next, field, protowire.BytesType)
			d.next = protowire.AppendBytes(d.next, d.container)
			return nil
		}
		d.next = append(d.next, all...)
		return nil
	})
	if err != nil {
		return err
	}
	common, err := d.spec.decode(d.next)
	if err != nil {
		return err
	}
	*out = *common
	out.NodeName = node
	return nil
}

func withoutTokenMounts(out, container []byte) ([]byte, error) {
	err := fields(container, func(field protowire.Number, all, value []byte) error {
		if field != containerMounts || !ofToken(value) {
			out = append(out, all...)
		}
		return nil
	})
	return out, err
}

// ofToken reports whether a volume or a volume mount is the service account token.
func ofToken(message []byte) (is bool) {
	_ = fields(message, func(field protowire.Number, _, value []byte) error {
		is = is || field == fieldOwnName && bytes.HasPrefix(value, tokenVolume)
		return nil
	})
	return is
}
