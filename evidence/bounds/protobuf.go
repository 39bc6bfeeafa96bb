package bounds

import (
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// Protobuf clamps the quantities of a message before it is decoded into into. It changes the bytes in place because a
// clamped quantity is never longer. A message with too many elements is an error.
func Protobuf(message []byte, into any) error {
	if messageElements(message) > MaxElements {
		return ErrElements
	}
	if suspectMessage(message) {
		withinMessage(message, reflect.TypeOf(into))
	}
	return nil
}

func withinMessage(message []byte, typ reflect.Type) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	for len(message) > 0 {
		field, wire, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return // the decoder reports the error
		}
		n := protowire.ConsumeFieldValue(field, wire, message[tag:])
		if n < 0 {
			return
		}
		if wire == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(message[tag:])
			withinField(field, value, typ)
		}
		message = message[tag+n:]
	}
}

func withinField(field protowire.Number, value []byte, typ reflect.Type) {
	switch {
	case isQuantity(typ) && field == 1:
		overwrite(value, Quantity(string(value)))
		return
	case typ.Kind() != reflect.Struct:
		return
	}
	for f := range fieldsOf(typ) {
		if numberOf(f) != field {
			continue
		}
		switch child := deref(f.Type); child.Kind() {
		case reflect.Map:
			withinEntry(value, child.Elem())
		case reflect.Slice:
			withinMessage(value, child.Elem())
		case reflect.Struct:
			withinMessage(value, child)
		}
		return
	}
}

// withinEntry clamps a map entry, a message with key (1) and value (2).
func withinEntry(entry []byte, typ reflect.Type) {
	for len(entry) > 0 {
		field, wire, tag := protowire.ConsumeTag(entry)
		if tag < 0 {
			return
		}
		n := protowire.ConsumeFieldValue(field, wire, entry[tag:])
		if n < 0 {
			return
		}
		if field == 2 && wire == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(entry[tag:])
			withinMessage(value, typ)
		}
		entry = entry[tag+n:]
	}
}

// numberOf returns the field number of a generated type; 0: none.
func numberOf(f reflect.StructField) protowire.Number {
	_, rest, _ := strings.Cut(f.Tag.Get("protobuf"), ",")
	number, _, _ := strings.Cut(rest, ",")
	n, _ := strconv.ParseInt(number, 10, 32)
	return protowire.Number(n)
}

// overwrite replaces a number with a shorter one, padded with leading zeros.
func overwrite(place []byte, number string) {
	if len(number) > len(place) {
		return
	}
	zeros := len(place) - len(number)
	sign := 0
	if number[0] == '-' || number[0] == '+' {
		sign = 1
	}
	copy(place, number[:sign])
	for i := range zeros {
		place[sign+i] = '0'
	}
	copy(place[sign+zeros:], number[sign:])
}
