package rules_test

import (
	"reflect"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// declared returns the evidence with only the kinds that the rule declares.
func declared(s *evidence.Snapshot, r *triage.Rule) *evidence.Snapshot {
	reads := slices.Concat(r.Needs, r.NeedsOne, r.Reads)
	data := *s.Data()
	data.Coverage = map[evidence.Kind]evidence.Coverage{}
	for _, k := range reads {
		if c, known := s.Data().Coverage[k]; known {
			data.Coverage[k] = c
		}
	}
	v := reflect.ValueOf(&data).Elem()
	for i := range v.NumField() {
		if k := kindOf(s.Data(), i); k != "" && !slices.Contains(reads, k) {
			v.Field(i).SetZero()
		}
	}
	return evidence.New(data)
}

// kindOf returns the kind of evidence in a field of the data; empty: none, or the field is empty.
func kindOf(d *evidence.Data, field int) evidence.Kind {
	f := reflect.ValueOf(d).Elem().Field(field)
	if f.Kind() != reflect.Slice && f.Kind() != reflect.Map || f.Len() == 0 {
		return ""
	}
	var alone evidence.Data
	reflect.ValueOf(&alone).Elem().Field(field).Set(f)
	for _, r := range evidence.Kinds() {
		for _, l := range r.Lists {
			if len(l.Items(&alone)) > 0 {
				return r.Kind
			}
		}
		if len(r.Lists) == 0 && r.Present(&alone) {
			return r.Kind
		}
	}
	return ""
}
