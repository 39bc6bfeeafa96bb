package collect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/wording"
)

// maxUnfit bounds how many fields of one object may be left out. An object with more is not of that kind.
const maxUnfit = 20

// unfit is a field that does not decode, by its path in the object.
type unfit struct {
	path []step
	err  error
}

// step is one step of a path: a key, or a list index.
type step struct {
	key  string
	item int
	list bool
}

func (u unfit) String() string {
	name := ""
	for _, s := range u.path {
		switch {
		case s.list:
			name += fmt.Sprintf("[%d]", s.item)
		case name == "":
			name = s.key
		default:
			name += "." + s.key
		}
	}
	why := u.err.Error()
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(u.err, &typ):
		why = "it is a " + typ.Value
	case errors.Is(u.err, resource.ErrFormatWrong), errors.Is(u.err, resource.ErrNumeric), errors.Is(u.err, resource.ErrSuffix):
		why = "it is no quantity"
	}
	return fmt.Sprintf("%s cannot be read (%s)", wording.Cut(name, maxName), wording.Cut(why, maxName))
}

// maxUnfitObjects bounds the objects of one document that are read without some fields. Finding these fields takes a hundred times
// as long as reading the object.
const maxUnfitObjects = 10_000

// unmarshal decodes an object into the result of fresh. The error is about the whole object. If without is set, fields that do not
// decode are left out and returned; the other fields are still usable.
func unmarshal[T any](raw []byte, fresh func() T, without bool) (T, []unfit, error) {
	obj := fresh()
	whole := bounds.Object(raw, obj)
	if whole == nil {
		return obj, nil, nil
	}
	var none T
	tooMany := errors.Is(whole, bounds.ErrObjectElements) || errors.Is(whole, bounds.ErrCrowded)
	if !without || tooMany { // the search would exceed the same bounds
		return none, nil, whole
	}
	l := lenient{fits: func(doc []byte) error { return bounds.Object(doc, fresh()) }}
	fitting, err := l.prune(raw, nil)
	if err != nil || len(l.left) == 0 {
		return none, nil, whole
	}
	obj = fresh()
	if bounds.Object(fitting, obj) != nil {
		return none, nil, whole
	}
	return obj, l.left, nil
}

var errUnfit = errors.New("too many fields of it cannot be read")

type lenient struct {
	fits func(doc []byte) error
	left []unfit
}

// prune returns the value without the parts that do not decode at their path.
func (l *lenient) prune(value json.RawMessage, path []step) (json.RawMessage, error) {
	if value[0] == '{' {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(value, &fields); err != nil {
			return nil, err
		}
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			kept, drop, err := l.child(fields[key], append(slices.Clip(path), step{key: key}))
			if err != nil {
				return nil, err
			}
			if fields[key] = kept; drop {
				delete(fields, key)
			}
		}
		return json.Marshal(fields)
	}
	var items, out []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return nil, err
	}
	for i, it := range items {
		kept, drop, err := l.child(it, append(slices.Clip(path), step{item: i, list: true}))
		if err != nil {
			return nil, err
		}
		if !drop {
			out = append(out, kept)
		}
	}
	return json.Marshal(out)
}

// child prunes one field or item, or reports that it must be dropped.
func (l *lenient) child(value json.RawMessage, path []step) (kept json.RawMessage, drop bool, err error) {
	cause := l.fits(inPlace(value, path))
	if cause == nil {
		return value, false, nil
	}
	empty := map[byte]string{'{': "{}", '[': "[]"}[value[0]]
	if empty != "" && l.fits(inPlace(json.RawMessage(empty), path)) == nil {
		kept, err = l.prune(value, path)
		return kept, false, err
	}
	if len(l.left) >= maxUnfit {
		return nil, false, errUnfit
	}
	l.left = append(l.left, unfit{path, cause})
	return nil, true, nil
}

// inPlace returns an object with only the value at that path.
func inPlace(value json.RawMessage, path []step) []byte {
	doc := string(value)
	for _, s := range slices.Backward(path) {
		if s.list {
			doc = "[" + doc + "]"
			continue
		}
		key, _ := json.Marshal(s.key) // a string can be marshalled
		doc = "{" + string(key) + ":" + doc + "}"
	}
	return []byte(doc)
}

// leftOut describes the fields that were left out.
func leftOut(list []unfit) string {
	var out []string
	for _, u := range list {
		out = append(out, u.String())
	}
	const few = 3
	if more := len(out) - few; more > 0 {
		out = append(out[:few], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, "; ")
}
