package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// Options tune the writing of a bundle.
type Options struct {
	Tool   string  // name and version of the program
	Emails bool    // replace email addresses too
	Rename Renamer // replaces names with aliases in the kept texts; nil: names stay. The Snapshot already has the aliases.
}

// Renamer replaces names in texts.
type Renamer interface {
	Text(s string) string
	Reader(from io.Reader) io.Reader
}

// Summary describes the content of a bundle.
type Summary struct {
	Files    int
	Texts    int // number of texts among the files
	Replaced []redact.Redaction
}

// Write writes the evidence as a gzip-compressed tar archive: the manifest, the objects as JSON, and the kept texts. Secrets are
// replaced. The same evidence gives the same bytes. A builder that reads the bundle makes the same Snapshot.
func Write(ctx context.Context, w io.Writer, s *evidence.Snapshot, texts *Texts, opt Options) (*Summary, error) {
	return write(ctx, func(at time.Time) container { return newTarGz(w, at) }, s, texts, opt)
}

// write writes a bundle into the container that open returns. Files have the time of the evidence.
func write(ctx context.Context, open func(at time.Time) container, s *evidence.Snapshot, texts *Texts, opt Options) (*Summary, error) {
	b := writer{ctx: ctx, texts: texts, redactor: redact.New(opt.Emails), rename: opt.Rename, names: map[string]bool{}}
	if texts.HiddenBy != nil && texts.HiddenBy() != nil {
		b.redactor = texts.HiddenBy() // count what it replaced during reading too
	}
	if opt.Emails {
		b.redactor.HideEmails()
	}
	all := *s.Data()
	all.Nodes = s.Described() // including parts without a name
	d := &all
	coverage := map[evidence.Kind]evidence.Coverage{}
	for _, r := range evidence.Kinds() {
		for i := range r.Lists {
			if err := b.objects(&r.Lists[i], d); err != nil {
				return nil, fmt.Errorf("write %s into the bundle: %w", r.Lists[i].Section, err)
			}
		}
		if c, read := d.Coverage[r.Kind]; read && r.Kind.OfAPI() {
			coverage[r.Kind] = c
		}
	}
	for _, text := range texts.sorted() {
		if err := b.text(text); err != nil {
			return nil, fmt.Errorf("write %s into the bundle: %w", text.Source, err)
		}
	}
	if texts.err != nil {
		return nil, fmt.Errorf("write the temporary file of the bundle: %w", cause(texts.err))
	}
	source := d.Source
	source.Bundle = "" // the reader sets it to the path
	m := Manifest{
		APIVersion: Version, Kind: Kind, Tool: opt.Tool, TakenAt: d.TakenAt, Source: source, Server: d.Server,
		Coverage: coverage, PodsReadOn: d.PodsReadOn, PodsReadIn: d.PodsReadIn, CloudAnswers: d.CloudAnswers, Dumps: d.Dumps, Zone: d.Zone, Gaps: b.redacted(d.Gaps), Files: b.files,
	}
	m.Redaction = Redaction{Emails: opt.Emails, Replaced: b.redactor.Report()}
	if err := b.pack(open(m.TakenAt), &m); err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	return &Summary{Files: len(b.files) + 1, Texts: len(texts.list), Replaced: m.Redaction.Replaced}, nil
}

// writer appends the redacted files to the temporary file of the kept texts, and then copies all into the archive. The manifest
// comes first and contains their sizes.
type writer struct {
	ctx      context.Context
	texts    *Texts
	redactor *redact.Redactor
	rename   Renamer         // nil: names stay
	names    map[string]bool // lower-case paths of files: true, and of their folders: false
	files    []File
	contents [][]stretch // of the files
}

// redacted returns the gaps without secrets: they quote error messages.
func (b *writer) redacted(gaps []evidence.Gap) []evidence.Gap {
	out := make([]evidence.Gap, 0, len(gaps))
	for _, g := range gaps {
		if g.OfText {
			continue
		}
		g.Why = b.redactor.Text(g.Why)
		out = append(out, g)
	}
	return out
}

// objects writes one list, one item per line.
func (b *writer) objects(sec *evidence.List, d *evidence.Data) error {
	items := sec.Items(d)
	if len(items) == 0 {
		return nil
	}
	w := b.create()
	fmt.Fprintf(w, "{\"apiVersion\":%q,\"kind\":%q,\"of\":%q,\"items\":[\n", Version, ListKind, sec.Section)
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	for i, item := range items {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		line.Reset()
		if err := e.Encode(item); err != nil {
			return err
		}
		if i > 0 {
			io.WriteString(w, ",\n")
		}
		w.Write(b.redactor.JSON(bytes.TrimSuffix(line.Bytes(), []byte("\n"))))
	}
	io.WriteString(w, "\n]}\n")
	b.add(w, File{Path: "objects/" + sec.Section + ".json", Kind: "objects", Of: sec.Section, Items: len(items)})
	return nil
}

// text writes one kept text.
func (b *writer) text(t *Text) error {
	w := b.create()
	r := b.texts.reader(t.parts)
	f := File{Kind: t.Form, Source: t.Source, TextKind: t.TextKind, Subject: t.Subject}
	if b.rename != nil {
		f.Source = b.rename.Text(f.Source)
		f.Subject.Namespace, f.Subject.Name = b.rename.Text(f.Subject.Namespace), b.rename.Text(f.Subject.Name)
	}
	if t.Form == FormCloud {
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		raw = b.redactor.JSON(raw)
		if b.rename != nil {
			raw = []byte(b.rename.Text(string(raw)))
		}
		w.Write(raw)
		f.Path = b.name(f.Source, ".json")
	} else {
		r = b.redactor.Reader(r)
		if b.rename != nil {
			r = b.rename.Reader(r)
		}
		if _, err := io.Copy(w, &cancelled{b.ctx, r}); err != nil {
			return err
		}
		f.Path = b.name(f.Source, ".log")
	}
	b.add(w, f)
	return nil
}

// add records a file that was written.
func (b *writer) add(w *summedWriter, f File) {
	f.Size, f.SHA256 = w.close()
	b.files = append(b.files, f)
	b.contents = append(b.contents, w.text.parts)
}

// name returns a path for a text that is valid on any system and similar to its name in the evidence.
func (b *writer) name(source, ext string) string {
	var parts []string
	for part := range strings.SplitSeq(source, "/") {
		part = strings.Map(pathRune, part)
		if part = strings.TrimLeft(part, "."); part != "" {
			parts = append(parts, part[:min(len(part), 100)])
		}
	}
	stem := b.folder(parts[:max(len(parts)-1, 0)]) + "/" + strings.Join(parts[max(len(parts)-1, 0):], "")
	if strings.HasSuffix(strings.ToLower(stem), ext) {
		stem = stem[:len(stem)-len(ext)]
	}
	name := stem + ext
	for n := 2; b.taken(name); n++ {
		name = fmt.Sprintf("%s-%d%s", stem, n, ext)
	}
	b.names[strings.ToLower(name)] = true
	return name
}

// folder returns the folder of these names for texts. A name that a file has is changed.
func (b *writer) folder(parts []string) string {
	path := "texts"
	for _, part := range parts {
		folder := path + "/" + part
		for n := 2; b.names[strings.ToLower(folder)]; n++ {
			folder = fmt.Sprintf("%s/%s-%d", path, part, n)
		}
		path = folder
		b.names[strings.ToLower(path)] = false
	}
	return path
}

// taken reports whether a file or a folder has the name. Some systems ignore the case of names.
func (b *writer) taken(name string) bool {
	_, taken := b.names[strings.ToLower(name)]
	return taken
}

// pathRune maps a character that a file system or a shell may not accept to an underscore.
func pathRune(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("._-+=@", r):
		return r
	}
	return '_'
}

// pack writes the manifest and the files into a container.
func (b *writer) pack(into container, m *Manifest) error {
	head, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	put := func(name string, size int64, r io.Reader) error { return into.put(name, size, &cancelled{b.ctx, r}) }
	if err := put(ManifestName, int64(len(head))+1, io.MultiReader(bytes.NewReader(head), strings.NewReader("\n"))); err != nil {
		return err
	}
	for i, f := range m.Files {
		if err := put(f.Path, f.Size, b.texts.reader(b.contents[i])); err != nil {
			return err
		}
	}
	return into.close()
}

// cancelled is a reader that ends with its context.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// sorted returns the texts by name: concurrent reads have no fixed order.
func (t *Texts) sorted() []*Text {
	list := slices.Clone(t.list)
	slices.SortStableFunc(list, func(a, b *Text) int { return strings.Compare(a.Source, b.Source) })
	return list
}
