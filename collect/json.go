package collect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
)

// jsonReader reads a JSON document: objects and lists in sequence, and the text between them, as in kubectl cluster-info dump. It
// reads lists item by item, so that a large dump is never held in memory.
type jsonReader struct {
	*objects
	values *values
	of     string // kind of the items, if known before the list reports it
}

func (b *Builder) addJSON(d document, r io.Reader) {
	j := &jsonReader{objects: b.newObjects(d), values: newValues(r)}
	err := j.read()
	if err != nil && j.count == 0 {
		// A log that starts with a brace, or an incomplete object.
		if j.values.gone || !errors.Is(err, errSyntax) {
			j.incomplete(j.kindsIn(cut{number: j.list}), "cannot be read as an object: "+jsonError(err), "")
		}
		b.addText(d, j.values.again())
		return
	}
	if err != nil {
		j.damaged(j.values.lines+1, err)
	}
	j.close()
}

func jsonError(err error) string {
	if errors.Is(err, errSyntax) || errors.Is(err, errCutOff) || errors.Is(err, errTooDeep) || enough(err) {
		return err.Error()
	}
	return readError(err)
}

func (j *jsonReader) read() error {
	for {
		if err := j.enough(j.values.bytes()); err != nil {
			return err
		}
		c, err := j.values.peek()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case c == '{':
			err = j.object()
		case c == '[':
			_, err = j.items(j.ofPath)
		case j.count == 0:
			return errSyntax
		default:
			err = j.text()
		}
		if j.count > 0 && (errors.Is(err, errSyntax) || errors.Is(err, errTooDeep)) {
			j.damaged(j.values.lines+1, err)
			err = j.text() // the rest may be a log
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// text passes lines to the signature search, up to a line with a single brace, with which kubectl starts objects.
func (j *jsonReader) text() error {
	var lines []byte
	first := j.values.lines + 1
	for {
		line, err := j.values.line()
		lines = append(append(lines, line...), '\n')
		if err != nil || len(lines) > sniffSize || j.values.startsObject() {
			j.objects.text(first, lines)
			return err
		}
	}
}

// object reads an object: a list item by item, other objects as a whole.
func (j *jsonReader) object() error {
	v := j.values
	o := openObject{value: value{line: v.lines + 1}}
	if err := v.expect('{'); err != nil {
		return err
	}
	o.fields.WriteByte('{')
	for {
		c, err := v.peek()
		if err != nil {
			return cutOff(err)
		}
		if c == '}' {
			break
		}
		if err := j.member(&o); err != nil {
			return err
		}
		if c, err = v.peek(); err != nil {
			return cutOff(err)
		}
		if c == ',' {
			v.take(v.lo + 1)
		}
	}
	v.take(v.lo + 1)
	o.fields.WriteByte('}')
	switch {
	case o.tooBig:
		j.tooBig(o.line)
	case o.list || strings.HasSuffix(o.kind, "List"):
		j.endList(o.line, o.fields.Bytes(), o.kind, o.odd)
	default:
		o.raw = o.fields.Bytes()
		j.put(o.value, item{fallback: j.ofPath, single: true})
	}
	return nil
}

// openObject is an object whose fields are being read.
type openObject struct {
	value
	fields bytes.Buffer // without the items
	list   bool
	of     string // kind of the items in a list of a bundle
	odd    int    // items that are no objects
	tooBig bool
}

// member reads one key with its value.
func (j *jsonReader) member(o *openObject) error {
	key, err := j.values.next()
	if err != nil {
		return err
	}
	name := strings.Clone(string(key.raw))
	if err := j.values.expect(':'); err != nil {
		return err
	}
	c, err := j.values.peek()
	if err != nil {
		return cutOff(err)
	}
	if c == '[' && (name == `"items"` || name == `"value"` && o.fields.Len() == 1) {
		return j.readList(o)
	}
	return j.field(o, name)
}

// readList reads the items of an object that is a list.
func (j *jsonReader) readList(o *openObject) (err error) {
	o.list = true
	if j.listBegin(j.itemKind(o.kind)); o.apiVersion == "" && j.kinds[j.list] == "" {
		j.kinds[j.list] = foreign
	}
	if o.kind == bundle.ListKind && o.apiVersion == bundle.Version {
		j.section = evidence.ListNamed(o.of)
	}
	o.odd, err = j.items(j.itemKind(o.kind))
	if err == nil {
		j.section = nil
	}
	return err
}

// endList records a list by its fields other than items. odd is the number of items that were no objects.
func (j *jsonReader) endList(start int, fields []byte, kind string, odd int) {
	var rest struct {
		Metadata listMeta        `json:"metadata"`
		Items    json.RawMessage `json:"items"`
	}
	unread := json.Unmarshal(fields, &rest) != nil
	kubernetes := strings.HasSuffix(kind, "List")
	switch {
	case kubernetes && unread:
		j.misfit(start, "its metadata cannot be read")
	case kubernetes && odd > 0:
		j.misfit(start, fmt.Sprintf("%d of its items are no objects", odd))
	case kubernetes && len(rest.Items) > 0 && string(rest.Items) != "null":
		j.misfit(start, "its items are no list")
	}
	j.listEnd(j.itemKind(kind), rest.Metadata.more() || !kubernetes, rest.Metadata)
}

// field adds a field to the object and records the fields that give its kind.
func (j *jsonReader) field(o *openObject, name string) error {
	v, err := j.values.next()
	if err != nil {
		return err
	}
	if v.big || o.fields.Len()+len(v.raw) > maxValue {
		o.tooBig = true
		return nil
	}
	if o.fields.Len() > 1 {
		o.fields.WriteByte(',')
	}
	o.fields.WriteString(name)
	o.fields.WriteByte(':')
	o.fields.Write(v.raw)
	if len(v.raw) > 2 && v.raw[0] == '"' {
		switch text := string(v.raw[1 : len(v.raw)-1]); name {
		case `"kind"`:
			o.kind = text
		case `"apiVersion"`:
			o.apiVersion = text
		case `"of"`:
			o.of = text
		}
	}
	return nil
}

// items reads the items of a list and counts those that are no objects. kind applies to items without a kind.
func (j *jsonReader) items(kind string) (odd int, err error) {
	v := j.values
	if err := v.expect('['); err != nil {
		return 0, err
	}
	for {
		c, err := v.peek()
		if err != nil {
			return odd, cutOff(err)
		}
		if c == ']' {
			v.take(v.lo + 1)
			return odd, nil
		}
		if c != '{' {
			odd++
		}
		it, err := v.next()
		if err != nil {
			return odd, err
		}
		if it.big {
			j.tooBig(it.line)
		} else {
			j.put(it, item{fallback: kind, section: j.section})
		}
		if err := j.enough(v.bytes()); err != nil {
			return odd, err
		}
		if c, err = v.peek(); err != nil {
			return odd, cutOff(err)
		}
		if c == ',' {
			v.take(v.lo + 1)
		} else if c != ']' {
			return odd, errSyntax
		}
	}
}

// itemKind returns the kind of list items without a kind: from the kind of the list, or from the file (nodes.json,
// pods/kube-system.json).
func (j *jsonReader) itemKind(listKind string) string {
	if k := strings.TrimSuffix(listKind, "List"); k != "" && k != listKind {
		return k
	}
	if j.of != "" {
		return j.of
	}
	return j.ofPath
}
