package collect

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// door is the path for all input: it removes secrets, and stops reading when the context ends.
type door struct {
	redactor *redact.Redactor // nil: secrets are shown
	ctx      context.Context
	progress func(bytes int) // may be nil
	read     *atomic.Int64   // bytes of inputs
	earlier  func() int64    // bytes of inputs read before a document that is read ahead; nil: use read
}

// Redact makes r hide the secrets of what is read from now on; nil shows them. By default, the builder has a Redactor.
func (b *Builder) Redact(r *redact.Redactor) { b.door.redactor = r }

// Until makes reading end with the context. What was read until then is used, and a gap reports the cause.
func (b *Builder) Until(ctx context.Context) { b.door.ctx = ctx }

// Progress sets a function that gets the number of input bytes read. It is called concurrently.
func (b *Builder) Progress(tell func(bytes int)) { b.door.progress = tell }

// ended reports whether reading was stopped.
func (d *door) ended() bool { return d.ctx != nil && d.ctx.Err() != nil }

// Empty reports whether the builder has no nodes, pods or events yet.
func (b *Builder) Empty() bool {
	empty := true
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { empty = len(d.Nodes)+len(d.Pods)+len(d.Events) == 0 })
	return empty
}

// clean returns a text without its secrets.
func (d *door) clean(s string) string {
	if d.redactor == nil {
		return s
	}
	return d.redactor.Text(s)
}

// text returns a reader of the text without its secrets.
func (d *door) text(r io.Reader) io.Reader {
	r = &boundedLines{r: r}
	if d.redactor == nil {
		return r
	}
	return d.redactor.Reader(r)
}

// soFar returns how many bytes of inputs were read.
func (d *door) soFar() int64 {
	if d.earlier == nil {
		return d.read.Load()
	}
	return d.earlier() + d.read.Load()
}

// bytes returns a reader that ends with the context.
func (d *door) bytes(r io.Reader) io.Reader {
	if d.ctx == nil {
		return r
	}
	return &until{r: r, ctx: d.ctx}
}

// input is bytes for an original input: its bytes are counted.
func (d *door) input(r io.Reader) io.Reader {
	r = &counted{r, d.read}
	if d.ctx == nil {
		return r
	}
	return &until{r: r, ctx: d.ctx, progress: d.progress}
}

// counted counts the bytes of an input.
type counted struct {
	r    io.Reader
	read *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// until is a reader that fails with the cause of its ended context.
type until struct {
	ctx      context.Context
	r        io.Reader
	progress func(int)
}

func (u *until) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	n, err := u.r.Read(p)
	if u.progress != nil {
		u.progress(n)
	}
	return n, err
}
