package collect

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// addTar reads the files of an archive as they come; nothing is written to disk. Links and odd paths are
// skipped, sizes and counts are bounded.
func (b *Builder) addTar(name string, r io.Reader, nesting int) {
	if nesting >= maxNesting {
		b.Gap(name, "is an archive in too many archives", "unpack it and name the folder")
		return
	}
	t := tar.NewReader(r)
	skipped := 0
	for count := 0; ; count++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Gap(name, "the archive is damaged or cut off: "+err.Error(), "")
			break
		}
		if count >= maxEntries {
			b.Gap(name, fmt.Sprintf("the archive has more than %d entries; the rest was not read", maxEntries), "")
			break
		}
		inner := path.Clean(strings.ReplaceAll(h.Name, "\\", "/"))
		if h.Typeflag == tar.TypeDir {
			continue
		}
		if h.Typeflag != tar.TypeReg || strings.HasPrefix(inner, "/") || inner == ".." || strings.HasPrefix(inner, "../") {
			skipped++
			continue
		}
		if strings.HasPrefix(path.Base(inner), ".") || path.Base(inner) == manifestName {
			continue
		}
		b.addStream(inner, t, nesting+1)
	}
	if skipped > 0 {
		b.Gap(name, fmt.Sprintf("%d links or entries with paths outside the archive were skipped", skipped), "")
	}
}
