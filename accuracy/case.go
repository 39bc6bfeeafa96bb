package accuracy

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/cases"
)

// Case is a recorded case with its files in memory, and the answer about it.
type Case struct {
	cases.Case
	Files Files

	engine *Engine
	once   sync.Once
	base   Answer
}

// Base returns the answer about the unchanged case.
func (c *Case) Base() Answer {
	c.once.Do(func() { c.base = c.engine.Judge(c.Files.FS()) })
	return c.base
}

// scope returns the scope of the confirmed cause in the catalog: node, pod, cluster, ...
func (c *Case) scope() string { return c.engine.scope(c.Truth.Class) }

// with returns the same case with other files.
func (c *Case) with(files Files) *Case { return &Case{Case: c.Case, Files: files, engine: c.engine} }

// Read reads the cases below a folder, for an engine to judge.
func Read(root string, e *Engine) ([]*Case, error) {
	found, err := cases.Find(root)
	if err != nil {
		return nil, err
	}
	recorded := make([]*Case, len(found))
	for i, c := range found {
		files, err := readFiles(c.Evidence)
		if err != nil {
			return nil, err
		}
		if rel, err := filepath.Rel(root, c.Name); err == nil {
			c.Name = strings.TrimSuffix(filepath.ToSlash(rel), ".txtar")
		}
		recorded[i] = &Case{Case: c, Files: files, engine: e}
	}
	return recorded, nil
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}
