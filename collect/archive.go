package collect

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
)

// addTar reads the files of an archive as they come; nothing is written to disk. Links, devices and paths that
// lead outside are left out, and the number of entries is bounded.
func (b *Builder) addTar(d document, r io.Reader) {
	if d.nesting >= maxNesting {
		b.Gap(d.name, fmt.Sprintf("is packed more than %d times", maxNesting), "unpack it and name the folder")
		return
	}
	c := d.archive()
	defer c.finish()
	t := tar.NewReader(r)
	skipped := 0
	for count := 0; ; count++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Incomplete(evidence.Everything, d.name, "the archive is damaged or cut off after "+entries(count)+": "+readError(err), "")
			c.damaged = true
			break
		}
		if count >= maxEntries {
			b.Incomplete(evidence.Everything, d.name, fmt.Sprintf("the archive has more than %d entries; the rest was not read", maxEntries), "unpack it and name the files that matter")
			c.damaged = true
			break
		}
		if b.door.ended() {
			b.Incomplete(evidence.Everything, d.name, "not read to its end: "+context.Cause(b.door.ctx).Error(), "")
			c.damaged = true
			break
		}
		name, ok := innerName(h.Name)
		switch {
		case h.Typeflag == tar.TypeDir, strings.Contains(name, "/"+nodereport.ForPeople+"/"):
			continue
		case !ok, h.Typeflag != tar.TypeReg && !sparse(h):
			skipped++
			continue
		}
		var content io.Reader = t
		if sparse(h) {
			content = &unpacking{t, c.packing}
		}
		c.member(c.document(name, d.nesting+1), content)
	}
	b.skipped(d, skipped)
}

// sparse reports whether the file has holes, which take no place in the archive: a kilobyte may become an exabyte.
func sparse(h *tar.Header) bool {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

func entries(n int) string {
	if n == 1 {
		return "one entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// maxPath bounds the path of an archive's entry, in bytes: the output shows it.
const maxPath = 4096

// innerName cleans the path of an archive's entry; false: it leads outside of the archive, or is too long.
func innerName(name string) (string, bool) {
	if len(name) > maxPath {
		return "", false
	}
	name = path.Clean(strings.ReplaceAll(name, "\\", "/"))
	if strings.HasPrefix(name, "/") || name == ".." || strings.HasPrefix(name, "../") || name == "." || strings.IndexByte(name, 0) >= 0 ||
		len(name) > 1 && name[1] == ':' {
		return "", false
	}
	return name, true
}

// skipped tells of entries of an archive that are no files inside it.
func (b *Builder) skipped(d document, n int) {
	switch {
	case n == 1:
		b.Gap(d.name, "left out 1 entry (a link, a device, or a path that leads outside or is too long)", "")
	case n > 1:
		b.Gap(d.name, fmt.Sprintf("left out %d entries (links, devices, or paths that lead outside or are too long)", n), "")
	}
}
