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

	"github.com/klauspost/compress/zstd"
)

var errBomb = fmt.Errorf("it unpacks to more than %d MiB and %d times its size", freelyUnpacked>>20, maxRatio)

// addPacked reads the content of a compressed stream.
func (b *Builder) addPacked(d document, kind string, r io.Reader) {
	if d.nesting >= maxNesting {
		b.Gap(d.name, fmt.Sprintf("is packed more than %d times", maxNesting), "unpack it and pass the file")
		return
	}
	packed := r
	if d.nesting == 0 {
		packed = &packedReader{r, d.from.packing}
	}
	plain, err := unpacker(kind, bufio.NewReader(packed))
	if err != nil {
		b.Gap(d.name, "is damaged: "+err.Error(), "")
		return
	}
	defer plain.Close()
	b.add(d.unpacked(unpackedName), &unpacking{plain, d.from.packing})
}

// unpacker returns a reader that unpacks a stream of that kind, with a bounded window.
func unpacker(kind string, packed *bufio.Reader) (io.ReadCloser, error) {
	switch kind {
	case "gzip":
		return gzip.NewReader(packed)
	case "zstd":
		z, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxUnpacked))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	case "xz":
		z, err := newXZ(packed)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(z), nil
	}
	return io.NopCloser(bzip2.NewReader(packed)), nil
}

func unpackedName(name string) string {
	switch ext := path.Ext(name); strings.ToLower(ext) {
	case ".gz", ".bz2", ".xz", ".zst":
		return strings.TrimSuffix(name, ext)
	case ".tgz", ".tbz2", ".txz", ".tzst":
		return strings.TrimSuffix(name, ext) + ".tar"
	}
	return name
}

// readError describes why reading stopped.
func readError(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it is truncated"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return "it is damaged: " + err.Error()
	}
	return unwrapPath(err).Error()
}
