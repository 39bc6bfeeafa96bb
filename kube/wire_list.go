package kube

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Field numbers that all objects and lists of k8s.io/api share (their generated.proto files).
const (
	fieldMetadata      = 1  // of an object: ObjectMeta; of a list: ListMeta
	fieldItems         = 2  // of a list
	fieldManagedFields = 17 // of ObjectMeta
)

// errNoList means that the response is not a list, for example from a proxy or another API.
var errNoList = errors.New("the answer is no list of objects")

// checkList returns an error unless the body is a list. Other bodies may decode without an error to a list without
// items.
func checkList(body []byte) error {
	var meta struct {
		Kind string `json:"kind"`
	}
	switch {
	case bytes.HasPrefix(body, magic):
		kind, err := kindOf(body[len(magic):])
		if err != nil {
			return err
		}
		meta.Kind = kind
	case !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")):
		return errForm
	default:
		if err := bounds.JSON(body, &meta); err != nil {
			return err
		}
	}
	if !strings.HasSuffix(meta.Kind, "List") {
		return errNoList
	}
	return nil
}

// kindOf returns the kind in an envelope (field 1 of runtime.Unknown is its TypeMeta, and field 2 of that is the kind).
func kindOf(envelope []byte) (kind string, err error) {
	err = fields(envelope, func(field protowire.Number, _, value []byte) error {
		if field != 1 {
			return nil
		}
		return fields(value, func(field protowire.Number, _, value []byte) error {
			if field == 2 {
				kind = string(value)
			}
			return nil
		})
	})
	return kind, err
}

// decodeList decodes a list in either encoding. decode decodes each protobuf object, into the memory of an earlier
// list. The generated decoder doubles the slice of items and copies a kilobyte per pod; this one counts first.
func decodeList[T any](body []byte, spare []T, decode func([]byte, *T) error) ([]T, *metav1.ListMeta, error) {
	if !bytes.HasPrefix(body, magic) {
		if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
			return nil, nil, errForm
		}
		var l struct {
			Kind            string `json:"kind"`
			metav1.ListMeta `json:"metadata"`
			Items           []T `json:"items"`
		}
		err := bounds.JSON(body, &l)
		if err == nil && !strings.HasSuffix(l.Kind, "List") {
			err = errNoList
		}
		return l.Items, &l.ListMeta, err
	}
	raw, err := open(body[len(magic):])
	if err != nil {
		return nil, nil, err
	}
	n := 0
	if err := fields(raw, func(field protowire.Number, _, _ []byte) error {
		if field == fieldItems {
			n++
		}
		return nil
	}); err != nil {
		return nil, nil, err
	}
	if err := bounds.Protobuf(raw, (*page[T])(nil)); err != nil {
		return nil, nil, err
	}
	items, meta := slices.Grow(spare[:0], n), &metav1.ListMeta{}
	err = fields(raw, func(field protowire.Number, _, value []byte) error {
		switch field {
		case fieldMetadata:
			return meta.Unmarshal(value)
		case fieldItems:
			items = items[:len(items)+1]
			return decode(value, &items[len(items)-1])
		}
		return nil
	})
	return items, meta, err
}

// page is a list type with quantities that the decoder can find.
type page[T any] struct {
	Items []T `protobuf:"bytes,2,rep,name=items"`
}

// fields visits the fields of a message with all bytes of the field, and with the value if it has the type bytes.
func fields(message []byte, visit func(field protowire.Number, all, value []byte) error) error {
	for len(message) > 0 {
		field, typ, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return fmt.Errorf("read protobuf: %w", protowire.ParseError(tag))
		}
		n := protowire.ConsumeFieldValue(field, typ, message[tag:])
		if n < 0 {
			return fmt.Errorf("read protobuf: %w", protowire.ParseError(n))
		}
		var value []byte
		if typ == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(message[tag:])
		}
		if err := visit(field, message[:tag+n], value); err != nil {
			return err
		}
		message = message[tag+n:]
	}
	return nil
}

// managedDropper returns a decoder that drops managed fields, which are half of the bytes of an object.
func managedDropper[T any, PT object[T]]() func([]byte, *T) error {
	var scratch []byte
	return func(object []byte, out *T) (err error) {
		if scratch, err = dropManaged(scratch[:0], object); err != nil {
			return err
		}
		*out = *new(T)
		return PT(out).Unmarshal(scratch)
	}
}

// dropManaged appends the object to out without its managed fields.
func dropManaged(out, object []byte) ([]byte, error) {
	err := fields(object, func(field protowire.Number, all, metadata []byte) error {
		if field != fieldMetadata || metadata == nil {
			out = append(out, all...)
			return nil
		}
		kept := 0
		if err := fields(metadata, func(field protowire.Number, all, _ []byte) error {
			if field != fieldManagedFields {
				kept += len(all)
			}
			return nil
		}); err != nil {
			return err
		}
		out = protowire.AppendTag(out, fieldMetadata, protowire.BytesType)
		out = protowire.AppendVarint(out, uint64(kept))
		var err error
		out, err = withoutManagedFields(out, metadata)
		return err
	})
	return out, err
}

// withoutManagedFields appends the metadata to out without managed fields.
func withoutManagedFields(out, metadata []byte) ([]byte, error) {
	err := fields(metadata, func(field protowire.Number, all, _ []byte) error {
		if field != fieldManagedFields {
			out = append(out, all...)
		}
		return nil
	})
	return out, err
}
