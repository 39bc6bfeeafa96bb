package bounds

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"
)

// MaxExpanded bounds the size of YAML with expanded aliases, in bytes. Hand-written files with aliases have kilobytes.
const MaxExpanded = 8 << 20

// ErrAliases means that the aliases expand to more than MaxExpanded.
var ErrAliases = fmt.Errorf("its aliases expand to more than %d MiB", MaxExpanded>>20)

// MaxGlyphs bounds the lines, keys and items of YAML, which parses a hundred times slower than JSON.
const MaxGlyphs = 1_500_000

// ErrLongYAML means that YAML has more than MaxGlyphs.
var ErrLongYAML = errors.New("it has more YAML than is read")

// Glyphs counts lines, keys and items.
func Glyphs(text []byte) int {
	n := 0
	for _, c := range text {
		switch c {
		case '\n', ':', ',', '[', '{':
			n++
		}
	}
	return n
}

var errCycle = errors.New("one of its anchors contains itself")

// YAMLToJSON is the function of sigs.k8s.io/yaml for untrusted YAML.
func YAMLToJSON(raw []byte) ([]byte, error) {
	if err := checkYAML(raw); err != nil {
		return nil, err
	}
	return sigs.YAMLToJSON(raw)
}

// YAMLStrict is UnmarshalStrict of sigs.k8s.io/yaml for untrusted YAML: it rejects unknown and repeated fields.
func YAMLStrict(raw []byte, into any) error {
	if err := checkYAML(raw); err != nil {
		return err
	}
	err := sigs.UnmarshalStrict(raw, into)
	dropNulls(into)
	return err
}

func checkYAML(raw []byte) error {
	if Glyphs(raw) > MaxGlyphs {
		return ErrLongYAML
	}
	return checkAliases(raw)
}

// checkAliases bounds the expansion. The decoder limits the number of aliases but not their bytes: 1 MB of text with an
// anchor and ten thousand aliases becomes 10 GB of JSON.
func checkAliases(raw []byte) error {
	if bytes.IndexByte(raw, '*') < 0 || bytes.IndexByte(raw, '&') < 0 {
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil //nolint:nilerr // the decoder says what is wrong with it
	}
	_, err := expansion{}.size(&doc)
	return err
}

// expansion has the sizes of aliased nodes; -1: in progress.
type expansion map[*yaml.Node]int

func (e expansion) size(n *yaml.Node) (int, error) {
	if n.Kind == yaml.AliasNode {
		return e.ofAlias(n.Alias)
	}
	const perNode = 8 // a comma, quotes, and other JSON characters around a value
	sum := perNode + len(n.Value)
	for _, child := range n.Content {
		size, err := e.size(child)
		if err != nil {
			return 0, err
		}
		if sum += size; sum > MaxExpanded+len(n.Value) {
			return 0, ErrAliases
		}
	}
	return sum, nil
}

func (e expansion) ofAlias(n *yaml.Node) (int, error) {
	switch known, ok := e[n]; {
	case ok && known < 0:
		return 0, errCycle
	case ok:
		return known, nil
	}
	e[n] = -1
	size, err := e.size(n)
	e[n] = size
	return size, err
}
