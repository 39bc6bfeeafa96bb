package catalog

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

//go:embed providers.yaml
var providersFile []byte

// Provider describes the commands of one cloud.
type Provider struct {
	Name     string   `json:"provider"` // as in clouds
	Programs []string `json:"programs"` // beginnings of commands that work only in this cloud
	Words    []string `json:"words"`    // in lower case, which occur only in texts of its API
	Signs    []string `json:"signs"`    // in lower case, which occur in no text about another cloud
	Machines []string `json:"machines"` // expressions of the ids of its machines; the groups are placeholder names, with _ for -
	Clusters []string `json:"clusters"` // the same for its clusters
	Texts    []string `json:"texts"`    // the same for texts
	Nodes    []string `json:"nodes"`    // expressions of its node names
	Asks     []Asking `json:"asks"`

	ids, texts, nodes func() []*regexp.Regexp
}

var providers = sync.OnceValues(func() ([]*Provider, error) {
	var out []*Provider
	if err := bounds.YAMLStrict(providersFile, &out); err != nil {
		return nil, fmt.Errorf("providers.yaml: %w", err)
	}
	for _, p := range out {
		p.ids = sync.OnceValue(func() []*regexp.Regexp { return compile(slices.Concat(p.Machines, p.Clusters)) })
		p.nodes = sync.OnceValue(func() []*regexp.Regexp { return compile(p.Nodes) })
		p.texts = sync.OnceValue(func() []*regexp.Regexp { return compile(p.Texts) })
	}
	return out, nil
})

// compile skips invalid expressions, because a test checks the file.
func compile(list []string) (out []*regexp.Regexp) {
	for _, expr := range list {
		if re, err := regexp.Compile(expr); err == nil {
			out = append(out, re)
		}
	}
	return out
}

// Providers returns the clouds whose commands are on the pages.
func Providers() []*Provider {
	list, err := providers()
	if err != nil {
		return nil // a test checks the file
	}
	return list
}

// ProviderOf returns the provider of a machine by its provider ID; nil if unknown.
func ProviderOf(providerID string) *Provider {
	return ProviderNamed(clouds.OfMachine(providerID).Name)
}

// ProviderOfNode returns the provider that the name of a node or the version of its kubelet shows; nil if unknown.
func ProviderOfNode(name, version string) *Provider {
	for _, p := range Providers() {
		named := slices.ContainsFunc(p.nodes(), func(re *regexp.Regexp) bool { return re.MatchString(name) })
		if named || clouds.OfVersion(version).Name == p.Name {
			return p
		}
	}
	return nil
}

// ProviderNamed returns the provider of that name; nil if no page has its commands.
func ProviderNamed(name string) *Provider {
	i := slices.IndexFunc(Providers(), func(p *Provider) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return Providers()[i]
}

// ProviderOfCommand returns the provider whose command it is; nil if the command runs anywhere.
func ProviderOfCommand(command shell.Text) *Provider {
	for _, p := range Providers() {
		if slices.ContainsFunc(p.Programs, func(begin string) bool { return strings.HasPrefix(string(command), begin+" ") }) {
			return p
		}
	}
	return nil
}

// Wrote reports whether the text has one of the words that occur only in the API of the named provider.
func Wrote(provider, text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(Providers(), func(p *Provider) bool {
		return p.Name == provider && slices.ContainsFunc(p.Words, func(word string) bool { return strings.Contains(text, word) })
	})
}

// Named returns the clouds that the text mentions.
func Named(text string) []*Provider {
	text = strings.ToLower(text)
	var out []*Provider
	for _, p := range Providers() {
		if slices.ContainsFunc(p.Signs, func(sign string) bool { return strings.Contains(text, sign) }) {
			out = append(out, p)
		}
	}
	return out
}

// Names returns the placeholder values in an id.
func (p *Provider) Names(id string) map[string]string {
	out := map[string]string{}
	for _, re := range p.ids() {
		take(re, re.FindStringSubmatch(id), func(name, value string) { out[name] = value })
	}
	return out
}

// Told calls tell for each placeholder value in the text.
func (p *Provider) Told(text string, tell func(name, value string)) {
	for _, re := range p.texts() {
		for _, found := range re.FindAllStringSubmatch(text, -1) {
			take(re, found, tell)
		}
	}
}

func take(re *regexp.Regexp, found []string, tell func(name, value string)) {
	for i, name := range re.SubexpNames() {
		if found != nil && name != "" {
			tell(strings.ReplaceAll(name, "_", "-"), found[i])
		}
	}
}

// OfMachine reports whether ids of machines contain the name, for any kind of machine.
func (p *Provider) OfMachine(name string) bool {
	return slices.ContainsFunc(p.Machines, func(expr string) bool { return strings.Contains(expr, "(?P<"+strings.ReplaceAll(name, "-", "_")+">") })
}

// Ask returns the command that shows the value of the placeholder; "" if there is none.
func (p *Provider) Ask(name string) shell.Text {
	return asking(p.Asks, name).Run
}
