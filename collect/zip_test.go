package collect_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// A zip archive with overlapping entries, or with a directory that would fill the memory, is not read.
func TestZipDirectory(t *testing.T) {
	one := zipOf(t, tarEntry{name: "a.log", data: strings.Repeat(plegLine, 100)})
	for entries, want := range map[int]string{1: "", 2: "its entries overlap", 60_000: "its entries overlap", 400_000: "its directory is larger than 16 MiB"} {
		d := read(t, "a.zip", repeatEntry(one, entries))
		switch {
		case want == "" && (len(d.Gaps) > 0 || len(d.Matches) == 0):
			t.Errorf("%d: %+v", entries, d.Gaps)
		case want != "" && (len(d.Gaps) != 1 || !strings.Contains(d.Gaps[0].Why, want) || len(d.Matches) > 0):
			t.Errorf("%d: %+v", entries, d.Gaps)
		}
	}
}

// repeatEntry returns a zip archive whose directory lists the one entry of another archive that many times.
func repeatEntry(archive []byte, times int) []byte {
	at, end := bytes.LastIndex(archive, []byte("PK\x01\x02")), bytes.LastIndex(archive, []byte("PK\x05\x06"))
	out := append(bytes.Clone(archive[:at]), bytes.Repeat(archive[at:end], times)...)
	tail := bytes.Clone(archive[end:])
	binary.LittleEndian.PutUint16(tail[8:], uint16(times))
	binary.LittleEndian.PutUint16(tail[10:], uint16(times))
	binary.LittleEndian.PutUint32(tail[12:], uint32((end-at)*times))
	return append(out, tail...)
}
