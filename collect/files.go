package collect

import (
	"io/fs"
	"path"
	"strings"
)

// AddFS reads every file below the root of files, in lexical order.
func (b *Builder) AddFS(files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			b.Gap(name, "cannot be read: "+err.Error(), "")
			return nil
		}
		if entry.IsDir() || strings.HasPrefix(path.Base(name), ".") || path.Base(name) == manifestName {
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			b.Gap(name, "cannot be opened: "+err.Error(), "")
			return nil
		}
		defer f.Close()
		b.AddStream(name, f)
		return nil
	})
}
