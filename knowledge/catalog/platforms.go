package catalog

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

//go:embed platforms.yaml
var platformsFile []byte

// Platform describes the differences of nodes of a distribution or an operating system.
type Platform struct {
	Name         string   `json:"platform"`
	OS           string   `json:"os"`           // as nodes report it: windows; empty: any
	Images       []string `json:"images"`       // parts of the name of the operating system, in lower case
	Versions     []string `json:"versions"`     // parts of the versions of its kubelets
	Runtimes     []string `json:"runtimes"`     // parts of the versions of its container runtimes
	Texts        []string `json:"texts"`        // in lower case, which occur only in texts of its nodes
	Like         []string `json:"like"`         // platforms whose texts occur on its nodes too
	Server       string   `json:"server"`       // the unit that runs the kubelet on a control plane node; empty: kubelet
	Agent        string   `json:"agent"`        // the unit that runs it on other nodes
	Distribution bool     `json:"distribution"` // of Kubernetes: a node has exactly one
	NoShell      bool     `json:"noShell"`      // only commands rewritten by a Call run on its nodes
	Where        string   `json:"where"`        // where commands rewritten by a Call run; empty: on the node
	Lacks        []string `json:"lacks"`        // beginnings of commands, and paths, that are missing on its nodes
	Calls        []Call   `json:"calls"`

	lacks func() *regexp.Regexp
}

// Call rewrites a part of commands for a platform.
type Call struct {
	From string     `json:"from"`
	To   shell.Text `json:"to"`

	from func() *regexp.Regexp
}

var platforms = sync.OnceValues(func() ([]*Platform, error) {
	var out []*Platform
	if err := bounds.YAMLStrict(platformsFile, &out); err != nil {
		return nil, fmt.Errorf("platforms.yaml: %w", err)
	}
	for _, p := range out {
		for i := range p.Calls {
			p.Calls[i].from = sync.OnceValue(func() *regexp.Regexp { return compileOne(p.Calls[i].From) })
		}
		p.lacks = sync.OnceValue(p.lacking)
	}
	return out, nil
})

// Platforms returns the known platforms.
func Platforms() []*Platform {
	list, err := platforms()
	if err != nil {
		return nil // a test checks the file
	}
	return list
}

// NodeFacts are the fields of a node object that show its platform.
type NodeFacts struct{ OS, Image, Version, Runtime string }

// IsOf reports whether a node is of the platform.
func (p *Platform) IsOf(n NodeFacts) bool {
	has := func(text string, parts []string) bool {
		text = strings.ToLower(text)
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
	}
	if p.OS != "" && p.OS == n.OS {
		return true
	}
	return has(n.Image, p.Images) || has(n.Version, p.Versions) || has(n.Runtime, p.Runtimes)
}

// IsIn reports whether a text, in lower case, is from a node of the platform.
func (p *Platform) IsIn(text string) bool {
	return slices.ContainsFunc(p.Texts, func(part string) bool { return strings.Contains(text, part) })
}

// PlatformsIn returns the platforms that a text, in lower case, mentions. It returns none if they cannot be the same node.
func PlatformsIn(text string) (out []*Platform) {
	for _, p := range Platforms() {
		if p.IsIn(text) {
			out = append(out, p)
		}
	}
	found := slices.Clone(out)
	out = slices.DeleteFunc(out, func(p *Platform) bool {
		return slices.ContainsFunc(found, func(other *Platform) bool { return slices.Contains(other.Like, p.Name) })
	})
	distributions := 0
	for _, p := range out {
		if p.Distribution {
			distributions++
		}
	}
	if distributions > 1 {
		return nil
	}
	return out
}

// Command returns the command for nodes of the platform. unit runs the kubelet. ok reports whether the command exists there.
func (p *Platform) Command(command, unit shell.Text) (out shell.Text, ok bool) {
	out = p.Text(command, unit)
	switch {
	case p.NoShell && out == command:
		return "", false
	case p.Without(out):
		return "", false
	}
	return out, true
}

// Text returns a text with its commands rewritten for the platform.
func (p *Platform) Text(text, unit shell.Text) shell.Text {
	for _, c := range p.Calls {
		text = text.Replace(c.from(), c.To.Own(unit))
	}
	return text
}

// Without reports whether a program or a path of the command is missing on the nodes.
func (p *Platform) Without(command shell.Text) bool { return p.lacks().MatchString(string(command)) }

// lacking returns the expression of missing programs, at the start of a command, and missing paths, anywhere.
func (p *Platform) lacking() *regexp.Regexp {
	parts := []string{never.String()}
	for _, l := range p.Lacks {
		if quoted := regexp.QuoteMeta(l); strings.HasPrefix(l, "/") {
			parts = append(parts, quoted)
		} else if l == strings.ToLower(l) {
			parts = append(parts, `(?:^|[|;&(]\s*|\b(?:do|then|timeout \S+) )`+quoted+`(?:\s|$)`)
		} else {
			parts = append(parts, quoted) // a word inside a command
		}
	}
	return compileOne(strings.Join(parts, "|"))
}

// never matches nothing.
var never = regexp.MustCompile(`^\b$`)

// compileOne compiles one expression. An invalid one matches nothing.
func compileOne(expr string) *regexp.Regexp {
	if list := compile([]string{expr}); len(list) == 1 {
		return list[0]
	}
	return never
}
