package collect

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// A block with a large dictionary is refused before the decoder allocates the memory, in any block of any stream.
func TestXZWindow(t *testing.T) {
	packed := func(window int) []byte {
		var out bytes.Buffer
		w, err := xz.WriterConfig{DictCap: window}.NewWriter(&out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, strings.Repeat("a usual line\n", 100)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	wide := packed(4 << 10)
	code := bytes.Index(wide, []byte{0x21, 0x01}) + 2 // the dictionary size of the first block
	wide[code] = 40                                   // 4 GiB
	const head = 12
	fixHead(wide[head:])
	for name, c := range map[string]struct {
		stream []byte
		want   error
	}{
		"a usual window":               {packed(8 << 20), nil},
		"the largest of xz":            {packed(64 << 20), nil},
		"a wide one":                   {wide, errXZWindow},
		"a wide one in a later stream": {append(packed(8<<20), wide...), errXZWindow},
	} {
		r, err := newXZ(bytes.NewReader(c.stream))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// fixHead updates the checksum of a block header.
func fixHead(block []byte) {
	size := 4 * (int(block[0]) + 1)
	binary.LittleEndian.PutUint32(block[size-4:], crc32.ChecksumIEEE(block[:size-4]))
}
