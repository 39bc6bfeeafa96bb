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
	// Tells is the meaning of a value for its pool: mode, priority, system; empty: something that every pool has.
	Tells string `json:"tells"`
}

// labelMeanings are the entries of the file, the longest key first.
var labelMeanings = sync.OnceValues(func() ([]labelMeaning, error) {
	var out []labelMeaning
	err := bounds.YAMLStrict(labelsFile, &out)
	slices.SortStableFunc(out, func(a, b labelMeaning) int { return len(b.Key) - len(a.Key) })
	return out, err
})

// LabelSays returns the meaning of a well-known node label in a word; "" for other labels.
func LabelSays(key string) string { return labelOf(key).Says }

// LabelTells returns the meaning of the label's value for its pool: mode, priority, system; "" for other labels.
func LabelTells(key string) string { return labelOf(key).Tells }

func labelOf(key string) labelMeaning {
	list, err := labelMeanings()
	if err != nil {
		return labelMeaning{} // a test checks the file
	}
	for _, m := range list {
		prefix, all := strings.CutSuffix(m.Key, "*")
		if m.Key == key || all && strings.HasPrefix(key, prefix) {
			return m
		}
	}
	return labelMeaning{}
}
