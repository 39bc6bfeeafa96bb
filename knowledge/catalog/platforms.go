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

// Platform is what is different on the nodes of a distribution or an operating system.
type Platform struct {
	Name         string   `json:"platform"`
	OS           string   `json:"os"`           // as nodes report it: windows; empty: any
	Images       []string `json:"images"`       // parts of the name of the operating system, in lower case
	Versions     []string `json:"versions"`     // parts of the versions of its kubelets
	Runtimes     []string `json:"runtimes"`     // parts of the versions of its container runtimes
	Texts        []string `json:"texts"`        // in lower case, which only texts of its nodes have in them
	Like         []string `json:"like"`         // platforms whose texts its nodes have, too
	Server       string   `json:"server"`       // the unit that runs the kubelet on a node of the control plane; empty: kubelet
	Agent        string   `json:"agent"`        // the unit that runs it elsewhere
	Distribution bool     `json:"distribution"` // of Kubernetes: a node is of one
	NoShell      bool     `json:"noShell"`      // only what a Call has written runs on its nodes
	Where        string   `json:"where"`        // where what a Call has written runs; empty: on the node
	Lacks        []string `json:"lacks"`        // beginnings of commands, and paths, that its nodes do not have
	Calls        []Call   `json:"calls"`

	lacks func() *regexp.Regexp
}

// Call is a part of commands that is written in another way on a platform.
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

// Platforms are those of whose nodes something is known.
func Platforms() []*Platform {
	list, err := platforms()
	if err != nil {
		return nil // a test reads the file
	}
	return list
}

// NodeFacts are the fields of a node object that show its platform.
type NodeFacts struct{ OS, Image, Version, Runtime string }

// IsOf reports whether the platform is that of a node.
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

// IsIn reports whether a text, in lower case, is one of its nodes.
func (p *Platform) IsIn(text string) bool {
	return slices.ContainsFunc(p.Texts, func(part string) bool { return strings.Contains(text, part) })
}

// PlatformsIn are those of which a text, in lower case, has signs; none where it has signs of nodes that cannot be the same.
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

// Command returns the command as its nodes have it; unit is the one that runs the kubelet. ok: they have it.
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

// Text returns a text with the commands in it as its nodes have them.
func (p *Platform) Text(text, unit shell.Text) shell.Text {
	for _, c := range p.Calls {
		text = text.Replace(c.from(), c.To.Own(unit))
	}
	return text
}

// Without reports whether the nodes lack a program that the command calls, or a path that it names.
func (p *Platform) Without(command shell.Text) bool { return p.lacks().MatchString(string(command)) }

// lacking is the expression of what the nodes lack: programs where a command begins, paths anywhere.
func (p *Platform) lacking() *regexp.Regexp {
	parts := []string{never.String()}
	for _, l := range p.Lacks {
		if quoted := regexp.QuoteMeta(l); strings.HasPrefix(l, "/") {
			parts = append(parts, quoted)
		} else if l == strings.ToLower(l) {
			parts = append(parts, `(?:^|[|;&(]\s*|\b(?:do|then|timeout \S+) )`+quoted+`(?:\s|$)`)
		} else {
			parts = append(parts, quoted) // a word that stands inside of a command
		}
	}
	return compileOne(strings.Join(parts, "|"))
}

// never matches nothing.
var never = regexp.MustCompile(`^\b$`)

// compileOne is compile for one expression: one that is none matches nothing.
func compileOne(expr string) *regexp.Regexp {
	if list := compile([]string{expr}); len(list) == 1 {
		return list[0]
	}
	return never
}
