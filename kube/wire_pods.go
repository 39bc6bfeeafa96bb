package kube

import (
	"bytes"

	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
)

// Field numbers of core/v1 (generated.proto of k8s.io/api 1.36).
const (
	podSpec, podStatus            = 2, 3 // of Pod
	specVolumes, specContainers   = 1, 2 // of PodSpec
	specNodeName, specInit        = 10, 20
	containerMounts, fieldOwnName = 9, 1 // of Container; of a volume and a mount
)

// tokenVolume begins the name that admission gives to the volume of a pod's own token.
var tokenVolume = []byte("kube-api-access-")

// podDecoder decodes the pods of a list. Those of one template follow one another, for lists are ordered by name, and
// their specs differ in the node and in the name of the token's volume alone. So a spec is decoded without that volume,
// and once for all of them: they share its parts. Most of what a big cluster answers is this.
type podDecoder struct {
	last []byte // the spec decoded last, without what is of one pod alone
	spec corev1.PodSpec

	metadata, next, container []byte // scratch
}

func (d *podDecoder) decode(object []byte, out *corev1.Pod) error {
	return fields(object, func(field protowire.Number, _, value []byte) (err error) {
		switch field {
		case fieldMetadata:
			if d.metadata, err = withoutManagedFields(d.metadata[:0], value); err != nil {
				return err
			}
			return out.ObjectMeta.Unmarshal(d.metadata)
		case podSpec:
			return d.decodeSpec(value, &out.Spec)
		case podStatus:
			return out.Status.Unmarshal(value)
		}
		return nil
	})
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
	if d.last == nil || !bytes.Equal(d.next, d.last) {
		d.spec = corev1.PodSpec{}
		d.last = nil
		if err := d.spec.Unmarshal(d.next); err != nil {
			return err
		}
		d.last = append(d.last, d.next...)
	}
	*out = d.spec
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

// ofToken reports whether a volume, or a mount of one, is that of a pod's own token.
func ofToken(message []byte) (is bool) {
	_ = fields(message, func(field protowire.Number, _, value []byte) error {
		is = is || field == fieldOwnName && bytes.HasPrefix(value, tokenVolume)
		return nil
	})
	return is
}
