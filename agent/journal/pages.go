package journal

import (
	"errors"
	"io"
)

const (
	pageSize = 32 << 10
	slots    = 8
)

// pages caches a few pages of the file because related objects are close to each other.
type pages struct {
	r    io.ReaderAt
	page [slots]struct {
		at   uint64
		data []byte
	}
}

func (p *pages) read(to []byte, at uint64) error {
	for len(to) > 0 {
		start := at &^ (pageSize - 1)
		slot := &p.page[start/pageSize%slots]
		if slot.data == nil || slot.at != start {
			if slot.data == nil {
				slot.data = make([]byte, 0, pageSize)
			}
			n, err := p.r.ReadAt(slot.data[:pageSize], int64(start&(1<<63-1)))
			if err != nil && !errors.Is(err, io.EOF) {
				slot.data = nil
				return err
			}
			slot.at, slot.data = start, slot.data[:n]
		}
		skip := int(at - start)
		if skip >= len(slot.data) {
			return io.ErrUnexpectedEOF
		}
		n := copy(to, slot.data[skip:])
		to, at = to[n:], at+uint64(n)
	}
	return nil
}
