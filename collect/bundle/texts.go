package bundle

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// Texts keeps the texts that a builder reads, so that a bundle can hold them: logs, pasted output, cloud JSON. It uses one
// temporary file, without a name if the system allows it, so that nothing is left behind however the program ends.
type Texts struct {
	mu   sync.Mutex
	file *os.File
	end  int64
	err  error
	list []*Text
	// HiddenBy returns the Redactor that replaced secrets when the texts were read; nil: none did.
	HiddenBy func() *redact.Redactor
}

// Forms in which a text is read again.
const (
	FormText  = "text"  // searched for signatures
	FormCloud = "cloud" // cloud JSON
)

// Text is one text and how it was read.
type Text struct {
	Source   string // name in the evidence
	TextKind string
	Subject  evidence.Subject
	Form     string
	parts    []stretch
}

// stretch is a range of the file.
type stretch struct{ at, size int64 }

// NewTexts returns an empty store with its file in dir.
func NewTexts(dir string) (*Texts, error) {
	f, err := os.CreateTemp(dir, ".nodetriage-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file in %s: %w", dir, cause(err))
	}
	_ = os.Remove(f.Name()) // fails on Windows; then Close removes the file
	return &Texts{file: f}, nil
}

// Close releases the store and removes its file.
func (t *Texts) Close() error {
	err := t.file.Close()
	_ = os.Remove(t.file.Name())
	return err
}

// Open starts a text. It must be closed.
func (t *Texts) Open(text Text) io.WriteCloser {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := &text
	t.list = append(t.list, kept)
	return &textWriter{texts: t, text: kept}
}

// Keep stores a complete text.
func (t *Texts) Keep(text Text, data []byte) {
	w := t.Open(text)
	_, _ = w.Write(data)
	_ = w.Close()
}

// Lines calls show with the names and lines of all texts, which must be closed.
func (t *Texts) Lines(show func(line string)) error {
	for _, text := range t.sorted() {
		show(text.Source)
		r := bufio.NewReaderSize(t.reader(text.parts), 64<<10)
		for {
			line, err := r.ReadString('\n')
			show(strings.TrimRight(line, "\r\n"))
			if err == io.EOF {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// append writes to the end of the file. The first error is returned when the texts are used.
func (t *Texts) append(data []byte) stretch {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.end
	if t.err == nil {
		_, t.err = t.file.WriteAt(data, t.end)
	}
	t.end += int64(len(data))
	return stretch{at, int64(len(data))}
}

// reader returns a reader of a stored text.
func (t *Texts) reader(parts []stretch) io.Reader {
	readers := make([]io.Reader, 0, len(parts))
	for _, p := range parts {
		readers = append(readers, io.NewSectionReader(t.file, p.at, p.size))
	}
	return io.MultiReader(readers...)
}

// textWriter stores a text in pieces: several texts may be written concurrently.
type textWriter struct {
	texts *Texts
	text  *Text
	buf   []byte
}

const pieceSize = 256 << 10

func (w *textWriter) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	if len(w.buf) >= pieceSize {
		w.flush()
	}
	return len(p), nil
}

func (w *textWriter) flush() {
	if len(w.buf) > 0 {
		w.text.parts = append(w.text.parts, w.texts.append(w.buf))
		w.buf = w.buf[:0]
	}
}

func (w *textWriter) Close() error {
	w.flush()
	return nil
}
