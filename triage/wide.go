package triage

import (
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// widening replaces a command or a part of a text that needs a name by one that needs none.
type widening struct {
	name string
	from *lazyregexp.Regexp
	to   shell.Text
}

// filtered is the rest of a command that selects rows.
const filtered = `(?: \| grep (?:'[^']*'|[^'|])+)?`

var (
	// wideCommands list all objects, with the name that is unknown in a column.
	wideCommands = []widening{
		{"node", lazyregexp.New(`^(kubectl get pods (?:-A|-n [a-z{}-]+) -o wide) --field-selector spec\.nodeName=[{<]node[}>](` + filtered + `)$`), "${1}${2}"},
		{"node", lazyregexp.New(`^kubectl get node [{<]node[}>]((?: -o wide| --show-labels)?` + filtered + `)$`), "kubectl get nodes${1}"},
		{"namespace", lazyregexp.New(`^(kubectl get [a-z,]+) -n [{<]namespace[}>]((?: -o wide| --sort-by=\S+)*)$`), "${1} -A${2}"},
	}
	// wideTexts are about the object without its name.
	wideTexts = []widening{
		{"node", lazyregexp.New(`(kubectl (?:get|describe) node) \{node\}`), "${1}"},
		{"node", lazyregexp.New(`(^|[ (])\{node\}`), "${1}the node"},
		{"pdb", lazyregexp.New(`-n \{namespace\} \{pdb\}`), "-A"},
		{"pod", lazyregexp.New(`(^|[ (])\{pod\}`), "${1}the pod"},
	}
)

// wide returns the command without the names that are unknown, if a longer list shows them.
func (f fill) wide(command shell.Text) shell.Text { return f.without(wideCommands, command) }

// prose returns a text with known names filled in. The object of an unknown name is called by its kind.
func (f fill) prose(text shell.Text) shell.Text { return f.without(wideTexts, text).Fill(f) }

func (f fill) without(list []widening, text shell.Text) shell.Text {
	for _, w := range list {
		if f[w.name] == "" {
			text = text.Replace(w.from, w.to)
		}
	}
	return text
}
