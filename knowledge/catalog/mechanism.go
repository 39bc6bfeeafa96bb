package catalog

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

//go:embed mechanisms.yaml
var mechanismsFile []byte

// Mechanism is an operation of components that can fail.
type Mechanism struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Fails []string `json:"fails"` // the causes and symptoms of its failure
}

var mechanisms = sync.OnceValues(func() ([]Mechanism, error) {
	var file struct {
		Mechanisms []Mechanism `json:"mechanisms"`
	}
	if err := bounds.YAMLStrict(mechanismsFile, &file); err != nil {
		return nil, fmt.Errorf("mechanisms.yaml: %w", err)
	}
	return file.Mechanisms, nil
})

// Mechanisms returns all mechanisms.
func Mechanisms() []Mechanism {
	list, err := mechanisms()
	if err != nil {
		return nil // a test checks the file
	}
	return list
}

var mechanismOf = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, m := range Mechanisms() {
		for _, id := range m.Fails {
			out[id] = m.ID
		}
	}
	return out
})

// Mechanism returns the operation that fails because of a cause or symptom; empty if the built-in catalog has none.
func (c *Catalog) Mechanism(id string) string { return mechanismOf()[id] }
