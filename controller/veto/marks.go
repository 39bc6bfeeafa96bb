package veto

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// record is the annotation that says which marks of a node are ours, and why. No other mark is ever removed.
const record = "nodetriage.dev/veto"

const yes = "true"

// nodeMarks are the annotations of nodes that tools respect. Karpenter does not consolidate or replace a drifted node with the first, but
// its own repair of nodes does not read it (Karpenter 1.15, reference/annotations).
var nodeMarks = []string{
	"karpenter.sh/do-not-disrupt",
	"cluster-autoscaler.kubernetes.io/scale-down-disabled",
}

// held is the content of the record.
type held struct {
	Since time.Time `json:"since"`
	Cause string    `json:"cause,omitempty"` // ID of the cause when the marks were set
	Marks []string  `json:"marks"`           // annotations that were not there before
}

// readRecord returns the record among annotations, or nil. Another annotation cannot be in it, even if a person edited the record.
func readRecord(annotations map[string]string) *held {
	text, has := annotations[record]
	if !has {
		return nil
	}
	h := &held{}
	_ = json.Unmarshal([]byte(text), h) // a record that cannot be read holds no marks
	h.Marks = slices.DeleteFunc(h.Marks, func(k string) bool { return !slices.Contains(nodeMarks, k) })
	return h
}

// mark returns the annotations with our marks. A mark that was there before is not recorded.
func mark(annotations map[string]string, cause string, at time.Time) map[string]string {
	out := maps.Clone(annotations)
	if out == nil {
		out = map[string]string{}
	}
	h := held{Since: at.UTC().Truncate(time.Second), Cause: cause, Marks: []string{}}
	for _, k := range nodeMarks {
		if _, theirs := out[k]; !theirs {
			out[k] = yes
			h.Marks = append(h.Marks, k)
		}
	}
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // strings and a time
	}
	out[record] = string(text)
	return out
}

// unmark returns the annotations without our marks. A mark with another value stays.
func unmark(annotations map[string]string) map[string]string {
	h := readRecord(annotations)
	if h == nil {
		return annotations
	}
	out := maps.Clone(annotations)
	for _, k := range h.Marks {
		if out[k] == yes {
			delete(out, k)
		}
	}
	delete(out, record)
	return out
}
