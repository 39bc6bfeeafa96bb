package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Find reads the cases below root: *.txtar files, and folders with truth.yaml and evidence/.
func Find(root string) ([]Case, error) {
	var cases []Case
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read cases: %w", err)
		}
		var c Case
		switch {
		case !entry.IsDir() && strings.HasSuffix(path, ".txtar"):
			c, err = readArchive(path)
		case entry.Name() == "truth.yaml":
			c, err = New(filepath.Dir(path), os.DirFS(filepath.Dir(path)))
		default:
			return nil
		}
		if err != nil {
			return fmt.Errorf("read case %s: %w", path, err)
		}
		cases = append(cases, c)
		return nil
	})
	return cases, err
}

func readArchive(path string) (Case, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return Case{}, err
	}
	files, err := txtar.FS(archive)
	if err != nil {
		return Case{}, err
	}
	return New(path, files)
}

// New reads a case from files: truth.yaml and the folder evidence.
func New(name string, files fs.FS) (Case, error) {
	c := Case{Name: name}
	data, err := fs.ReadFile(files, "truth.yaml")
	if err != nil {
		return c, err
	}
	if err := bounds.YAMLStrict(data, &c.Truth); err != nil {
		return c, fmt.Errorf("truth.yaml: %w", err)
	}
	if c.Truth.Class == "" {
		return c, errors.New("truth.yaml: class is missing")
	}
	if _, err := fs.Stat(files, "evidence"); err != nil {
		return c, errors.New("there is no evidence folder")
	}
	c.Evidence, err = fs.Sub(files, "evidence")
	return c, err
}
