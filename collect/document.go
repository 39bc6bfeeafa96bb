package collect

import (
	"errors"
	"io"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/wording"
)

// document is one input to read: a file, an archive member, a stream.
type document struct {
	name    string // in evidence and gaps
	path    string // with the archives around it
	from    *container
	nesting int // how often it was unpacked
	kind    textclass.Kind
}

// unpacked returns the document under its name without the packing.
func (d document) unpacked(name func(string) string) document {
	d.name, d.path = name(d.name), name(d.path)
	d.nesting++
	return d
}

// maxName bounds the names of files, in bytes: an archive may hold any name.
const maxName = 500

func boundName(name string) string { return wording.Cut(name, maxName) }

// hidden reports whether a file is no evidence: its name starts with a dot, or it is the manifest of a bundle. Hidden logs are
// evidence (.openshift_install.log), but not the resource forks of macOS (._a.log).
func hidden(name string) bool {
	base := path.Base(name)
	isLog := path.Ext(base) == ".log" && !strings.HasPrefix(base, "._")
	return strings.HasPrefix(base, ".") && !isLog || base == bundle.ManifestName
}

// packing compares the unpacked size of an input, at any depth, with its size on disk, to stop at a decompression bomb.
type packing struct{ packed, unpacked int64 }

func (p *packing) bomb() bool {
	return p.unpacked > freelyUnpacked+maxRatio*p.packed || p.unpacked > maxUnpacked
}

// unpacking reads unpacked bytes until they exceed the bounds of a bomb.
type unpacking struct {
	r   io.Reader
	all *packing
}

func (u *unpacking) Read(p []byte) (int, error) {
	if u.all.bomb() {
		return 0, errBomb
	}
	n, err := u.r.Read(p)
	u.all.unpacked += int64(n)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errPackedEnd // readers of whole blocks take io.ErrUnexpectedEOF for the end of the text
	}
	return n, err
}

var errPackedEnd = errors.New("its archive is truncated")

// packedReader counts the bytes of an input that is not itself unpacked.
type packedReader struct {
	r   io.Reader
	all *packing
}

func (c *packedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.all.packed += int64(n)
	return n, err
}
