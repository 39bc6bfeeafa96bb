package collect

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// addTar reads the files of an archive as a stream; nothing is written to disk. It skips links, devices and paths that lead
// outside, and bounds the number of entries.
func (b *Builder) addTar(d document, r io.Reader) {
	if d.nesting >= maxNesting {
		b.Gap(d.name, fmt.Sprintf("is packed more than %d times", maxNesting), "unpack it and pass the folder")
		return
	}
	c := d.archive()
	defer c.finish()
	t := tar.NewReader(r)
	a := c.readAhead()
	skipped := 0
	for count := 0; ; count++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			a.wait()
			break
		}
		if why, how := c.noFurtherEntry(count, err); why != "" {
			a.wait()
			b.Incomplete(evidence.Everything, d.name, why, how)
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
		a.entry(t, h, name, d.nesting+1)
	}
	b.skipped(d, skipped)
}

// noFurtherEntry returns why reading of an archive stops after that many entries, or an empty string if it continues.
func (c *container) noFurtherEntry(before int, err error) (why string, how shell.Text) {
	switch d := &c.builder.door; {
	case err != nil:
		return "the archive is damaged or truncated after " + entries(before) + ": " + readError(err), ""
	case before >= maxEntries:
		return fmt.Sprintf("the archive has more than %d entries; the rest was not read", maxEntries), "unpack it and name the files that matter"
	case d.ended():
		return "not read completely: " + context.Cause(d.ctx).Error(), ""
	}
	return "", ""
}

// entry reads the current file of an archive.
func (a *ahead) entry(t *tar.Reader, h *tar.Header, name string, nesting int) {
	d := a.c.document(name, nesting)
	if sparse(h) {
		a.wait()
		a.c.member(d, &unpacking{t, a.c.packing})
		return
	}
	head := make([]byte, min(h.Size, packedHead))
	n, err := io.ReadFull(t, head)
	if err != nil || path.Base(name) == bundle.ManifestName || unpacks(head) || !a.reserve(h.Size) {
		a.wait()
		a.c.member(d, io.MultiReader(bytes.NewReader(head[:n]), t))
		return
	}
	content := append(make([]byte, 0, h.Size), head...)
	n, err = io.ReadFull(t, content[n:h.Size])
	content = content[:len(head)+n]
	if err == nil {
		err = io.EOF
	}
	read := a.c.builder.door.read.Load()
	a.begin(h.Size, func() int64 { return read }, func(c *container) {
		c.member(c.document(name, nesting), io.MultiReader(bytes.NewReader(content), failing{err}))
	})
}

// packedHead is how many bytes of a file show whether it is packed.
const packedHead = 512

// unpacks reports whether a file with that head may unpack to other files. Their bytes count for the enclosing archive, so the
// archive must not be read further at the same time.
func unpacks(head []byte) bool {
	kind, _, _ := sniff(bytes.TrimPrefix(head, utf8Mark))
	return packings[kind]
}

var packings = map[string]bool{"gzip": true, "bzip2": true, "xz": true, "zstd": true, "tar": true, "zip": true, "utf16le": true, "utf16be": true}

// failing is a reader that always fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// sparse reports whether the file has holes. Holes take no space in the archive: a kilobyte may become an exabyte.
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

// maxPath bounds the path of an archive entry, in bytes: the output shows it.
const maxPath = 4096

// innerName cleans the path of an archive entry. It returns false if the path leads outside the archive or is too long.
func innerName(name string) (string, bool) {
	if len(name) > maxPath {
		return "", false
	}
	name = path.Clean(strings.ReplaceAll(name, "\\", "/"))
	if name == "." || leadsOutside(name) || strings.IndexByte(name, 0) >= 0 {
		return "", false
	}
	return name, true
}

// leadsOutside reports whether a clean path is absolute, on a drive of Windows, or above its start.
func leadsOutside(name string) bool {
	onDrive := len(name) > 1 && name[1] == ':'
	return onDrive || name == ".." || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "../")
}

// skipped adds a gap for archive entries that are no files inside the archive.
func (b *Builder) skipped(d document, n int) {
	switch {
	case n == 1:
		b.Gap(d.name, "left out 1 entry (a link, a device, or a path that leads outside or is too long)", "")
	case n > 1:
		b.Gap(d.name, fmt.Sprintf("left out %d entries (links, devices, or paths that lead outside or are too long)", n), "")
	}
}
