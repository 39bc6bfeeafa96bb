package bundle

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// summedWriter writes a file of a bundle into the temporary file and takes its sum.
type summedWriter struct {
	textWriter
	hash hash.Hash
	size int64
}

func (b *writer) create() *summedWriter {
	return &summedWriter{textWriter: textWriter{texts: b.texts, text: &Text{}}, hash: sha256.New()}
}

func (w *summedWriter) Write(p []byte) (int, error) {
	w.hash.Write(p)
	w.size += int64(len(p))
	return w.textWriter.Write(p)
}

func (w *summedWriter) close() (size int64, sum string) {
	w.flush()
	return w.size, hex.EncodeToString(w.hash.Sum(nil))
}

// redactLines copies a text without its secrets. Stretches without anything suspicious are copied as they are;
// a very long line is looked at in pieces.
func redactLines(ctx context.Context, r *evidence.Redactor, w io.Writer, in io.Reader) error {
	lines := r.Lines()
	buf := bufio.NewReaderSize(in, redactPiece)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		chunk, err := buf.Peek(redactPiece)
		if end := lastLine(chunk); end > 0 && err == nil {
			chunk = chunk[:end]
		}
		if len(chunk) > 0 {
			redactChunk(lines, w, string(chunk))
			if _, err := buf.Discard(len(chunk)); err != nil {
				return err
			}
		}
		if err != nil && (len(chunk) == 0 || !errors.Is(err, io.EOF)) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

const redactPiece = 64 << 10

// lastLine is where the last line that is there as a whole ends.
func lastLine(chunk []byte) int { return strings.LastIndexByte(string(chunk), '\n') + 1 }

func redactChunk(lines *evidence.Lines, w io.Writer, chunk string) {
	if lines.Clean(chunk) {
		_, _ = io.WriteString(w, chunk)
		return
	}
	for line := range strings.Lines(chunk) {
		body := strings.TrimRight(line, "\r\n")
		_, _ = io.WriteString(w, lines.Line(body)+line[len(body):])
	}
}
