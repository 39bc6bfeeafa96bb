package packed_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/packed"
)

func TestPack(t *testing.T) {
	data := []byte(strings.Repeat("the same line\n", 1000))
	first, err := packed.Pack(data)
	if err != nil {
		t.Fatal(err)
	}
	second, err := packed.Pack(data)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("two times the same data are %d and %d bytes (%v)", len(first), len(second), err)
	}
	if len(first) > len(data)/10 {
		t.Errorf("%d bytes are packed in %d", len(data), len(first))
	}
	if got, err := packed.Unpack(first); err != nil || !bytes.Equal(got, data) {
		t.Errorf("unpacked to %d bytes (%v), want %d", len(got), err, len(data))
	}
	for _, broken := range [][]byte{nil, []byte("no archive"), first[:len(first)/2]} {
		if _, err := packed.Unpack(broken); err == nil {
			t.Errorf("%d bytes that are not packed are read without an error", len(broken))
		}
	}
}
