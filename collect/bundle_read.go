package collect

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// bundleReader reads the files of a bundle by its manifest.
type bundleReader struct {
	builder *Builder
	root    string // folder of the manifest, with a slash at its end; empty: the root
	files   map[string]*bundle.File
	order   []string
	seen    map[string]bool
}

// readManifest turns the container into a bundle if its manifest can be read.
func (c *container) readManifest(d document, r io.Reader) {
	m, err := bundle.DecodeManifest(r)
	if err != nil {
		c.builder.Gap(d.name, "cannot be read: "+readError(err)+"; the other files are read one by one", "")
		return
	}
	root := strings.TrimSuffix(d.path, bundle.ManifestName)
	reader := &bundleReader{builder: c.builder, root: root, files: map[string]*bundle.File{}, seen: map[string]bool{}}
	for i := range m.Files {
		f := &m.Files[i]
		reader.files[f.Path] = f
		reader.order = append(reader.order, f.Path)
	}
	c.bundle = reader
	b := c.builder
	for _, g := range m.Gaps {
		kind := kindOfGap(g)
		b.Incomplete(kind, wording.Cut(g.What, maxEvidence), bundleSays+strings.TrimPrefix(g.Why, bundleSays), howOfGap(kind))
	}
	for kind, coverage := range m.Coverage {
		b.Cover(kind, coverage)
	}
	b.TakenAt(m.TakenAt)
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		if m.Server != (evidence.Server{}) {
			d.Server = m.Server
		}
		d.PodsReadOn, d.PodsReadIn, d.CloudAnswers = m.PodsReadOn, m.PodsReadIn, m.CloudAnswers
		d.Dumps, d.Zone = m.Dumps, m.Zone
		b.bundle = &m.Source
		b.used++
	})
}

// claimed returns the source that a bundle claims, as the source of what was read from a file. The claim is not trusted: anyone
// can write a bundle.
func claimed(says, file evidence.Source) evidence.Source {
	if file.Kind == "example" { // it is part of the program
		return says
	}
	for _, claim := range []*string{&says.Kind, &says.Name, &says.Node} {
		*claim = wording.Cut(*claim, maxClaim)
	}
	says.Bundle = cmp.Or(file.Name, file.Kind)
	return says
}

// maxClaim bounds each name that a bundle claims for itself: every header shows them.
const maxClaim = 120

// bundleSays marks text that comes from a manifest.
const bundleSays = "the bundle says: "

// howOfGap returns the command that closes a gap of a manifest. The command in the manifest is not used: its author would choose
// what others run.
func howOfGap(kind evidence.Kind) shell.Text {
	return cmp.Or(kind.Saved(), "nodetriage diagnose on the cluster")
}

// openBundle reads an unpacked bundle in the order of its manifest. Other files in the folder are not read here.
func (c *container) openBundle(files fs.FS) {
	f, err := files.Open(bundle.ManifestName)
	if err != nil {
		return
	}
	defer f.Close()
	if c.readManifest(c.document(bundle.ManifestName, 0), f); c.bundle == nil {
		return
	}
	for _, name := range c.bundle.order {
		if fs.ValidPath(name) && !hidden(name) {
			info, err := fs.Stat(files, name)
			c.addFile(files, name, info, err)
		}
	}
}

// member reads one file, as the manifest describes it. A file that is not in the manifest is read by its content.
func (r *bundleReader) member(d document, in io.Reader) {
	name := strings.TrimPrefix(d.path, r.root)
	f := r.files[name]
	switch {
	case f == nil && !hidden(d.path):
		r.builder.add(d, in)
		return
	case f == nil || r.seen[name]:
		return
	}
	r.seen[name] = true
	sum := &summer{r: in, hash: sha256.New()}
	switch f.Kind {
	case "objects":
		r.builder.addJSON(d, sum)
	case bundle.FormText:
		text := bufio.NewReaderSize(r.machinesIn(f, sum), textStart)
		r.builder.scanRaw(boundName(f.Source), f.TextKind, r.classOf(f, text), f.Subject, text)
	case bundle.FormCloud:
		raw, err := io.ReadAll(io.LimitReader(sum, maxValue))
		if err != nil {
			r.builder.Gap(d.name, "reading stopped: "+readError(err), "")
		}
		r.builder.addCloud(boundName(f.Source), raw)
	}
	_, err := io.Copy(io.Discard, sum)
	if err == nil && (sum.n != f.Size || hex.EncodeToString(sum.hash.Sum(nil)) != f.SHA256) {
		r.builder.Gap(d.name, "does not match the manifest: it was changed after the bundle was written", "")
	}
}

// mostOfTable is the maximum size of a text that is searched for machines, in bytes: tables of machines are small.
const mostOfTable = 1 << 20

// machinesIn adds the machines of a pasted table. A bundle has no list of machines, unlike the objects of other tables. It returns
// a reader of the whole text.
func (r *bundleReader) machinesIn(f *bundle.File, text io.Reader) io.Reader {
	if r.builder.bundle.Kind == "cluster" || f.Size > mostOfTable {
		return text
	}
	whole, err := io.ReadAll(io.LimitReader(text, mostOfTable))
	if err == nil {
		if table, _ := paste.Parse(boundName(f.Source), bytes.NewReader(whole)); table != nil { // the search reports a read error
			r.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) { table.AddMachines(d) })
		}
	}
	return io.MultiReader(bytes.NewReader(whole), text)
}

// textStart is how many bytes of a text are used to classify it.
const textStart = 4 << 10

// classOf returns the class that a text had before it was saved in the bundle. Texts collected from a cluster need no class.
func (r *bundleReader) classOf(f *bundle.File, text *bufio.Reader) textclass.Kind {
	if r.builder.bundle.Kind == "cluster" {
		return textclass.Kind{}
	}
	start, _ := text.Peek(textStart)
	return textclass.OfDocument(f.Source, start)
}

// finish adds gaps for the files of the manifest that are missing.
func (r *bundleReader) finish() {
	for _, name := range r.order {
		if !r.seen[name] {
			r.builder.Incomplete(r.kindIn(name), boundName(path.Join(r.root, name)), "is listed in the manifest, but not in the bundle", "")
		}
	}
}

// kindIn returns the kind of objects in a file of the bundle; "" for a text.
func (r *bundleReader) kindIn(name string) evidence.Kind {
	if l := evidence.ListNamed(r.files[name].Of); l != nil {
		return l.Kind()
	}
	return ""
}

// kindOfGap returns the kind that a gap of a manifest is about. Bundles of earlier versions have it only in the text.
func kindOfGap(g evidence.Gap) evidence.Kind {
	switch {
	case g.Kind.Row() != nil, g.Kind == evidence.Everything:
		return g.Kind
	case evidence.Kind(g.What).OfAPI():
		return evidence.Kind(g.What)
	}
	return kindNamed(g.What)
}

// summer computes the checksum and the size of what is read through it.
type summer struct {
	r    io.Reader
	hash hash.Hash
	n    int64
}

func (s *summer) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.hash.Write(p[:n])
	s.n += int64(n)
	return n, err
}
