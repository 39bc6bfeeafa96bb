package collect

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/redact"
)

// BundleOptions tune the writing of a bundle.
type BundleOptions struct {
	Tool   string // name and version of the program
	Emails bool   // replace addresses of people too
}

// BundleSummary tells what a bundle holds.
type BundleSummary struct {
	Files    int
	Texts    int // files that are texts
	Replaced []redact.Redaction
}

// WriteBundle writes the evidence as one gzip-compressed tar archive: the manifest, the objects as JSON, and the
// texts that were kept while the Snapshot was built. Secrets are replaced. The same evidence gives the same
// bytes. A builder that reads the bundle makes the same Snapshot of it.
func WriteBundle(ctx context.Context, w io.Writer, s *evidence.Snapshot, texts *Texts, opt BundleOptions) (*BundleSummary, error) {
	b := bundleWriter{ctx: ctx, texts: texts, redactor: redact.New(opt.Emails), names: map[string]bool{}}
	if texts.door != nil && texts.door.redactor != nil {
		b.redactor = texts.door.redactor // what it hid when the evidence was read is counted too
	}
	if opt.Emails {
		b.redactor.HideEmails()
	}
	d := s.Data()
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
		return nil, fmt.Errorf("write the temporary file of the bundle: %w", unwrapPath(texts.err))
	}
	m := manifest{
		APIVersion: bundleVersion, Kind: bundleKind, Tool: opt.Tool, TakenAt: d.TakenAt, Source: d.Source, Server: d.Server,
		Coverage: coverage, Gaps: b.redacted(d.Gaps), Files: b.files,
	}
	m.Redaction = redactionReport{Emails: opt.Emails, Replaced: b.redactor.Report()}
	if err := b.archive(w, &m); err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	return &BundleSummary{Files: len(b.files) + 1, Texts: len(texts.list), Replaced: m.Redaction.Replaced}, nil
}

// bundleWriter puts the redacted files behind the kept texts in their temporary file, and then all into the
// archive: the manifest comes first and says how large they are.
type bundleWriter struct {
	ctx      context.Context
	texts    *Texts
	redactor *redact.Redactor
	names    map[string]bool
	files    []bundleFile
	contents [][]stretch // of the files
}

// redacted are the gaps without secrets: they quote error messages.
func (b *bundleWriter) redacted(gaps []evidence.Gap) []evidence.Gap {
	out := make([]evidence.Gap, 0, len(gaps))
	for _, g := range gaps {
		out = append(out, evidence.Gap{What: g.What, Why: b.redactor.Text(g.Why), How: g.How})
	}
	return out
}

// objects writes one list, an item a line.
func (b *bundleWriter) objects(sec *evidence.List, d *evidence.Data) error {
	items := sec.Items(d)
	if len(items) == 0 {
		return nil
	}
	w := b.create()
	fmt.Fprintf(w, "{\"apiVersion\":%q,\"kind\":%q,\"of\":%q,\"items\":[\n", bundleVersion, evidenceKind, sec.Section)
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
	b.add(w, bundleFile{Path: "objects/" + sec.Section + ".json", Kind: "objects", Of: sec.Section, Items: len(items)})
	return nil
}

// text writes one kept text.
func (b *bundleWriter) text(t *keptText) error {
	w := b.create()
	r := b.texts.reader(t.parts)
	f := bundleFile{Kind: t.Form, Source: t.Source, TextKind: t.TextKind, Subject: t.Subject}
	if t.Form == formCloud {
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		w.Write(b.redactor.JSON(raw))
		f.Path = b.name(t.Source, ".json")
	} else {
		if _, err := io.Copy(w, &cancelled{b.ctx, b.redactor.Reader(r)}); err != nil {
			return err
		}
		f.Path = b.name(t.Source, ".log")
	}
	b.add(w, f)
	return nil
}

// add lists a file that was written.
func (b *bundleWriter) add(w *summedWriter, f bundleFile) {
	f.Size, f.SHA256 = w.close()
	b.files = append(b.files, f)
	b.contents = append(b.contents, w.text.parts)
}

// name makes a path for a text that any system can hold, near to its name in the evidence.
func (b *bundleWriter) name(source, ext string) string {
	var parts []string
	for part := range strings.SplitSeq(source, "/") {
		part = strings.Map(func(r rune) rune {
			if strings.ContainsRune("._-+=@", r) || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
				return r
			}
			return '_'
		}, part)
		if part = strings.TrimLeft(part, "."); part != "" {
			parts = append(parts, part[:min(len(part), 100)])
		}
	}
	stem := "texts/" + strings.Join(parts, "/")
	if strings.HasSuffix(strings.ToLower(stem), ext) {
		stem = stem[:len(stem)-len(ext)]
	}
	name := stem + ext
	for n := 2; b.names[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d%s", stem, n, ext)
	}
	b.names[strings.ToLower(name)] = true
	return name
}

// archive writes the manifest and the files.
func (b *bundleWriter) archive(w io.Writer, m *manifest) error {
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	head, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	put := func(name string, size int64, r io.Reader) error {
		h := tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: m.TakenAt, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := t.WriteHeader(&h); err != nil {
			return err
		}
		_, err := io.Copy(t, &cancelled{b.ctx, r})
		return err
	}
	if err := put(manifestName, int64(len(head))+1, io.MultiReader(bytes.NewReader(head), strings.NewReader("\n"))); err != nil {
		return err
	}
	for i, f := range m.Files {
		if err := put(f.Path, f.Size, b.texts.reader(b.contents[i])); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// cancelled ends a copy with its context.
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

// sorted are the texts by name: those that were read side by side have no order of their own.
func (t *Texts) sorted() []*keptText {
	list := slices.Clone(t.list)
	slices.SortStableFunc(list, func(a, b *keptText) int { return strings.Compare(a.Source, b.Source) })
	return list
}
