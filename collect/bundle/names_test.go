package bundle

import (
	"strings"
	"testing"
)

// A name is never both a file and a folder: a folder could not hold such a bundle. Some systems ignore case.
func TestNames(t *testing.T) {
	for _, sources := range [][]string{
		{"kubelet.log", "kubelet.log/previous"},
		{"kubelet.log/previous", "kubelet.log"},
		{"Kubelet.log", "kubelet.log/previous", "kubelet.log-2", "kubelet.log/other", "kubelet.LOG"},
		{"a.log", "a.log/b.log", "a.log/b.log/c", "a.log-2/b.log/c"},
	} {
		b := &writer{names: map[string]bool{}}
		into := folder(t.TempDir())
		for _, source := range sources {
			if err := into.put(b.name(source, ".log"), 0, strings.NewReader("")); err != nil {
				t.Errorf("%v: %v", sources, err)
			}
		}
	}
}
