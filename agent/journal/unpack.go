package journal

import (
	"encoding/binary"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Compression of a payload; only long fields are compressed.
const (
	objectXZ   = 1 << 0
	objectLZ4  = 1 << 1
	objectZSTD = 1 << 2
)

var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(1<<20))
	if err != nil {
		return nil
	}
	return d
})

// unpack returns the text of a payload. It returns "" if the compression is unknown or damaged: a lost line is better
// than a lost log.
func unpack(data []byte, flags byte) string {
	switch {
	case flags&objectZSTD != 0:
		if d := decoder(); d != nil {
			if out, err := d.DecodeAll(data, nil); err == nil {
				return string(out[:min(len(out), maxPayload)])
			}
		}
		return ""
	case flags&objectLZ4 != 0:
		if len(data) < 8 {
			return ""
		}
		return string(unpackLZ4(data[8:], int(min(binary.LittleEndian.Uint64(data), maxPayload))))
	case flags&objectXZ != 0:
		return ""
	}
	return string(data)
}

// unpackLZ4 decompresses one LZ4 block to at most limit bytes (lz4 doc/lz4_Block_format.md).
func unpackLZ4(in []byte, limit int) []byte {
	var out []byte
	length := func(n int) (int, bool) {
		if n != 15 {
			return n, true
		}
		for len(in) > 0 {
			b := in[0]
			in = in[1:]
			if n += int(b); n > maxPayload {
				return 0, false
			}
			if b != 255 {
				return n, true
			}
		}
		return 0, false
	}
	for len(in) > 0 && len(out) < limit {
		token := in[0]
		in = in[1:]
		n, ok := length(int(token >> 4))
		if !ok || n > len(in) {
			return out
		}
		out = append(out, in[:n]...)
		if in = in[n:]; len(in) < 2 {
			break // the last sequence has only literals
		}
		back := int(in[0]) | int(in[1])<<8
		in = in[2:]
		n, ok = length(int(token & 15))
		if !ok || back == 0 || back > len(out) {
			return out
		}
		for range n + 4 {
			out = append(out, out[len(out)-back])
		}
	}
	return out[:min(len(out), limit)]
}
