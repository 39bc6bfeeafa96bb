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

// errNoList is an answer that is no list, whatever its status: of a proxy, or of another API.
var errNoList = errors.New("the answer is no list of objects")

// checkList returns an error unless the body says that it is a list. An answer of something else may decode without an error,
// to a list without items.
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

// kindOf reads the kind of what is in an envelope (runtime.Unknown: field 1 is its TypeMeta, of which field 2 is the kind).
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

// decodeList reads a list in either form, each object of protobuf by the function, into the place of the items of an earlier
// list. The generated decoder grows the slice of items by doubling, moving a kilobyte for each pod again and again; this one
// counts first.
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

// page is the form of a list: its items, by which quantities are found.
type page[T any] struct {
	Items []T `protobuf:"bytes,2,rep,name=items"`
}

// fields visits the fields of a message: all of its bytes, and the value where it is of bytes.
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

// managedDropper returns a decoder that leaves the managed fields out: they are half of an object's bytes.
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

// withoutManagedFields appends the metadata to out without them.
func withoutManagedFields(out, metadata []byte) ([]byte, error) {
	err := fields(metadata, func(field protowire.Number, all, _ []byte) error {
		if field != fieldManagedFields {
			out = append(out, all...)
		}
		return nil
	})
	return out, err
}
