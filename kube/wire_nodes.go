package kube

import (
	"bytes"

	"google.golang.org/protobuf/encoding/protowire"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Field numbers of core/v1 (generated.proto of k8s.io/api 1.36).
const (
	nodeSpec, nodeStatus = 2, 3 // of Node
	statusImages         = 8    // of NodeStatus
)

// cordonField is spec.unschedulable in managed fields.
var cordonField = []byte(`"f:unschedulable"`)

// nodeDecoder decodes the nodes of a list without images, which are three quarters of their bytes. It keeps only the
// managed fields that show who cordoned a node.
type nodeDecoder struct{ scratch []byte }

func (d *nodeDecoder) decode(object []byte, out *corev1.Node) error {
	*out = corev1.Node{}
	return fields(object, func(field protowire.Number, _, value []byte) error {
		switch field {
		case fieldMetadata:
			return d.decodeMetadata(value, &out.ObjectMeta)
		case nodeSpec:
			return out.Spec.Unmarshal(value)
		case nodeStatus:
			return d.decodeStatus(value, &out.Status)
		}
		return nil
	})
}

func (d *nodeDecoder) decodeMetadata(metadata []byte, out *metav1.ObjectMeta) error {
	err := d.keep(metadata, func(field protowire.Number, value []byte) bool {
		return field != fieldManagedFields || bytes.Contains(value, cordonField)
	})
	if err != nil {
		return err
	}
	return out.Unmarshal(d.scratch)
}

func (d *nodeDecoder) decodeStatus(status []byte, out *corev1.NodeStatus) error {
	err := d.keep(status, func(field protowire.Number, _ []byte) bool { return field != statusImages })
	if err != nil {
		return err
	}
	return out.Unmarshal(d.scratch)
}

// keep copies the wanted fields of the message.
func (d *nodeDecoder) keep(message []byte, wanted func(field protowire.Number, value []byte) bool) error {
	d.scratch = d.scratch[:0]
	return fields(message, func(field protowire.Number, all, value []byte) error {
		if wanted(field, value) {
			d.scratch = append(d.scratch, all...)
		}
		return nil
	})
}
