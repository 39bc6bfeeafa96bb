package signatures

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/knowledge/packed"
)

// The built-in signatures are in data, for people. make generate builds builtin.json.gz from them. It loads in a tenth of the
// time: JSON instead of YAML, checked already, and with the literals for the search. Compression makes the program a megabyte
// smaller.
//
//go:embed builtin.json.gz
var builtin []byte

// between separates the files in it.
var between = []byte("\n\n")

// Builtin returns the built-in signatures, which are read once and kept.
var Builtin = sync.OnceValues(ReadBuiltin)

// ReadBuiltin reads the built-in signatures, for a program that does not keep them.
func ReadBuiltin() (*Set, error) {
	known, err := packed.Unpack(builtin)
	if err != nil {
		return nil, fmt.Errorf("read builtin.json.gz: %w", err)
	}
	files := bytes.Split(known, between)
	parts, errs := make([][]*Signature, len(files)), make([]error, len(files))
	var reading sync.WaitGroup
	for i, file := range files {
		reading.Go(func() { parts[i], errs[i] = parseGenerated(file) })
	}
	reading.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("read builtin.json.gz: %w", err)
	}
	return newSet(slices.Concat(parts...))
}

func parseGenerated(data []byte) ([]*Signature, error) {
	type generated struct {
		Signature
		Literals []string `json:"literals"`
	}
	var file struct {
		head
		Signatures []generated `json:"signatures"`
	}
	file.Signatures = make([]generated, 0, bytes.Count(data, []byte("\n"))) // a growing slice has spare capacity, and this one stays in memory
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	out := make([]*Signature, 0, len(file.Signatures))
	for i := range file.Signatures {
		s := &file.Signatures[i].Signature
		s.literals = file.Signatures[i].Literals
		file.lend(s)
		s.prepare()
		out = append(out, s)
	}
	return out, nil
}

// Generate returns the files of a folder as one text: the JSON of each YAML file, with the literals of each signature and one
// signature per line.
func Generate(files fs.FS) ([]byte, error) {
	set, err := Read(files)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var parts [][]byte
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		part, err := set.generate(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(name), err)
		}
		parts = append(parts, part)
	}
	return append(bytes.Join(parts, between), '\n'), nil
}

func (s *Set) generate(data []byte) ([]byte, error) {
	var file map[string]json.RawMessage
	var entries []map[string]any
	if err := yaml.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(file["signatures"], &entries); err != nil {
		return nil, err
	}
	delete(file, "signatures")
	out, err := encode(file)
	if err != nil {
		return nil, err
	}
	out = append(bytes.TrimSuffix(out, []byte("}")), `,"signatures":[`...)
	for i, entry := range entries {
		id, _ := entry["id"].(string)
		entry["literals"] = s.Lookup(id).literals
		line, err := encode(entry)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, '\n'), line...)
	}
	return append(out, "\n]}"...), nil
}

// encode encodes a value as readable JSON, without escaping < and >.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
