package catalog

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

//go:embed labels.yaml
var labelsFile []byte

type labelMeaning struct {
	Key  string `json:"key"`
	Says string `json:"says"`
	// Tells is what of its pool a value of the label is: mode, priority, system; empty: nothing that every pool has.
	Tells string `json:"tells"`
}

// labelMeanings are those of the file, the longest key first.
var labelMeanings = sync.OnceValues(func() ([]labelMeaning, error) {
	var out []labelMeaning
	err := bounds.YAMLStrict(labelsFile, &out)
	slices.SortStableFunc(out, func(a, b labelMeaning) int { return len(b.Key) - len(a.Key) })
	return out, err
})

// LabelSays returns what a well-known label of nodes means, in a word; "" if it is none.
func LabelSays(key string) string { return labelOf(key).Says }

// LabelTells returns what of its pool a value of the label is: mode, priority, system; "" if it is none of these.
func LabelTells(key string) string { return labelOf(key).Tells }

func labelOf(key string) labelMeaning {
	list, err := labelMeanings()
	if err != nil {
		return labelMeaning{} // a test reads the file
	}
	for _, m := range list {
		prefix, all := strings.CutSuffix(m.Key, "*")
		if m.Key == key || all && strings.HasPrefix(key, prefix) {
			return m
		}
	}
	return labelMeaning{}
}
