package admission

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

// trimmed are container fields that the evidence does not have (evidence.TrimPodSpec). None affects scheduling.
var trimmed = []string{
	"env", "envFrom", "command", "args", "terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy", "volumeMounts", "httpHeaders",
}

// atomic are fields of a pod's spec that an apply configuration may not set
// (kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go, v1.36.3).
var atomic = []string{"nodeSelector", "tolerations"}

// reads reports whether scheduling or counting of pods depends on the field at the path.
func reads(path string) bool {
	steps := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch {
	case steps[0] == "metadata":
		return len(steps) < 2 || steps[1] == "labels"
	case steps[0] == "spec" && len(steps) > 3 && strings.HasSuffix(steps[1], "ontainers"):
		return !slices.Contains(trimmed, steps[3]) && steps[3] != "image"
	}
	return steps[0] == "spec" || steps[0] == ""
}

// missing returns the path of the first field in the configuration that differs from the object, or "".
func missing(have, want any, path string) string {
	fields, is := want.(map[string]any)
	if !is {
		if holds(have, want) {
			return ""
		}
		return path
	}
	object, _ := have.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if field := path + "/" + name; reads(field) {
			if says := missing(object[name], fields[name], field); says != "" {
				return says
			}
		}
	}
	return ""
}

// holds reports whether have includes every field and element of want.
func holds(have, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, is := have.(map[string]any)
		for name, x := range want {
			if name != "image" && !slices.Contains(trimmed, name) && !holds(object[name], x) {
				return false
			}
		}
		return is || len(want) == 0
	case []any:
		list, _ := have.([]any)
		for _, x := range want {
			if !slices.ContainsFunc(list, func(y any) bool { return holds(y, x) }) {
				return false
			}
		}
		return true
	}
	return sameScalar(have, want)
}

func sameScalar(a, b any) bool {
	if x, is := number(a); is {
		y, is := number(b)
		return is && x == y
	}
	s, isText := a.(string)
	t, isOther := b.(string)
	if !isText || !isOther || s == t {
		return reflect.DeepEqual(a, b)
	}
	x, err := quantity.Parse(s)
	y, bad := quantity.Parse(t)
	return err == nil && bad == nil && x.Cmp(y) == 0
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// at returns the value at the path.
func at(object any, steps []string) (any, bool) {
	for _, s := range steps {
		switch o := object.(type) {
		case map[string]any:
			next, is := o[s]
			if !is {
				return nil, false
			}
			object = next
		case []any:
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 || n >= len(o) {
				return nil, false
			}
			object = o[n]
		default:
			return nil, false
		}
	}
	return object, true
}

// empty reports whether v is equivalent to an absent value.
func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == nil
}
