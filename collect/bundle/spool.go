package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// summedWriter writes a bundle file into the temporary file and computes its checksum.
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
