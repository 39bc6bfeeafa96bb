package accuracy

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/nodetriage/nodetriage/testcase"
)

// Case is a recorded case with its files in memory, and the answer that it has as it is.
type Case struct {
	testcase.Case
	Files Files
	Base  Answer
	Scope string // what the confirmed cause is about, by the catalogue: node, pod, cluster, ...
}

// Read reads the cases below a folder.
func Read(root string) ([]*Case, error) {
	found, err := testcase.Find(root)
	if err != nil {
		return nil, err
	}
	cases := make([]*Case, len(found))
	for i, c := range found {
		files, err := readFiles(c.Evidence)
		if err != nil {
			return nil, err
		}
		if rel, err := filepath.Rel(root, c.Name); err == nil {
			c.Name = strings.TrimSuffix(filepath.ToSlash(rel), ".txtar")
		}
		cases[i] = &Case{Case: c, Files: files}
	}
	return cases, nil
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}
