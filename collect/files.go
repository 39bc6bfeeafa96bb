package collect

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// AddFS reads every file below the root of files, in lexical order.
func (b *Builder) AddFS(files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			b.Gap(name, "cannot be read: "+err.Error(), "")
			return nil
		}
		if entry.IsDir() || strings.HasPrefix(path.Base(name), ".") && name != "." {
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			b.Gap(name, "cannot be opened: "+err.Error(), "")
			return nil
		}
		defer f.Close()
		return b.AddStream(name, f)
	})
}

// AddStream reads one document of any kind; the name is used in evidence and gaps.
func (b *Builder) AddStream(name string, r io.Reader) error {
	if r == nil {
		return fmt.Errorf("read %s: no input", name)
	}
	b.ScanText(name, "", evidence.Subject{}, r)
	return nil
}
