package accuracy

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// File is one file of evidence.
type File struct{ Name, Text string }

// Files are the evidence of a case, sorted by name.
type Files []File

func readFiles(root fs.FS) (Files, error) {
	var files Files
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		files = append(files, File{name, string(data)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	return files, nil
}

// FS returns the files as a folder.
func (f Files) FS() fs.FS {
	files, err := txtar.FS(f.archive())
	if err != nil {
		panic(err) // two files of one name: a bug in a transformation
	}
	return files
}

func (f Files) archive() *txtar.Archive {
	a := &txtar.Archive{}
	for _, file := range f {
		a.Files = append(a.Files, txtar.File{Name: file.Name, Data: []byte(file.Text)})
	}
	return a
}

// String returns the concatenated files, for people.
func (f Files) String() string { return string(txtar.Format(f.archive())) }

// each changes the text of every file.
func (f Files) each(change func(File) string) Files {
	out := slices.Clone(f)
	for i := range out {
		out[i].Text = change(out[i])
	}
	return out
}

// objects reports whether a file contains objects, as JSON or YAML, and not text.
func (f File) objects() bool {
	text := strings.TrimSpace(f.Text)
	switch {
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
		return !jsonLog(text) && (strings.HasSuffix(f.Name, ".json") || jsonDocument(text))
	case strings.HasSuffix(f.Name, ".yaml"), strings.HasPrefix(text, "apiVersion:"), strings.HasPrefix(text, "kind:"):
		return true
	}
	return false
}

// jsonLog reports whether a text is a structured log, in which one line is JSON too.
func jsonLog(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	if _, timed := headTime(first); !timed || !jsonDocument(first) {
		return false
	}
	return strings.Contains(first, `"msg"`) || strings.Contains(first, `"message"`) || strings.Contains(first, `"log"`)
}

// bundled reports whether the files are a bundle of the program, with a manifest of their checksums.
func (f Files) bundled() bool {
	return slices.ContainsFunc(f, func(file File) bool { return file.Name == manifestName })
}

const manifestName = "nodetriage-manifest.json"

// lines returns the lines of a text without their ends. The last line end does not add an empty line.
func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func unlines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// shuffled is a folder whose entries are listed in another order.
type shuffled struct {
	fs.FS
	rnd *rand.Rand
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	entries = slices.Clone(entries)
	s.rnd.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries, err
}
