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

// document is one thing that is read: a file, a member of an archive, a stream.
type document struct {
	name    string // as evidence and gaps call it
	path    string // with the archives that it is in
	from    *container
	nesting int // how often it was unpacked
	kind    textclass.Kind
}

// unpacked is the same document under the name that it has without its packing.
func (d document) unpacked(name func(string) string) document {
	d.name, d.path = name(d.name), name(d.path)
	d.nesting++
	return d
}

// maxName bounds the names of files, in bytes: an archive may hold any.
const maxName = 500

func boundName(name string) string { return wording.Cut(name, maxName) }

// hidden tells files that are no evidence: those that start with a dot, and the manifest of a bundle. Some programs name their logs
// so (.openshift_install.log); what macOS puts beside the files of an archive has their names behind a dot and a stroke (._a.log).
func hidden(name string) bool {
	base := path.Base(name)
	isLog := path.Ext(base) == ".log" && !strings.HasPrefix(base, "._")
	return strings.HasPrefix(base, ".") && !isLog || base == bundle.ManifestName
}

// packing counts what one input unpacks to, at any depth, against its size on disk, to end the reading of a bomb.
type packing struct{ packed, unpacked int64 }

func (p *packing) bomb() bool {
	return p.unpacked > freelyUnpacked+maxRatio*p.packed || p.unpacked > maxUnpacked
}

// unpacking reads unpacked bytes, as long as they are no bomb.
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
		err = errPackedEnd // readers of whole blocks take the other for the end of the text
	}
	return n, err
}

var errPackedEnd = errors.New("what it was packed in is cut off")

// packedReader counts the bytes of an input that was not unpacked from another.
type packedReader struct {
	r   io.Reader
	all *packing
}

func (c *packedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.all.packed += int64(n)
	return n, err
}
