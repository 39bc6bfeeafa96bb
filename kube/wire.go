package kube

import (
	"bytes"
	"encoding/json"
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Both encodings are accepted so that proxies and servers without protobuf work.
const accept = "application/vnd.kubernetes.protobuf,application/json"

// magic starts every protobuf body: "k8s" and a zero byte (apimachinery pkg/runtime/serializer/protobuf).
var magic = []byte{'k', '8', 's', 0}

type protoMessage interface{ Unmarshal([]byte) error }

// decode decodes a body in either encoding. out keeps no reference to the body.
func decode(body []byte, out protoMessage) error {
	if !bytes.HasPrefix(body, magic) {
		if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
			return errForm
		}
		return bounds.JSON(body, out)
	}
	raw, err := open(body[len(magic):])
	if err != nil {
		return err
	}
	if err := bounds.Protobuf(raw, out); err != nil {
		return err
	}
	return out.Unmarshal(raw)
}

// open returns the object inside the envelope (field 2, raw, of runtime.Unknown). It does not copy because a page has
// megabytes.
func open(envelope []byte) (raw []byte, err error) {
	err = fields(envelope, func(field protowire.Number, _, value []byte) error {
		if field == 2 {
			raw = value
		}
		return nil
	})
	return raw, err
}

// errForm means that the server is not a Kubernetes API server.
var errForm = errors.New("the answer is neither protobuf nor JSON")

// decodeStatus decodes an error body. It returns nil if the body is not a Status object.
func decodeStatus(body []byte) *metav1.Status {
	var s metav1.Status
	if !bytes.HasPrefix(body, magic) {
		if json.Unmarshal(body, &s) != nil || s.Kind != "Status" {
			return nil
		}
		return &s
	}
	var envelope runtime.Unknown
	if envelope.Unmarshal(body[len(magic):]) != nil || envelope.Kind != "Status" || s.Unmarshal(envelope.Raw) != nil {
		return nil
	}
	return &s
}
