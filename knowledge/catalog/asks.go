package catalog

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

//go:embed asks.yaml
var asksFile []byte

// Asking says where the value of a placeholder comes from: usually from a read-only command.
type Asking struct {
	Tells []string   `json:"tells"`
	Run   shell.Text `json:"run,omitempty"`   // empty: a person chooses the value
	Where string     `json:"where,omitempty"` // one of Places
	// Which says which of several values to take, or how to choose one.
	Which shell.Text `json:"which,omitempty"`
}

var asks = sync.OnceValues(func() ([]Asking, error) {
	var out []Asking
	if err := bounds.YAMLStrict(asksFile, &out); err != nil {
		return nil, fmt.Errorf("asks.yaml: %w", err)
	}
	return out, nil
})

// Asks returns the commands that show values of placeholders in any cloud.
func Asks() []Asking {
	list, err := asks()
	if err != nil {
		return nil // a test checks the file
	}
	return list
}

// Ask returns where the value of the placeholder of a command comes from: the command of its cloud, or else one for any cloud.
func Ask(name string, p *Provider) Asking {
	if p != nil {
		if a := asking(p.Asks, name); a.Run != "" {
			a.Where = "cloud-cli"
			return a
		}
	}
	return asking(Asks(), name)
}

// asking returns the entry of a list about a placeholder, or an empty one.
func asking(list []Asking, name string) Asking {
	if i := slices.IndexFunc(list, func(a Asking) bool { return slices.Contains(a.Tells, name) }); i >= 0 {
		return list[i]
	}
	return Asking{}
}
