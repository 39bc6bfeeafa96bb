package paste

import (
	"math"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// dfTable reads df: bytes, or inodes with -i. A long device name is on a separate line.
type dfTable struct {
	p       *page
	inodes  bool
	typed   bool   // there is a Type column
	unit    uint64 // of plain numbers, in bytes
	pending *line
	read    map[string]bool // file systems of this table
}

// startDF starts at the header.
func startDF(p *page, l line) reader {
	f := strings.Fields(l.text)
	if len(f) < 6 || f[0] != "Filesystem" {
		return nil
	}
	t := &dfTable{p: p, unit: 1 << 10}
	for _, name := range f[1:] {
		switch name {
		case "Type":
			t.typed = true
		case "Inodes", "IUsed":
			t.inodes = true
		case "%iused": // BSD: two tables in one
			return nil
		}
		if n, ok := strings.CutSuffix(name, "-blocks"); ok {
			t.unit = parseSize(n, 1)
		}
	}
	return t
}

// outputDF reads rows without a header, as in grep output. The command shows whether they are bytes or inodes.
func outputDF(p *page, c *command) reader {
	t := &dfTable{p: p, unit: 1 << 10}
	for _, w := range c.words[1:] {
		if !strings.HasPrefix(w, "-") || strings.HasPrefix(w, "--") {
			t.inodes = t.inodes || w == "--inodes"
			continue
		}
		t.inodes = t.inodes || strings.Contains(w, "i")
		t.typed = t.typed || strings.Contains(w, "T")
		if strings.Contains(w, "m") {
			t.unit = 1 << 20
		}
	}
	return t
}

func (t *dfTable) take(l line) bool {
	text := strings.TrimSpace(l.text)
	if text == "" {
		return false
	}
	if isDots(text) {
		return true
	}
	f := strings.Fields(text)
	if t.pending != nil {
		f = append([]string{strings.TrimSpace(t.pending.text)}, f...)
		t.pending = nil
	} else if len(f) == 1 && (strings.ContainsAny(f[0], "/:") || isName(f[0])) {
		t.pending = &l
		return true
	}
	return t.row(f, l)
}

// row finds the percentage; the numbers are before it, the mount point after it.
func (t *dfTable) row(f []string, l line) bool {
	at := -1
	for i := 4; i < len(f)-1; i++ {
		if isPercent(f[i]) && strings.HasPrefix(f[i+1], "/") {
			at = i
			break
		}
	}
	first := 1
	if t.typed {
		first = 2
	}
	if at < first+3 {
		return false
	}
	unit := t.unit
	if t.inodes {
		unit = 1
	}
	size, used, free := parseSize(f[at-3], unit), parseSize(f[at-2], unit), parseSize(f[at-1], unit)
	if size == badSize || free == badSize || used == badSize {
		return false
	}
	fs := nodereport.Filesystem{
		Device: strings.Join(f[:at-3], " "), Mount: strings.Join(f[at+1:], " "), BytesUsedPercent: -1, InodesUsedPercent: -1, Ref: quote(l),
	}
	if t.typed {
		fs.Device, fs.Type = strings.Join(f[:at-4], " "), f[at-4]
	}
	percent, err := strconv.Atoi(strings.TrimSuffix(f[at], "%"))
	if err != nil {
		percent = -1
	}
	if t.inodes {
		fs.Inodes, fs.InodesFree, fs.InodesUsedPercent = size, free, percent
	} else {
		fs.Bytes, fs.BytesFree, fs.BytesUsedPercent = size, free, percent
	}
	t.add(fs, l)
	return true
}

// add merges the results of df and df -i for a file system. In a session on a machine, a later df replaces an earlier one.
func (t *dfTable) add(fs nodereport.Filesystem, l line) {
	r := t.p.node()
	key := fs.Device + " " + fs.Mount
	again := t.p.host.name != "" && !t.read[key]
	if t.read == nil {
		t.read = map[string]bool{}
	}
	t.read[key] = true
	for i := range r.Filesystems {
		known := &r.Filesystems[i]
		if known.Mount == fs.Mount && known.Device == fs.Device && t.merge(known, fs, again) {
			return
		}
	}
	if t.p.text.room("file systems", l) {
		r.Filesystems = append(r.Filesystems, fs)
	}
}

// merge adds the result to a known one of the same file system; again: df ran again. It returns false if the known one already has
// such numbers.
func (t *dfTable) merge(known *nodereport.Filesystem, fs nodereport.Filesystem, again bool) bool {
	noBytes := known.Bytes == 0 && known.BytesUsedPercent < 0
	noInodes := known.Inodes == 0 && known.InodesUsedPercent < 0
	switch {
	case t.inodes && noInodes:
		known.Inodes, known.InodesFree, known.InodesUsedPercent = fs.Inodes, fs.InodesFree, fs.InodesUsedPercent
		known.Ref += "; " + fs.Ref
	case t.inodes:
		return false
	case again && known.Bytes > 0 && known.Inodes == 0:
		*known = fs
	case noBytes:
		known.Bytes, known.BytesFree, known.BytesUsedPercent = fs.Bytes, fs.BytesFree, fs.BytesUsedPercent
		known.Ref += "; " + fs.Ref
	default:
		return false
	}
	return true
}

func (t *dfTable) close(ending) {}

func isPercent(s string) bool {
	if s == "-" { // the file system has no such number
		return true
	}
	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.Atoi(number)
	return percent && err == nil && n >= 0 && n <= 1000
}

const badSize = math.MaxUint64

// parseSize parses 123, 4.5G, 12Mi, 7,9G or -; plain numbers count units. Other text is badSize.
func parseSize(s string, unit uint64) uint64 {
	if s == "-" {
		return 0
	}
	s = strings.TrimSuffix(strings.TrimSuffix(s, "B"), "i")
	factor := float64(unit)
	if n := len(s); n > 1 {
		if i := strings.IndexByte("KMGTPE", s[n-1]&^0x20); i >= 0 && s[n-1] > '9' {
			factor = math.Pow(1024, float64(i+1))
			s = s[:n-1]
		}
	}
	v, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	if err != nil || v < 0 || math.IsNaN(v) || v*factor >= math.MaxUint64/2 {
		return badSize
	}
	return uint64(v * factor)
}
