package plan

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Way is one of several ways past an obstacle.
type Way struct {
	What     string       `json:"what"`
	Commands []shell.Text `json:"commands"`
	Harm     string       `json:"harm"` // its risk
}
