package catalog

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/packed"
)

// The built-in pages are in causes, questions and symptoms.yaml, for people. make generate builds builtin.json.gz from them. It
// loads in a tenth of the time: JSON instead of YAML, checked already.
//
//go:embed builtin.json.gz
var builtin []byte

// pages are the files of a catalog as one text.
type pages struct {
	Causes    []page          `json:"causes"`
	Questions []page          `json:"questions"`
	Symptoms  json.RawMessage `json:"symptoms"` // the content of symptoms.yaml
}

// page is the front matter of a page, and its Markdown.
type page struct {
	Front json.RawMessage `json:"front"`
	Text  string          `json:"text"`
}

// Builtin returns the built-in catalog.
var Builtin = sync.OnceValues(func() (*Catalog, error) {
	c, err := generated(builtin)
	if err != nil {
		return nil, fmt.Errorf("read builtin.json.gz: %w", err)
	}
	return c, nil
})

// generated reads the packed output of Generate.
func generated(data []byte) (*Catalog, error) {
	text, err := packed.Unpack(data)
	if err != nil {
		return nil, err
	}
	var all pages
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	c := empty()
	for _, p := range all.Causes {
		cause := &Cause{Meaning: p.Text}
		if err := json.Unmarshal(p.Front, cause); err != nil {
			return nil, err
		}
		c.causes[cause.ID] = cause
	}
	for _, p := range all.Questions {
		q := &Question{Answer: p.Text}
		if err := json.Unmarshal(p.Front, q); err != nil {
			return nil, err
		}
		c.questions[q.ID] = q
	}
	var list symptomList
	if err := json.Unmarshal(all.Symptoms, &list); err != nil {
		return nil, err
	}
	for _, s := range list.Symptoms {
		c.symptoms[s.ID] = s
	}
	return c, errors.Join(c.link(), c.linkQuestions())
}

// Generate returns the pages of a folder as one text for the program. It checks them.
func Generate(files fs.FS) ([]byte, error) {
	if _, err := Read(files); err != nil {
		return nil, err
	}
	var all pages
	var err error
	if all.Causes, err = readPages(files, "causes/*.md"); err != nil {
		return nil, err
	}
	if all.Questions, err = readPages(files, "questions/*.md"); err != nil {
		return nil, err
	}
	symptoms, err := fs.ReadFile(files, "symptoms.yaml")
	if err != nil {
		return nil, err
	}
	if all.Symptoms, err = bounds.YAMLToJSON(symptoms); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}

func readPages(files fs.FS, pattern string) ([]page, error) {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return nil, err
	}
	var out []page
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		front, text, err := splitPage(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		raw, err := bounds.YAMLToJSON(front)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, page{raw, text})
	}
	return out, nil
}
