// Package journal reads systemd journal files without systemd. A container has no journalctl, and a machine without
// free process IDs cannot start it.
//
// The format is that of systemd's docs/JOURNAL_FILE_FORMAT.md, version 252 to 257: objects in one arena, entries in
// chained arrays in order of time. The file may be open for writing, so every number is validated.
package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Incompatible flags: a reader must support them to read the file.
const (
	compressedXZ   = 1 << 0
	compressedLZ4  = 1 << 1
	keyedHash      = 1 << 2
	compressedZSTD = 1 << 3
	compact        = 1 << 4
	known          = compressedXZ | compressedLZ4 | keyedHash | compressedZSTD | compact
)

// Types and layout of objects.
const (
	typeData  = 1
	typeEntry = 3
	typeArray = 6

	objectHeader = 16
	dataHeader   = 64
	entryHeader  = 64
	arrayHeader  = 24
	fileHeader   = 208
)

// Bounds for values in a file.
const (
	maxPayload = 64 << 10 // bytes per field
	maxObject  = 64 << 20
	maxItems   = 1024 // fields per entry
	maxArrays  = 64   // arrays grow, so this number never occurs
	maxCached  = 4096
)

// ErrFormat means that the file is not a journal file or is damaged.
var ErrFormat = errors.New("not a journal file, or a damaged one")

// File is one journal file.
type File struct {
	in      pages
	size    uint64
	compact bool
	entries uint64
	array   uint64 // offset of the first entry array
	Head    time.Time
	Tail    time.Time
}

// Open reads the header of a journal file with the given size.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{in: pages{r: r}, size: uint64(max(size, 0))}
	var h [fileHeader]byte
	if err := f.in.read(h[:], 0); err != nil || string(h[:8]) != "LPKSHHRH" {
		return nil, ErrFormat
	}
	flags := binary.LittleEndian.Uint32(h[12:])
	if flags&^known != 0 {
		return nil, fmt.Errorf("unsupported journal features %#x", flags&^known)
	}
	f.compact = flags&compact != 0
	f.entries = binary.LittleEndian.Uint64(h[152:])
	f.array = binary.LittleEndian.Uint64(h[176:])
	f.Head = stamp(binary.LittleEndian.Uint64(h[184:]))
	f.Tail = stamp(binary.LittleEndian.Uint64(h[192:]))
	return f, nil
}

func stamp(microseconds uint64) time.Time {
	return time.UnixMicro(int64(microseconds & (1<<62 - 1))).UTC()
}

// Entry is one message.
type Entry struct {
	Time   time.Time
	Fields map[string]string // the requested fields
}

// Since visits the entries from t on, oldest first, at most the newest limit of them. It reads only the named fields.
// The entry is valid until visit returns; false stops. It returns the number of older entries that the limit skipped.
func (f *File) Since(t time.Time, limit int, fields []string, visit func(*Entry) bool) (left int, err error) {
	list, err := f.arrays()
	if err != nil {
		return 0, err
	}
	total := 0
	for _, a := range list {
		total += a.n
	}
	first, err := f.search(list, total, t)
	if err != nil {
		return 0, err
	}
	if from := total - limit; from > first {
		left, first = from-first, from
	}
	cache := map[uint64]field{}
	for i := first; i < total; i++ {
		offset, err := f.item(list, i)
		if err != nil {
			return left, err
		}
		e, err := f.entry(offset, fields, cache)
		if err != nil {
			return left, err
		}
		if !visit(e) {
			break
		}
	}
	return left, nil
}

// array is one entry array.
type array struct {
	offset uint64
	n      int // items in use
}

// arrays follows the chain. The last array has unused capacity.
func (f *File) arrays() ([]array, error) {
	var out []array
	left := f.entries
	for at := f.array; at != 0 && left > 0; {
		if len(out) == maxArrays {
			return nil, fmt.Errorf("%w: too many arrays of entries", ErrFormat)
		}
		size, err := f.object(at, typeArray)
		if err != nil {
			return nil, err
		}
		n := min(left, (size-arrayHeader)/f.itemSize())
		left -= n
		out = append(out, array{at, int(n)})
		next, err := f.number(at + objectHeader)
		if err != nil {
			return nil, err
		}
		if next != 0 && next <= at {
			return nil, fmt.Errorf("%w: arrays of entries go round", ErrFormat)
		}
		at = next
	}
	return out, nil
}

func (f *File) itemSize() uint64 {
	if f.compact {
		return 4
	}
	return 8
}

// item returns the offset of the i-th entry.
func (f *File) item(list []array, i int) (uint64, error) {
	for _, a := range list {
		if i < a.n {
			return f.offset(a.offset + arrayHeader + uint64(i)*f.itemSize())
		}
		i -= a.n
	}
	return 0, ErrFormat
}

// search returns the first entry that is not older than t.
func (f *File) search(list []array, total int, t time.Time) (int, error) {
	lo, hi := 0, total
	for lo < hi {
		mid := (lo + hi) / 2
		offset, err := f.item(list, mid)
		if err != nil {
			return 0, err
		}
		at, err := f.number(offset + 24)
		if err != nil {
			return 0, err
		}
		if stamp(at).Before(t) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// field is one data object.
type field struct {
	name, value string // "" if not requested
}

func (f *File) entry(offset uint64, wanted []string, cache map[uint64]field) (*Entry, error) {
	size, err := f.object(offset, typeEntry)
	if err != nil {
		return nil, err
	}
	at, err := f.number(offset + 24)
	if err != nil {
		return nil, err
	}
	e := &Entry{Time: stamp(at), Fields: make(map[string]string, len(wanted))}
	width := uint64(16) // offset and hash
	if f.compact {
		width = 4
	}
	n := min((size-entryHeader)/width, maxItems)
	for i := range n {
		where, err := f.offset(offset + entryHeader + i*width)
		if err != nil {
			return nil, err
		}
		d, ok := cache[where]
		if !ok {
			if d, err = f.data(where, wanted); err != nil {
				return nil, err
			}
			if d.name != "MESSAGE" && len(cache) < maxCached { // messages rarely repeat
				cache[where] = d
			}
		}
		if d.name != "" {
			e.Fields[d.name] = d.value
		}
	}
	return e, nil
}

// data reads a data object, NAME=value, if its name is requested.
func (f *File) data(offset uint64, wanted []string) (field, error) {
	size, err := f.object(offset, typeData)
	if err != nil {
		return field{}, err
	}
	head := uint64(dataHeader)
	if f.compact {
		head += 8
	}
	if size < head {
		return field{}, ErrFormat
	}
	var flags [1]byte
	if err := f.in.read(flags[:], offset+1); err != nil {
		return field{}, err
	}
	packed := make([]byte, min(size-head, maxPayload))
	if err := f.in.read(packed, offset+head); err != nil {
		return field{}, err
	}
	text := unpack(packed, flags[0])
	for _, name := range wanted {
		if len(text) > len(name) && text[len(name)] == '=' && strings.HasPrefix(text, name) {
			return field{name, text[len(name)+1:]}, nil
		}
	}
	return field{}, nil
}

// object checks the header of an object and returns its size.
func (f *File) object(offset uint64, kind byte) (uint64, error) {
	if offset < fileHeader || offset%8 != 0 || offset > f.size || f.size-offset < objectHeader {
		return 0, fmt.Errorf("%w: an object at %d lies outside", ErrFormat, offset)
	}
	var h [objectHeader]byte
	if err := f.in.read(h[:], offset); err != nil {
		return 0, err
	}
	size := binary.LittleEndian.Uint64(h[8:])
	least := map[byte]uint64{typeData: dataHeader, typeEntry: entryHeader, typeArray: arrayHeader}[kind]
	if h[0] != kind || size < least || size > maxObject || size > f.size-offset {
		return 0, fmt.Errorf("%w: the object at %d has an unexpected type", ErrFormat, offset)
	}
	return size, nil
}

func (f *File) number(offset uint64) (uint64, error) {
	var b [8]byte
	err := f.in.read(b[:], offset)
	return binary.LittleEndian.Uint64(b[:]), err
}

// offset reads an offset, which has half the width in compact files.
func (f *File) offset(at uint64) (uint64, error) {
	if !f.compact {
		return f.number(at)
	}
	var b [4]byte
	err := f.in.read(b[:], at)
	return uint64(binary.LittleEndian.Uint32(b[:])), err
}
