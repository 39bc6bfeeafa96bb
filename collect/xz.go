package collect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz"
)

// An xz stream chooses its dictionary size. The decoder allocates that much memory at each block header.
const (
	maxXZ       = 384 << 20 // bytes that a stream may unpack to
	maxXZWindow = 64 << 20  // dictionary size in bytes, as of xz -9
)

var (
	errXZ       = fmt.Errorf("it unpacks to more than %d MiB; unpack it with xz -d", maxXZ>>20)
	errXZWindow = fmt.Errorf("its dictionary is larger than %d MiB; unpack it with xz -d", maxXZWindow>>20)
)

// newXZ returns a reader that unpacks an xz stream.
func newXZ(packed io.Reader) (io.Reader, error) {
	z, err := xz.NewReader(&xzHeads{r: packed})
	if err != nil {
		return nil, err
	}
	return &xzOutput{z, maxXZ}, nil
}

// xzOutput fails after that many bytes, and if the stream ends after a header.
type xzOutput struct {
	r    io.Reader
	left int64
}

func (s *xzOutput) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if s.left -= int64(n); s.left < 0 {
		return 0, errXZ
	}
	if s.left == maxXZ && errors.Is(err, io.EOF) {
		return n, io.ErrUnexpectedEOF
	}
	return n, err
}

// xzHeads passes a packed stream to its decoder and checks the block headers (The .xz File Format 1.2.1, section 3.1). The decoder
// reads the byte with the size of a header, and then the rest in one read.
type xzHeads struct {
	r    io.Reader
	size byte // the last single byte that was read
	one  bool // the last read was a single byte
}

func (x *xzHeads) Read(p []byte) (int, error) {
	if !x.one || len(p) != 4*(int(x.size)+1)-1 {
		n, err := x.r.Read(p)
		if x.one = n == 1 && len(p) == 1; x.one {
			x.size = p[0]
		}
		return n, err
	}
	x.one = false
	n, err := io.ReadFull(x.r, p)
	if err == nil && xzWindow(x.size, p) > maxXZWindow {
		return 0, errXZWindow
	}
	return n, err
}

// xzWindow returns the dictionary size in the header of a block; 0: it is no such header.
func xzWindow(size byte, rest []byte) uint64 {
	head := append([]byte{size}, rest...)
	body, sum := head[:len(head)-4], head[len(head)-4:]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(sum) {
		return 0
	}
	flags, at := body[1], 2
	number := func() (n uint64) {
		n, width := binary.Uvarint(body[min(at, len(body)):])
		at += max(width, 1)
		return n
	}
	for _, sizeIsThere := range []bool{flags&0x40 != 0, flags&0x80 != 0} {
		if sizeIsThere {
			number()
		}
	}
	var most uint64
	for range flags&3 + 1 {
		const lzma2 = 0x21
		id, width := number(), number()
		if id == lzma2 && at < len(body) {
			code := uint64(body[at])
			most = max(most, (2|code&1)<<(code/2+11))
		}
		at += int(min(width, 1024))
	}
	return most
}
