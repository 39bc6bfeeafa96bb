package collect

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/nodetriage/nodetriage/evidence"
)

func isZip(f io.ReaderAt) bool {
	var magic [4]byte
	_, err := f.ReadAt(magic[:], 0)
	return err == nil && (string(magic[:]) == "PK\x03\x04" || string(magic[:]) == "PK\x05\x06")
}

// addInnerZip reads a zip archive from a stream. Its directory is at its end, so it must be held in memory.
func (b *Builder) addInnerZip(d document, r io.Reader) {
	if d.nesting >= maxNesting {
		b.Gap(d.name, fmt.Sprintf("is packed more than %d times", maxNesting), "unpack it and pass the folder")
		return
	}
	data, err := io.ReadAll(io.LimitReader(r, maxInside+1))
	if err != nil {
		b.Gap(d.name, "cannot be read: "+readError(err), "")
		return
	}
	if len(data) > maxInside {
		b.Gap(d.name, fmt.Sprintf("is a zip archive of more than %d MiB inside another archive or a stream", maxInside>>20), "unpack it and pass the folder")
		return
	}
	b.addZip(d, bytes.NewReader(data), int64(len(data)))
}

var errDirectory = errors.New("the directory is too large")

// boundedReaderAt fails after that many bytes. The directory of a zip archive is decoded into memory before its first entry can be
// checked. Negative: unbounded.
type boundedReaderAt struct {
	io.ReaderAt
	left int
}

func (b *boundedReaderAt) ReadAt(p []byte, at int64) (int, error) {
	if b.left >= 0 {
		if b.left -= len(p); b.left < 0 {
			b.left = 0
			return 0, errDirectory
		}
	}
	return b.ReaderAt.ReadAt(p, at)
}

// overlaps reports whether the entries have more packed bytes than the archive: several entries share the same bytes.
func overlaps(z *zip.Reader, size int64) bool {
	sum := uint64(0)
	for _, entry := range z.File {
		if sum += entry.CompressedSize64; sum > uint64(size) || entry.CompressedSize64 > uint64(size) {
			return true
		}
	}
	return false
}

// addZip reads the files of a zip archive, with the bounds of other archives.
func (b *Builder) addZip(d document, f io.ReaderAt, size int64) {
	whole := &boundedReaderAt{ReaderAt: f, left: maxDirectory}
	z, err := zip.NewReader(whole, size)
	whole.left = -1 // entries have separate bounds
	switch {
	case errors.Is(err, errDirectory):
		b.Gap(d.name, fmt.Sprintf("the archive is not read: its directory is larger than %d MiB", maxDirectory>>20), "unpack it and pass the folder")
		d.from.damaged = true
		return
	case err != nil:
		b.Gap(d.name, "the archive is damaged: "+err.Error(), "")
		return
	case overlaps(z, size):
		b.Gap(d.name, "the archive is not read: its entries overlap", "")
		d.from.damaged = true
		return
	}
	c := d.archive()
	defer c.finish()
	if d.nesting == 0 {
		c.packing.packed += size
		b.door.read.Add(size)
	}
	skipped := 0
	for i, entry := range z.File {
		if i >= maxEntries {
			b.Incomplete(evidence.Everything, d.name, fmt.Sprintf("the archive has more than %d entries; the rest was not read", maxEntries), "unpack it and pass the relevant files")
			c.damaged = true
			break
		}
		name, ok := innerName(entry.Name)
		if entry.FileInfo().IsDir() {
			continue
		}
		if !ok || entry.Mode()&fs.ModeType != 0 {
			skipped++
			continue
		}
		inner := c.document(name, d.nesting+1)
		r, err := entry.Open()
		if err != nil {
			b.Gap(inner.name, "cannot be unpacked: "+err.Error(), "")
			continue
		}
		c.member(inner, &unpacking{r, c.packing})
		r.Close()
	}
	b.skipped(d, skipped)
}
