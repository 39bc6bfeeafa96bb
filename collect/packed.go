package collect

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

var errBomb = fmt.Errorf("it unpacks to more than %d MiB and %d times its size", freelyUnpacked>>20, maxRatio)

// addPacked reads what a compressed stream holds.
func (b *Builder) addPacked(d document, kind string, r io.Reader) {
	if d.nesting >= maxNesting {
		b.Gap(d.name, fmt.Sprintf("is packed more than %d times", maxNesting), "unpack it and name the file")
		return
	}
	packed := r
	if d.nesting == 0 {
		packed = &packedReader{r, d.from.packing}
	}
	var plain io.Reader
	if kind == "gzip" {
		z, err := gzip.NewReader(bufio.NewReader(packed))
		if err != nil {
			b.Gap(d.name, "is damaged: "+err.Error(), "")
			return
		}
		plain = z
	} else {
		plain = bzip2.NewReader(bufio.NewReader(packed))
	}
	b.add(d.unpacked(unpackedName), &unpacking{plain, d.from.packing})
}

func unpackedName(name string) string {
	switch ext := path.Ext(name); strings.ToLower(ext) {
	case ".gz", ".bz2":
		return strings.TrimSuffix(name, ext)
	case ".tgz", ".tbz2":
		return strings.TrimSuffix(name, ext) + ".tar"
	}
	return name
}

// readError words why reading stopped.
func readError(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it is cut off"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return "it is damaged: " + err.Error()
	}
	return unwrapPath(err).Error()
}
